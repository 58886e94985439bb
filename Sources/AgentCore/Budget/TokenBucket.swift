/// A bucket that fills at a steady rate and is emptied by requests: so many at once, so many in the long run. Pure.
struct TokenBucket: Sendable {
  let capacity: Double
  let perSecond: Double
  private var level: Double
  private var updated: BootTime

  /// A full bucket.
  init(capacity: Double, perSecond: Double, now: BootTime) {
    self.capacity = capacity
    self.perSecond = perSecond
    level = capacity
    updated = now
  }

  /// Takes one, if `reserve` more stay for others.
  ///
  /// - Returns: nil if it was taken, else when there will be enough.
  mutating func take(reserve: Double = 0, now: BootTime) -> BootTime? {
    fill(now)
    let missing = reserve + 1 - level
    guard missing > 0 else {
      level -= 1
      return nil
    }
    // A millisecond more, so that rounding does not wake anybody for nothing.
    return now.advanced(by: .seconds(missing / perSecond) + .milliseconds(1))
  }

  /// Counts one that was not asked for here: the level may go below nothing.
  mutating func spend(now: BootTime) {
    fill(now)
    level = max(-capacity, level - 1)
  }

  mutating func empty(now: BootTime) {
    fill(now)
    level = min(level, 0)
  }

  /// Whether nothing was taken lately.
  func isFull(now: BootTime) -> Bool { level + updated.duration(to: now).seconds * perSecond >= capacity }

  private mutating func fill(_ now: BootTime) {
    level = min(capacity, level + updated.duration(to: now).seconds * perSecond)
    updated = now
  }
}
