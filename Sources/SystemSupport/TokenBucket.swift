/// A token bucket: fills at a steady rate and is emptied by requests. It bounds a burst and the long-run rate. Pure.
public struct TokenBucket: Sendable {
  public let capacity: Double
  public let perSecond: Double
  private var level: Double
  private var updated: BootTime

  /// A full bucket.
  public init(capacity: Double, perSecond: Double, now: BootTime) {
    self.capacity = capacity
    self.perSecond = perSecond
    level = capacity
    updated = now
  }

  /// Takes `count` tokens, if `reserve` more remain for others.
  ///
  /// - Returns: nil if it was taken, else when there will be enough tokens.
  public mutating func take(_ count: Double = 1, reserve: Double = 0, now: BootTime) -> BootTime? {
    fill(now)
    let missing = reserve + count - level
    guard missing > 0 else {
      level -= count
      return nil
    }
    // One millisecond more, so that rounding does not wake a task too early.
    return now.advanced(by: .seconds(missing / perSecond) + .milliseconds(1))
  }

  /// Counts what was not asked for with `take`. The level may become negative, down to `-capacity`.
  public mutating func spend(_ count: Double = 1, now: BootTime) {
    fill(now)
    level = max(-capacity, level - count)
  }

  public mutating func empty(now: BootTime) {
    fill(now)
    level = min(level, 0)
  }

  /// True once everything that was taken has been refilled.
  public func isFull(now: BootTime) -> Bool { level + updated.duration(to: now).seconds * perSecond >= capacity }

  /// A clock that went back takes nothing away.
  private mutating func fill(_ now: BootTime) {
    level = min(capacity, level + max(0, updated.duration(to: now).seconds) * perSecond)
    updated = now
  }
}
