import Crypto

/// A row of `auth.sessions` with the refresh tokens of its family.
struct SessionRecord: Sendable {
  var id = Text.uuid()
  var userID: String
  var createdAt: Moment
  var refreshedAt: Moment?
  /// The way in: "password", "oauth", "otp", "anonymous".
  var method: String
  var userAgent: String?
  /// Rows of algorithm v1, oldest first.
  var opaqueTokens: [OpaqueToken] = []
  /// Set as soon as the session speaks algorithm v2.
  var counter: CounterState?
}

/// A refresh token of algorithm v1: an opaque row that points at its parent.
struct OpaqueToken: Sendable {
  var value = Text.random(CounterToken.opaqueLength)
  var parent: String?
  var revoked = false
  /// When the row changed last; a revoked row may be reused for the interval after it.
  var updatedAt: Moment
}

/// What a session of algorithm v2 keeps instead of rows.
struct CounterState: Sendable {
  var key = SymmetricKey(size: .bits256)
  var value: UInt64 = 0
}
