import Synchronization
import SystemSupport

/// The auth server of a simulated history: a small independent model of GoTrue (reference:
/// supabase/auth, internal/tokens and internal/models). It has its own clock, and outlives the
/// agent's processes.
///
/// Thread-safe. All calls of one history come from one thread.
final class SimulatedServer: Sendable {
  /// What a request rotates.
  enum Work: Sendable {
    case refresh(String)
    case verify(FactorProof)
  }

  /// A refresh or a verification in flight.
  struct Request: Sendable {
    let id: UInt64
    let chance: UInt64
    let work: Work
    let session: Int?
    let fault: Fault?
    /// The delay until the client gets the answer. `SimulatedWire.limit` or more is a timeout.
    let latency: Duration
  }

  struct State: Sendable {
    let seed: UInt64
    let rotation: Rotation
    let life: Int
    var sessions: [Int: ServerSession] = [:]
    var owners: [String: Int] = [:]
    var bearers: [String: Bearer] = [:]
    var banned: Set<String> = []
    var weather = FaultProfile.fine
    /// The offset of the server's clock from the true time, in nanoseconds.
    var skew: Int64 = 0
    var elapsed: Int64 = 0
    var unfinished: [(at: Int64, request: Request)] = []
    var answers: [UInt64: WireAnswer] = [:]
    var lastRequest: UInt64 = 0
    var tally: [String: Int] = [:]
    var challenges: [String: ServerChallenge] = [:]
    /// The last code that was sent to each user's phone.
    var messages: [String: String] = [:]
    /// The factors that each user added, after each change.
    var added: [String: [[String]]] = [:]
    /// The address from which requests come.
    var address = 0
    /// True if a hook rejects every verification.
    var isRejecting = false
    /// The users who began as anonymous ones, and have a sign-in method since.
    var upgraded: Set<String> = []

    func isAnonymous(_ user: String) -> Bool {
      user.hasPrefix(SimulatedServer.guest) && !upgraded.contains(user)
    }
  }

  struct Bearer: Sendable {
    let session: Int
    let user: String
    let expires: Int64
  }

  let state: Mutex<State>
  private let ledger: Ledger

  init(seed: UInt64, rotation: Rotation, life: Int, ledger: Ledger) {
    state = Mutex(State(seed: seed, rotation: rotation, life: life))
    self.ledger = ledger
  }

  var life: Int { state.withLock { $0.life } }
  /// How often each answer and fault occurred.
  var tally: [String: Int] { state.withLock { $0.tally } }

  func set(_ weather: FaultProfile) { state.withLock { $0.weather = weather } }
  func ban(_ user: String, _ isBanned: Bool) {
    state.withLock { if isBanned { $0.banned.insert(user) } else { $0.banned.remove(user) } }
  }
  func unbanAll() { state.withLock { $0.banned = [] } }
  func weather<Result>(_ body: (FaultProfile, UInt64) -> Result) -> Result {
    state.withLock { body($0.weather, $0.seed) }
  }
  /// Moves the server's clock.
  func moveClock(by seconds: Int64) { state.withLock { $0.skew += seconds * 1_000_000_000 } }

  /// Lets time pass until `elapsed`, and processes the refreshes that are due by then.
  func catchUp(_ elapsed: Int64) {
    let lost = state.withLock { state in
      let due = state.unfinished.filter { $0.at <= elapsed }.sorted { ($0.at, $0.request.id) < ($1.at, $1.request.id) }
      state.unfinished.removeAll { $0.at <= elapsed }
      var lost: [Int] = []
      for (at, request) in due {
        state.elapsed = at
        let answer = state.perform(request.work)
        state.answers[request.id] = answer
        if answer.isReuse, let session = request.session { lost.append(session) }
      }
      state.elapsed = max(state.elapsed, elapsed)
      return lost
    }
    for session in lost { ledger.familyRevoked(session) }
  }

  // MARK: - Sign-in and external changes

  /// Creates a session of a user.
  func signIn(_ user: String, at elapsed: Int64) -> (session: Int, tokens: Tokens) {
    catchUp(elapsed)
    return state.withLock { state in
      let id = state.sessions.count + 1
      state.sessions[id] = ServerSession(id: id, user: user)
      let refresh = state.issueRefreshToken(of: id, parent: nil)
      return (id, state.tokens(of: id, refresh))
    }
  }

  /// The start of the IDs of users who began as anonymous ones.
  static let guest = "guest-"

  /// Creates an anonymous user with a session.
  func signInAnonymously(at elapsed: Int64) -> (session: Int, tokens: Tokens) {
    signIn("\(Self.guest)\(state.withLock { $0.sessions.count + 1 })", at: elapsed)
  }

  func isAnonymous(_ user: String) -> Bool { state.withLock { $0.isAnonymous(user) } }

  /// Adds a sign-in method to a user, who gets a second session.
  func link(_ user: String, at elapsed: Int64) -> (session: Int, tokens: Tokens) {
    state.withLock { _ = $0.upgraded.insert(user) }
    return signIn(user, at: elapsed)
  }

  /// Ends a session of the user on another machine, or all of them if `session` is nil.
  func endElsewhere(user: String, session: Int?) {
    state.withLock { state in
      for id in state.sessions.keys where state.sessions[id]?.user == user && (session == nil || session == id) {
        state.sessions[id]?.ended = true
      }
    }
  }

  func isAlive(_ session: Int) -> Bool {
    state.withLock { state in state.sessions[session].map { !$0.ended && !$0.isFamilyRevoked } ?? false }
  }
  func user(of session: Int) -> String? { state.withLock { $0.sessions[session]?.user } }
  func session(of refreshToken: String) -> Int? { state.withLock { $0.owners[refreshToken] } }
  /// How many rotations a refresh token is behind the active one; nil if its session is unknown or
  /// has ended.
  func age(of refreshToken: String) -> Int? {
    state.withLock { state in
      guard let id = state.owners[refreshToken], let session = state.sessions[id], !session.ended else { return nil }
      return session.age(of: refreshToken)
    }
  }

  // MARK: - Requests

  func begin(_ token: String, at elapsed: Int64) -> Request {
    catchUp(elapsed)
    let (request, age) = state.withLock { state in
      let request = state.received(.refresh(token), of: state.owners[token])
      return (request, request.session.flatMap { state.sessions[$0] }.flatMap { $0.ended ? nil : $0.age(of: token) })
    }
    if let session = request.session { ledger.refreshSent(session, age: age, at: elapsed) }
    return request
  }

  /// Returns the answer that reaches the client, or nil if there is none.
  func end(_ request: Request, at elapsed: Int64) -> WireAnswer? {
    catchUp(elapsed)
    let isRefresh = if case .refresh = request.work { true } else { false }
    if let session = request.session, isRefresh { ledger.refreshEnded(session) }
    return state.withLock { state in
      let fault = request.fault.map { "fault \($0)" }
      state.tally[isRefresh ? fault ?? "plain refresh" : "verify \(fault ?? "plain")", default: 0] += 1
      let answer = state.answers.removeValue(forKey: request.id)
      return request.fault.map { $0.answer(instead: answer, request.chance) } ?? answer
    }
  }

  func logout(_ bearer: String, scope: String, at elapsed: Int64) -> WireAnswer? {
    catchUp(elapsed)
    return state.withLock { $0.logout(bearer, scope) }
  }

  func user(_ bearer: String, at elapsed: Int64) -> WireAnswer? {
    catchUp(elapsed)
    return state.withLock { $0.userAnswer(bearer) }
  }
}
