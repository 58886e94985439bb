/// A token bucket for each client address, as the real server has: 150 requests in 5 minutes, 30 of them at once.
struct RateLimiter: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filledAt: Moment
  }

  /// 150 in 5 minutes.
  private static let refillPerSecond = 0.5
  private var buckets: [String: Bucket] = [:]

  /// Takes one request out of the address's bucket; false where it is empty.
  mutating func admit(_ address: String, burst: Int, now: Moment) -> Bool {
    var bucket = buckets[address] ?? Bucket(tokens: Double(burst), filledAt: now)
    let elapsed = Double(now.nanoseconds - bucket.filledAt.nanoseconds) / 1_000_000_000
    bucket.tokens = min(Double(burst), bucket.tokens + max(0, elapsed) * Self.refillPerSecond)
    bucket.filledAt = now
    let admitted = bucket.tokens >= 1
    if admitted { bucket.tokens -= 1 }
    buckets[address] = bucket
    return admitted
  }
}
