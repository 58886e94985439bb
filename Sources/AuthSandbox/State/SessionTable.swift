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
