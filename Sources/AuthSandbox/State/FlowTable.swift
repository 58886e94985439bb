import Crypto

/// One trip through the browser, from `/authorize` to the exchange of its code.
struct Flow: Sendable {
  /// 300 s from the hit on `/authorize`, the exchange included; the real server allows no less.
  static let lifetime: Double = 300

  /// What goes to the provider as `state`.
  var state = Text.uuid()
  var provider: String
  /// Where the browser goes in the end, already held against the rules.
  var redirectTo: String
  var challenge: Challenge?
  /// The user that asked to link an identity, nil for a sign-in.
  var linkingUser: String?
  var createdAt: Moment
  var stateIsSpent = false
  var authCode: String?
  var userID: String?
  var providerTokens: ProviderTokens?

  func isExpired(at now: Moment) -> Bool { now > createdAt.adding(seconds: Self.lifetime) }
}

/// The tokens of the provider, handed out once, with the session.
struct ProviderTokens: Sendable {
  var token = "ya29." + Text.random(40, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
  var refreshToken = "1//" + Text.random(27, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
}

/// A PKCE challenge (RFC 7636).
struct Challenge: Sendable {
  var value: String
  var isPlain: Bool

  /// nil where neither parameter was sent: the implicit flow.
  static func parse(_ challenge: String, method: String) throws(APIError) -> Challenge? {
    if challenge.isEmpty, method.isEmpty { return nil }
    guard !challenge.isEmpty, !method.isEmpty else {
      throw .validation("PKCE flow requires code_challenge_method and code_challenge")
    }
    guard (43...128).contains(challenge.utf8.count) else {
      throw .validation("code challenge has to be between 43 and 128 characters")
    }
    switch method.lowercased() {
    case "s256": return Challenge(value: challenge, isPlain: false)
    case "plain": return Challenge(value: challenge, isPlain: true)
    default: throw .validation("Invalid code_challenge_method")
    }
  }

  func accepts(verifier: String) -> Bool {
    isPlain ? verifier == value : Text.base64URL(SHA256.hash(data: Array(verifier.utf8))) == value
  }
}

/// The flows, by state; an exchanged flow is gone.
struct FlowTable: Sendable {
  private var flows: [String: Flow] = [:]

  subscript(state: String) -> Flow? {
    get { flows[state] }
    set { flows[state] = newValue }
  }

  func withAuthCode(_ code: String) -> Flow? { flows.values.first { $0.authCode == code } }
}
