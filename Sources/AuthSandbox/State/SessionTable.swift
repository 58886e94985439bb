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

/// The sessions, by id.
struct SessionTable: Sendable {
  private var records: [String: SessionRecord] = [:]
  /// Which session an opaque refresh token belongs to; an entry goes with its session.
  private var owners: [String: String] = [:]

  var all: [SessionRecord] { Array(records.values) }

  subscript(id: String) -> SessionRecord? { records[id] }

  /// Writes a session back, its token rows included.
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

  /// Removes the user's sessions, but for `kept`.
  mutating func removeAll(ofUser id: String, except kept: String? = nil) {
    for session in sessions(ofUser: id) where session.id != kept { remove(session.id) }
  }
}
