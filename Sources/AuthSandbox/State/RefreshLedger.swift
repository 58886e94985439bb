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
