import SystemSupport

/// The two methods by which GoTrue rotates refresh tokens.
enum Rotation: Sendable {
  /// v1: rows with a parent and a revoked flag.
  case rows
  /// v2: a counter in the token.
  case counter
}

/// A session as the server stores it.
struct ServerSession: Sendable {
  struct Row: Sendable {
    let token: String
    let parent: Int?
    /// Rotations since the sign-in.
    let depth: Int
    /// The time at which a rotation revoked the row.
    var revoked: Int64?
  }

  let id: Int
  let user: String
  var ended = false
  /// True if the whole session was revoked because a token was used again.
  var isFamilyRevoked = false
  var rows: [Row] = []
  var lastRotation: Int64 = 0
  /// Counted per session, because requests of one instant may come in either order.
  var requests: UInt64 = 0
  var bearers: UInt64 = 0
  /// The assurance level: 1, or 2 after a second factor.
  var assurance = 1
  var challenges: UInt64 = 0

  /// The reuse interval of hosted projects, in nanoseconds.
  static let reuseInterval: Int64 = 10_000_000_000

  /// The row that was issued last, which is the active one with both methods.
  var active: Row? { rows.last }

  func age(of token: String) -> Int? {
    guard let row = rows.first(where: { $0.token == token }), let active else { return nil }
    return active.depth - row.depth
  }
}

extension SimulatedServer.State {
  mutating func issueRefreshToken(of id: Int, parent: Int?) -> String {
    guard var session = sessions[id] else { return "" }
    let token = "rt-\(id)-\(session.rows.count)"
    let depth = parent.map { session.rows[$0].depth + 1 } ?? 0
    session.rows.append(ServerSession.Row(token: token, parent: parent, depth: depth))
    session.lastRotation = elapsed
    sessions[id] = session
    owners[token] = id
    return token
  }

  mutating func tokens(of id: Int, _ refresh: String) -> Tokens {
    sessions[id]?.bearers += 1
    let user = sessions[id]?.user ?? ""
    let assurance = sessions[id]?.assurance ?? 1
    let access = "at-\(id)-\(sessions[id]?.bearers ?? 0).\(Tokens.claims(assurance)).s"
    let expires = elapsed + skew + Int64(life) * 1_000_000_000
    bearers[access] = SimulatedServer.Bearer(session: id, user: user, expires: expires)
    return Tokens(
      access: access, refresh: refresh, user: user, life: life,
      expiresAt: ManualClock.began + expires / 1_000_000_000, assurance: assurance,
      isAnonymous: isAnonymous(user), factors: factors(of: user))
  }

  mutating func perform(_ work: SimulatedServer.Work) -> WireAnswer {
    switch work {
    case .refresh(let token): refresh(token)
    case .verify(let proof): verify(proof)
    }
  }

  /// Answers a refresh grant.
  mutating func refresh(_ token: String) -> WireAnswer {
    let style = SeededRandom.hashed(seed, UInt64(owners[token] ?? 0), UInt64(bitPattern: elapsed))
    guard let id = owners[token], let session = sessions[id], !session.ended,
      let row = session.rows.firstIndex(where: { $0.token == token })
    else { return count(.refusal("refresh_token_not_found", style)) }
    if session.isFamilyRevoked { return count(.refusal("refresh_token_already_used", style)) }
    if banned.contains(session.user) { return count(.refusal("user_banned", style)) }
    let issued: String?
    switch rotation {
    case .rows: issued = swapRow(row, of: session)
    case .counter: issued = step(row, of: session)
    }
    guard let issued else {
      if rotation == .rows { sessions[id]?.isFamilyRevoked = true } else { sessions[id]?.ended = true }
      return count(.refusal("refresh_token_already_used", style))
    }
    return count(.session(tokens(of: id, issued)))
  }

  /// v1: the parent of the active token gets the active token again, without a time limit.
  private mutating func swapRow(_ row: Int, of session: ServerSession) -> String? {
    guard let revoked = session.rows[row].revoked else {
      sessions[session.id]?.rows[row].revoked = elapsed
      return issueRefreshToken(of: session.id, parent: row)
    }
    if session.active?.parent == row { return session.active?.token }
    guard elapsed - revoked <= ServerSession.reuseInterval else { return nil }
    return issueRefreshToken(of: session.id, parent: row)
  }

  /// v2: a token one rotation behind is always answered, an older one only within the reuse
  /// interval.
  private mutating func step(_ row: Int, of session: ServerSession) -> String? {
    let behind = session.rows.count - 1 - row
    if behind == 0 { return issueRefreshToken(of: session.id, parent: row) }
    if behind == 1 || elapsed - session.lastRotation <= ServerSession.reuseInterval { return session.active?.token }
    return nil
  }

  mutating func logout(_ bearer: String, _ scope: String) -> WireAnswer {
    guard let known = bearers[bearer], elapsed + skew < known.expires else {
      return count(.refusal("bad_jwt", 0, status: 403))
    }
    guard let session = sessions[known.session], !session.ended else {
      return count(.refusal("session_not_found", 0, status: 403))
    }
    for id in sessions.keys where sessions[id]?.user == known.user {
      if scope == "global" || (scope == "others") != (id == known.session) { sessions[id]?.ended = true }
    }
    return count(WireAnswer(status: 204, headers: [], body: ""))
  }

  mutating func userAnswer(_ bearer: String) -> WireAnswer {
    guard let known = bearers[bearer], elapsed + skew < known.expires else {
      return count(.refusal("bad_jwt", 0, status: 403))
    }
    guard sessions[known.session]?.ended == false else { return count(.refusal("session_not_found", 0, status: 403)) }
    return count(
      WireAnswer(
        status: 200, headers: [],
        body: Tokens.user(known.user, isAnonymous: isAnonymous(known.user), factors(of: known.user))))
  }

  mutating func count(_ answer: WireAnswer) -> WireAnswer {
    tally[answer.code ?? "\(answer.status)", default: 0] += 1
    return answer
  }

  /// Takes a request of a session off the wire, and decides on its fault and on the time at which
  /// the server processes it.
  mutating func received(_ work: SimulatedServer.Work, of session: Int?) -> SimulatedServer.Request {
    lastRequest += 1
    let number = session.flatMap { sessions[$0]?.requests } ?? 0
    if let session { sessions[session]?.requests += 1 }
    let chance = SeededRandom.hashed(seed, UInt64(session ?? 0), UInt64(bitPattern: elapsed), number)
    let fault = weather.fault(chance)
    let latency = fault == .hang || fault == .hangAndCommit ? SimulatedWire.limit : weather.latency(chance)
    let request = SimulatedServer.Request(
      id: lastRequest, chance: chance, work: work, session: session, fault: fault, latency: latency)
    if fault?.commits(chance) ?? true {
      // At a random time between arrival and answer. A client that disconnects changes nothing.
      let share = Int64(SeededRandom.hashed(chance, 7) % 101)
      let worked = min(latency.nanoseconds, 10_000_000_000) / 100 * share
      unfinished.append((elapsed + worked, request))
    }
    return request
  }
}
