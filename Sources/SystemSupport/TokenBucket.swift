/// A token bucket: refilled at a steady rate and emptied by requests. Limits bursts and the
/// long-term rate. A pure value: the caller passes the time.
public struct TokenBucket: Sendable {
  public let capacity: Double
  public let perSecond: Double
  private var level: Double
  private var updated: BootTime

  /// Creates a full bucket.
  public init(capacity: Double, perSecond: Double, now: BootTime) {
    self.capacity = capacity
    self.perSecond = perSecond
    level = capacity
    updated = now
  }

  /// Takes `count` tokens, if `reserve` more remain for other callers.
  ///
  /// - Returns: Nil if the tokens were taken, otherwise the time when enough tokens are available.
  public mutating func take(_ count: Double = 1, reserve: Double = 0, now: BootTime) -> BootTime? {
    fill(now)
    let missing = reserve + count - level
    guard missing > 0 else {
      level -= count
      return nil
    }
    // One extra millisecond, so that rounding does not wake a task too early.
    return now.advanced(by: .seconds(missing / perSecond) + .milliseconds(1))
  }

  /// Deducts tokens for work that was not admitted by `take`. The level may become negative, down
  /// to `-capacity`.
  public mutating func spend(_ count: Double = 1, now: BootTime) {
    fill(now)
    level = max(-capacity, level - count)
  }

  public mutating func empty(now: BootTime) {
    fill(now)
    level = min(level, 0)
  }

  /// True once all taken tokens are refilled.
  public func isFull(now: BootTime) -> Bool { level + updated.duration(to: now).seconds * perSecond >= capacity }

  /// Refills the bucket. A clock that went backwards removes no tokens.
  private mutating func fill(_ now: BootTime) {
    level = min(capacity, level + max(0, updated.duration(to: now).seconds) * perSecond)
    updated = now
  }
}
