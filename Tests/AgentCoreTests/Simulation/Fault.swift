import SupabaseAuth
import SystemSupport

/// A failure between the agent and the server (reference/supabase-auth, section 8).
enum Fault: CaseIterable, Sendable {
  case droppedBefore, droppedAfter, hang, hangAndCommit, truncated, html502, html521, limited, limitedWithTime
  case conflict, gatewayKey, captivePortal, timeoutAfterCommit, hook, paused, fatalWordsAt500, foreign404

  /// True if the server rotates the token.
  func commits(_ chance: UInt64) -> Bool {
    switch self {
    case .droppedAfter, .hangAndCommit, .truncated, .timeoutAfterCommit: true
    case .html502, .fatalWordsAt500: chance & 1 == 0
    default: false
    }
  }

  /// Returns what the client gets in place of `answer`, or nil if the connection breaks.
  func answer(instead answer: WireAnswer?, _ number: UInt64) -> WireAnswer? {
    switch self {
    case .droppedBefore, .droppedAfter, .hang, .hangAndCommit: nil
    case .truncated:
      answer.map { WireAnswer(status: $0.status, headers: $0.headers, body: String($0.body.prefix($0.body.count / 2))) }
    case .html502: .page(502)
    case .html521: .page(521)
    case .limited: .refusal("over_request_rate_limit", number, status: 429)
    case .limitedWithTime:
      .refusal("over_request_rate_limit", number, status: 429, retryAfter: 1 + Int(number % 600))
    case .conflict: .refusal("conflict", number, status: 409)
    case .gatewayKey: WireAnswer(status: 401, headers: [], body: #"{"message":"No API key found in request"}"#)
    case .captivePortal: .page(302)
    case .timeoutAfterCommit: .refusal("request_timeout", number, status: 504)
    case .hook: .refusal("hook_timeout", number, status: 422)
    case .paused: WireAnswer(status: 540, headers: [], body: "")
    case .fatalWordsAt500: .refusal("refresh_token_not_found", number, status: 500)
    case .foreign404: .page(404)
    }
  }
}

/// The faults that can occur, and how slow the server is.
struct FaultProfile: Sendable {
  /// Percentage of the requests that a fault affects.
  var share: Int
  var faults: [Fault]
  /// Percentage of the answers that are slow.
  var slow: Int

  static let fine = FaultProfile(share: 0, faults: [.conflict], slow: 0)

  func fault(_ chance: UInt64) -> Fault? {
    guard Int(SeededRandom.hashed(chance, 1) % 100) < share else { return nil }
    return faults[Int(SeededRandom.hashed(chance, 2) % UInt64(faults.count))]
  }

  /// Returns zero or, for the share `slow`, a delay of up to nearly the client's timeout.
  func latency(_ chance: UInt64) -> Duration {
    guard Int(SeededRandom.hashed(chance, 3) % 100) < slow else { return .zero }
    return .milliseconds(Int64(SeededRandom.hashed(chance, 4) % 11_500))
  }
}

/// The tokens that the server issues.
struct Tokens: Sendable {
  let access: String
  let refresh: String
  let user: String
  let life: Int
  let expiresAt: Int64
  let assurance: Int
  let isAnonymous: Bool
  let factors: [SimulatedFactor]

  /// The middle part of a JWT: `{"aal":"aal1"}` or `{"aal":"aal2"}`.
  static func claims(_ assurance: Int) -> String { assurance == 2 ? "eyJhYWwiOiJhYWwyIn0" : "eyJhYWwiOiJhYWwxIn0" }

  var body: String {
    """
    {"access_token":"\(access)","token_type":"bearer","expires_in":\(life),"expires_at":\(expiresAt),\
    "refresh_token":"\(refresh)","user":\(Self.user(user, isAnonymous: isAnonymous, factors))}
    """
  }

  static func user(_ id: String, isAnonymous: Bool, _ factors: [SimulatedFactor]) -> String {
    guard !isAnonymous else {
      return #"{"id":"\#(id)","aud":"authenticated","email":"","identities":[],"is_anonymous":true}"#
    }
    let list = factors.isEmpty ? "" : #","factors":[\#(factors.map(\.json).joined(separator: ","))]"#
    return #"{"id":"\#(id)","aud":"authenticated","email":"\#(id)@example.org"\#(list)}"#
  }

  private var model: User {
    guard !isAnonymous else { return User(id: user, identities: [], isAnonymous: true) }
    return User(id: user, email: "\(user)@example.org", factors: factors.map(\.model))
  }

  var session: Session {
    Session(
      accessToken: BearerToken(access), expiresIn: life, refreshToken: RefreshToken(refresh),
      user: model, assurance: "aal\(assurance)")
  }
}

/// An answer as bytes on the wire.
struct WireAnswer: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: String
  /// The server's own error code, for statistics.
  var code: String?
  /// True if the server detected that a token was used again.
  var isReuse: Bool { status == 400 && code == "refresh_token_already_used" }

  static func session(_ tokens: Tokens) -> WireAnswer {
    WireAnswer(status: 200, headers: [("Content-Type", "application/json")], body: tokens.body)
  }

  static func page(_ status: Int) -> WireAnswer {
    WireAnswer(status: status, headers: [("Content-Type", "text/html")], body: "<html><h1>\(status)</h1></html>")
  }

  /// Returns a refusal in one of GoTrue's formats, selected by `style`.
  static func refusal(_ code: String, _ style: UInt64, status: Int = 400, retryAfter: Int? = nil) -> WireAnswer {
    let body =
      switch style % 3 {
      case 0: #"{"code":"\#(code)","message":"no"}"#
      case 1: #"{"code":\#(status),"error_code":"\#(code)","msg":"no","error_id":"1"}"#
      default: status == 400 ? (old[code] ?? #"{"code":"\#(code)","message":"no"}"#) : #"{"code":"\#(code)"}"#
      }
    let headers = [("Content-Type", "application/json")] + (retryAfter.map { [("Retry-After", "\($0)")] } ?? [])
    return WireAnswer(status: status, headers: headers, body: body, code: code)
  }

  /// The messages of servers before v2.164.
  private static let old = [
    "refresh_token_not_found": grant("Refresh Token Not Found"), "user_banned": grant("User Banned"),
    "refresh_token_already_used": grant("Already Used"),
  ]

  private static func grant(_ words: String) -> String {
    #"{"error":"invalid_grant","error_description":"Invalid Refresh Token: \#(words)"}"#
  }
}
