/// A row of `auth.sessions`, with its family of refresh tokens.
struct SessionRecord: Sendable {
  var id = Text.uuid()
  var userID: String
  var createdAt: Moment
  var refreshedAt: Moment?
  /// The sign-in method: "password", "oauth", "otp", "anonymous", "sso/saml", or the name of a link
  /// in an email such as "magiclink".
  var method: String
  /// The identity provider of a session begun by single sign-on.
  var methodProvider: String?
  /// The end that an identity provider gave to the session.
  var notAfter: Moment?
  var userAgent: String?
  /// Tokens of algorithm v1, oldest first.
  var opaqueTokens: [OpaqueToken] = []
  /// Set once the session uses algorithm v2.
  var counter: CounterState?
  /// The second factor that was verified last; nil at aal1.
  var factorID: String?
  /// The methods of the verified factors with their times, the newest last.
  var factorMethods: [(name: String, at: Moment)] = []
}

/// A refresh token of algorithm v1: an opaque row with a reference to its parent.
struct OpaqueToken: Sendable {
  var value = Text.random(CounterToken.opaqueLength)
  var parent: String?
  var revoked = false
  /// Time of the row's last change. A revoked row may be reused for the interval after it.
  var updatedAt: Moment
}

/// The state of a session of algorithm v2, in place of rows.
struct CounterState: Sendable {
  var key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  var value: UInt64 = 0
}

/// The sessions, by ID.
struct SessionTable: Sendable {
  private var records: [String: SessionRecord] = [:]
  /// The session ID of each opaque refresh token. An entry is removed with its session.
  private var owners: [String: String] = [:]

  var all: [SessionRecord] { Array(records.values) }

  subscript(id: String) -> SessionRecord? { records[id] }

  /// Stores a session, including its token rows.
  mutating func put(_ session: SessionRecord) {
    records[session.id] = session
    for token in session.opaqueTokens { owners[token.value] = session.id }
  }

  func owner(ofOpaqueToken value: String) -> SessionRecord? {
    owners[value].flatMap { records[$0] }
  }

  func sessions(ofUser id: String) -> [SessionRecord] { all.filter { $0.userID == id } }

  mutating func remove(_ id: String) {
    guard let session = records.removeValue(forKey: id) else { return }
    for token in session.opaqueTokens { owners[token.value] = nil }
  }

  /// Removes the user's sessions, except `kept`.
  mutating func removeAll(ofUser id: String, except kept: String? = nil) {
    for session in sessions(ofUser: id) where session.id != kept { remove(session.id) }
  }
}
