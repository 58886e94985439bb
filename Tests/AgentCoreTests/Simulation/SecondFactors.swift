import SupabaseAuth
import Synchronization
import SystemSupport

/// A second factor of a simulated user.
struct SimulatedFactor: Sendable {
  let id: String
  let isPhone: Bool
  var isVerified = true

  /// The verified factors of a user: the first user has an authenticator app, the second a phone, the third
  /// none.
  static func all(of user: String) -> [SimulatedFactor] {
    switch user {
    case "user-1": [SimulatedFactor(id: "totp-1", isPhone: false)]
    case "user-2": [SimulatedFactor(id: "phone-2", isPhone: true)]
    default: []
    }
  }

  var model: Factor { Factor(id: id, type: isPhone ? "phone" : "totp", isVerified: isVerified) }
  var json: String {
    #"{"id":"\#(id)","factor_type":"\#(isPhone ? "phone" : "totp")","status":"\#(isVerified ? "" : "un")verified"}"#
  }
}

/// A verification on the wire.
struct FactorProof: Sendable {
  let factor: String
  let challenge: String
  let code: String
  let bearer: String
}

/// A challenge as the server stores it.
struct ServerChallenge: Sendable {
  let factor: String
  let expires: Int64
  /// The address from which it was requested. A verification must come from the same one.
  let address: Int
  /// The code that was sent to a phone.
  let code: String?
  var isUsed = false
}

/// Second factors, as recorded from GoTrue 2.196 (supabase-auth-more: "Recorded: second factors").
extension SimulatedServer.State {
  /// Five minutes, in nanoseconds.
  private static let challengeLife: Int64 = 300_000_000_000
  /// The step of a TOTP code. The server accepts the codes of one step before and after the current
  /// one (RFC 6238, section 5.2).
  private static let step: Int64 = 30_000_000_000

  /// The code that a person's authenticator app shows. App and server agree on the time: their
  /// difference is not what the histories are about.
  func code(of user: String, stepsAgo: Int64 = 0) -> String {
    // The step before a history's first is negative.
    let step = UInt64(bitPattern: elapsed / Self.step - stepsAgo)
    let number = SeededRandom.hashed(seed, UInt64(user.utf8.last ?? 0), step)
    return String(1_000_000 + number % 1_000_000).dropFirst().description
  }

  mutating func challenge(_ factor: String, _ bearer: String) -> WireAnswer {
    let caller: (session: Int, user: String)
    switch self.caller(bearer) {
    case .success(let known): caller = known
    case .failure(let refusal): return count(refusal.answer)
    }
    guard let known = SimulatedFactor.all(of: caller.user).first(where: { $0.id == factor }) else {
      return count(.refusal("mfa_factor_not_found", 0, status: 404))
    }
    sessions[caller.session]?.challenges += 1
    let id = "ch-\(caller.session)-\(sessions[caller.session]?.challenges ?? 0)"
    let code = known.isPhone ? String(100_000 + SeededRandom.hashed(seed, UInt64(bitPattern: elapsed)) % 900_000) : nil
    challenges[id] = ServerChallenge(
      factor: factor, expires: elapsed + Self.challengeLife, address: address, code: code)
    if let code { messages[caller.user] = code }
    let expires = ManualClock.began + (elapsed + skew + Self.challengeLife) / 1_000_000_000
    let body = #"{"id":"\#(id)","type":"\#(known.isPhone ? "phone" : "totp")","expires_at":\#(expires)}"#
    return count(WireAnswer(status: 200, headers: [], body: body))
  }

  /// Answers `POST /factors/{id}/verify`. Like GoTrue it takes another attempt at a used challenge
  /// for one from another address, and the same code may be used again with another challenge.
  mutating func verify(_ proof: FactorProof) -> WireAnswer {
    let caller: (session: Int, user: String)
    switch self.caller(proof.bearer) {
    case .success(let known): caller = known
    case .failure(let refusal): return count(refusal.answer)
    }
    guard let factor = SimulatedFactor.all(of: caller.user).first(where: { $0.id == proof.factor }) else {
      return count(.refusal("mfa_factor_not_found", 0, status: 404))
    }
    guard let challenge = challenges[proof.challenge], challenge.factor == factor.id else {
      return count(.refusal("mfa_factor_not_found", 0, status: 422))
    }
    guard !challenge.isUsed, challenge.address == address else {
      return count(.refusal("mfa_ip_address_mismatch", 0, status: 422))
    }
    guard elapsed < challenge.expires else { return count(.refusal("mfa_challenge_expired", 0, status: 422)) }
    let right = challenge.code.map { [$0] } ?? (-1...1).map { code(of: caller.user, stepsAgo: $0) }
    guard right.contains(proof.code) else { return count(.refusal("mfa_verification_failed", 0, status: 422)) }
    if isRejecting { return count(rejected(caller.user)) }
    challenges[proof.challenge]?.isUsed = true
    let refresh = raise(caller.session)
    for id in sessions.keys where sessions[id]?.user == caller.user && sessions[id]?.assurance == 1 {
      sessions[id]?.ended = true
    }
    tally["verified", default: 0] += 1
    return count(.session(tokens(of: caller.session, refresh)))
  }

