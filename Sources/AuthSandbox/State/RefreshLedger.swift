/// The history of every refresh token, kept beyond the end of its session, for tests to query.
struct RefreshLedger: Sendable {
  /// Number of times that each token was presented, by its SHA-256. Requests that a fault kept from
  /// the tables are not counted.
  private(set) var presentations: [String: Int] = [:]
  /// Number of refreshes that returned a token.
  private(set) var grants = 0
  /// Number of refreshes that returned a new token.
  private(set) var rotations = 0
  private var order: [String: (session: String, position: Int)] = [:]
  private var issued: [String: Int] = [:]
  private(set) var distances: [String: Int] = [:]

  /// Records a newly issued token.
  mutating func note(issued token: String, of session: String) {
    let position = issued[session, default: 0]
    issued[session] = position + 1
    order[Text.sha256Hex(token)] = (session, position)
  }

  /// Records a presented token, and the number of newer tokens that its session had by then.
  mutating func note(presented token: String) {
    let hash = Text.sha256Hex(token)
    presentations[hash, default: 0] += 1
    guard let (session, position) = order[hash] else { return }
    let distance = issued[session, default: 1] - 1 - position
    distances[session] = max(distances[session] ?? 0, distance)
  }

  mutating func note(granted outcome: RefreshOutcome) {
    grants += 1
    if outcome.isNew {
      rotations += 1
      note(issued: outcome.token, of: outcome.session.id)
    }
  }

  func oldestAncestor(ofSession id: String) -> Int { distances[id] ?? 0 }

  var oldestAncestor: Int { distances.values.max() ?? 0 }
}

/// The result of a refresh, and the response headers that report it.
struct RefreshOutcome: Sendable {
  var session: SessionRecord
  /// The refresh token to return.
  var token: String
  /// True if the token is issued for the first time.
  var isNew: Bool
  /// `sb-auth-refresh-token-*` as recorded.
  var headers: [(name: String, value: String)]
}

/// The reason for refusing a refresh, and the change to make nevertheless.
struct RefreshRefusal: Error {
  enum Consequence: Sendable {
    case none
    /// Store the session, whose family was revoked.
    case put(SessionRecord)
    /// Delete the session.
    case delete(String)
  }

  var error: APIError
  var consequence = Consequence.none

  static func validation(_ message: String) -> RefreshRefusal {
    RefreshRefusal(error: .validation(message))
  }

  static let notFound = RefreshRefusal(
    error: APIError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"))

  static func alreadyUsed(
    _ consequence: Consequence, headers: [(name: String, value: String)] = []
  ) -> RefreshRefusal {
    RefreshRefusal(
      error: APIError(
        400, "refresh_token_already_used", "Invalid Refresh Token: Already Used", headers: headers),
      consequence: consequence)
  }
}

/// A limit on requests. Each has its own buckets.
enum RateLimit: Sendable {
  case token, challenge, factorVerification

  /// The limit that applies to a request; nil for none.
  init?(method: String, path: [Substring]) {
    guard method == "POST", path.starts(with: ["auth", "v1"]) else { return nil }
    switch (path.count, path.dropFirst(2).first, path.last) {
    case (3, "token", _): self = .token
    case (5, "factors", "challenge"): self = .challenge
    case (5, "factors", "verify"): self = .factorVerification
    default: return nil
    }
  }

  /// 150 requests in 5 minutes, or 15 a minute.
  fileprivate var refillPerSecond: Double { self == .token ? 0.5 : 0.25 }
}

/// A token bucket for each client address and limit, as on the real server, with a burst of 30.
struct RateLimiter: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filledAt: Moment
  }

  private struct Key: Hashable {
    var address: String
    var limit: RateLimit
  }

  private var buckets: [Key: Bucket] = [:]

  /// Takes one request from the address's bucket. Returns false if the bucket is empty.
  mutating func admit(_ address: String, _ limit: RateLimit, burst: Int, now: Moment) -> Bool {
    let key = Key(address: address, limit: limit)
    var bucket = buckets[key] ?? Bucket(tokens: Double(burst), filledAt: now)
    let elapsed = Double(now.nanoseconds - bucket.filledAt.nanoseconds) / 1_000_000_000
    bucket.tokens = min(Double(burst), bucket.tokens + max(0, elapsed) * limit.refillPerSecond)
    bucket.filledAt = now
    let admitted = bucket.tokens >= 1
    if admitted { bucket.tokens -= 1 }
    buckets[key] = bucket
    return admitted
  }
}
