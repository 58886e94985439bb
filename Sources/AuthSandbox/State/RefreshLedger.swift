/// What became of every refresh token, kept beyond the life of its session, for a test's questions.
struct RefreshLedger: Sendable {
  /// Times a token was presented, by its SHA-256; faulted requests that never reached the tables are not in here.
  private(set) var presentations: [String: Int] = [:]
  /// Refreshes that were answered with a token.
  private(set) var grants = 0
  /// Refreshes that were answered with a token never handed out before.
  private(set) var rotations = 0
  private var order: [String: (session: String, position: Int)] = [:]
  private var issued: [String: Int] = [:]
  private(set) var distances: [String: Int] = [:]

  /// Notes a token handed out for the first time.
  mutating func note(issued token: String, of session: String) {
    let position = issued[session, default: 0]
    issued[session] = position + 1
    order[Text.sha256Hex(token)] = (session, position)
  }

  /// Notes a token that came in, and how many newer ones its session had handed out by then.
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

/// What a refresh came to, and the headers by which the server tells.
struct RefreshOutcome: Sendable {
  var session: SessionRecord
  /// The token to hand out.
  var token: String
  /// A new token, not one that was handed out before.
  var isNew: Bool
  /// `sb-auth-refresh-token-*` as recorded.
  var headers: [(name: String, value: String)]
}

/// Why a refresh was refused, and what has to be written nevertheless.
struct RefreshRefusal: Error {
  enum Consequence: Sendable {
    case none
    /// Write the session back (its family was revoked).
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