  /// The factors of a user, as the server lists them.
  func factors(of user: String) -> [SimulatedFactor] {
    SimulatedFactor.all(of: user)
      + (added[user]?.last ?? []).map {
        SimulatedFactor(id: $0, isPhone: false, isVerified: false)
      }
  }

  /// Answers `POST /factors` and `DELETE /factors/{id}`, of which the histories use only factors that are
  /// never verified.
  mutating func changeFactors(_ bearer: String, removing old: String?) -> WireAnswer {
    let caller: (session: Int, user: String)
    switch self.caller(bearer) {
    case .success(let known): caller = known
    case .failure(let refusal): return count(refusal.answer)
    }
    let known = added[caller.user]?.last ?? []
    guard !isAnonymous(caller.user), old.map(known.contains) ?? (known.count < 5) else {
      return count(.refusal("mfa_factor_not_found", 0, status: 404))
    }
    let id = old ?? "new-\(caller.user)-\(added[caller.user]?.count ?? 0)"
    added[caller.user, default: [[]]].append(old == nil ? known + [id] : known.filter { $0 != id })
    return count(WireAnswer(status: 200, headers: [], body: #"{"id":"\#(id)"}"#))
  }

  /// A rejecting hook ends every session of the user.
  private mutating func rejected(_ user: String) -> WireAnswer {
    for id in sessions.keys where sessions[id]?.user == user { sessions[id]?.ended = true }
    return .refusal("mfa_verification_rejected", 0, status: 403)
  }

  /// Raises a session to `aal2` and rotates its refresh token: v1 replaces the active row, v2 moves
  /// the counter by two. Only a refresh or a sign-in begins a reuse interval.
  private mutating func raise(_ id: Int) -> String {
    sessions[id]?.assurance = 2
    guard let session = sessions[id] else { return "" }
    let rotated = session.lastRotation
    defer { sessions[id]?.lastRotation = rotated }
    switch rotation {
    case .rows:
      let active = session.rows.lastIndex { $0.revoked == nil } ?? session.rows.count - 1
      sessions[id]?.rows[active].revoked = elapsed
      return issueRefreshToken(of: id, parent: active)
    case .counter:
      _ = issueRefreshToken(of: id, parent: session.rows.count - 1)
      return issueRefreshToken(of: id, parent: session.rows.count)
    }
  }

  private struct Refused: Error { let answer: WireAnswer }

  private func caller(_ bearer: String) -> Result<(session: Int, user: String), Refused> {
    guard let known = bearers[bearer], elapsed + skew < known.expires else {
      return .failure(Refused(answer: .refusal("bad_jwt", 0, status: 403)))
    }
    guard let session = sessions[known.session], !session.ended, !session.isFamilyRevoked else {
      return .failure(Refused(answer: .refusal("session_not_found", 0, status: 403)))
    }
    guard !banned.contains(known.user) else {
      return .failure(Refused(answer: .refusal("user_banned", 0, status: 403)))
    }
    return .success((known.session, known.user))
  }
}

extension SimulatedServer {
  /// The code that a person would enter now for the user's factor; nil if there is none, or if none
  /// was sent.
  func code(of user: String, at elapsed: Int64) -> String? {
    catchUp(elapsed)
    return state.withLock { state in
      guard let factor = SimulatedFactor.all(of: user).first else { return nil }
      return factor.isPhone ? state.messages[user] : state.code(of: user)
    }
  }

  func changeFactors(_ bearer: String, removing id: String?, at elapsed: Int64) -> WireAnswer? {
    catchUp(elapsed)
    return state.withLock { $0.changeFactors(bearer, removing: id) }
  }

  /// The factors of a user that were added, after each change.
  func addedFactors(of user: String) -> [[String]] { state.withLock { $0.added[user] ?? [[]] } }

  /// Makes requests come from another address.
  func changeAddress() { state.withLock { $0.address += 1 } }

  /// Makes a hook reject every verification, or none.
  func rejectVerifications(_ isRejecting: Bool) { state.withLock { $0.isRejecting = isRejecting } }

  func challenge(_ factor: String, _ bearer: String, at elapsed: Int64) -> WireAnswer? {
    catchUp(elapsed)
    return state.withLock { $0.challenge(factor, bearer) }
  }

  func begin(_ proof: FactorProof, at elapsed: Int64) -> Request {
    catchUp(elapsed)
    return state.withLock { state in
      state.received(.verify(proof), of: state.bearers[proof.bearer]?.session)
    }
  }

  /// The session that a bearer token was issued for.
  func sessionOfBearer(_ bearer: String) -> Int? { state.withLock { $0.bearers[bearer]?.session } }

  /// True if the server accepts a bearer token for another `time`.
  func accepts(_ bearer: String, for time: Duration) -> Bool {
    state.withLock { state in
      guard let known = state.bearers[bearer], let session = state.sessions[known.session] else { return false }
      return !session.ended && !session.isFamilyRevoked
        && state.elapsed + state.skew + time.nanoseconds < known.expires
    }
  }
}
