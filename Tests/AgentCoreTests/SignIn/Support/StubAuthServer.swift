import SupabaseAuth
import Synchronization

/// A scripted auth server for sign-in tests. A test sets the answers beforehand and reads the
/// recorded requests.
final class StubAuthServer: PartialAuthServer {
  enum Request {
    case exchange, password, verification, send, update, challenge, factor
  }

  struct State {
    var exchanges: [String] = []
    var verifiers: [String] = []
    var passwords: [String] = []
    var idTokens: [String] = []
    var sentCodes: [(address: CodeAddress, createUser: Bool, link: PKCERedirect?)] = []
    var proofs: [CodeProof] = []
    var anonymous = 0
    var ssoDomains: [(domain: String, redirect: PKCERedirect)] = []
    /// The factors to which a code was sent, or for whose code a challenge was made.
    var challenges: [String] = []
    var factorCodes: [String] = []
    var refreshes: [String] = []
    var logouts: [String] = []
    /// Given in this order; the last answer is repeated.
    var exchangeAnswers: [Result<Session, AuthError>] = [.success(.fixture("1"))]
    var passwordAnswer: Result<SignUpOutcome, AuthError> = .success(.session(.fixture("1")))
    var idTokenAnswer: Result<Session, AuthError> = .success(.fixture("1"))
    var sendAnswer: Result<Void, AuthError> = .success(())
    var verifyAnswer: Result<Session?, AuthError> = .success(.fixture("1"))
    var anonymousAnswer: Result<Session, AuthError> = .success(.anonymous("1"))
    var ssoAnswer: Result<String, AuthError> = .success("https://idp.example.org/sso?SAMLRequest=x")
    var updateAnswer: Result<User, AuthError> = .failure(AuthError(.network, "not part of this test"))
    var updates: [UserChanges] = []
    var challengeAnswer: Result<FactorChallenge, AuthError> = .success(FactorChallenge(id: "challenge", expiresAt: 0))
    /// Given in this order; the last answer is repeated.
    var factorAnswers: [Result<Session, AuthError>] = [.success(.verified("2"))]
    var refreshAnswer = RefreshOutcome.refreshed(.fixture("1"))
    var settings: Result<ProjectSettings, AuthError> = .failure(AuthError(.network, "not reachable"))
    /// The requests that wait for `release`.
    var holds: Set<Request> = []
    var held: [CheckedContinuation<Void, Never>] = []
  }

  let state = Mutex(State())

  func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

  func read<Value: Sendable>(_ path: (State) -> Value) -> Value { state.withLock { path($0) } }

  /// Waits for `release` if such requests are held.
  private func hold(_ request: Request) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard state.holds.contains(request) else { return true }
        state.held.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Resumes the requests that are held, and holds no further ones.
  func release() {
    let held = state.withLock { state in
      state.holds = []
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  private func next(_ answers: WritableKeyPath<State, [Result<Session, AuthError>]>) -> Result<Session, AuthError> {
    state.withLock { state in
      state[keyPath: answers].count > 1 ? state[keyPath: answers].removeFirst() : state[keyPath: answers][0]
    }
  }

  func exchange(code: String, verifier: String) async throws(AuthError) -> Session {
    state.withLock { state in
      state.exchanges.append(code)
      state.verifiers.append(verifier)
    }
    await hold(.exchange)
    return try next(\.exchangeAnswers).get()
  }

  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome {
    state.withLock { $0.passwords.append("up \(email) \(password.exposed)") }
    await hold(.password)
    return try state.withLock { $0.passwordAnswer }.get()
  }

  func signIn(email: String, password: Password) async throws(AuthError) -> Session {
    state.withLock { $0.passwords.append("in \(email) \(password.exposed)") }
    await hold(.password)
    let answer = state.withLock { $0.passwordAnswer }
    guard case .session(let session) = try answer.get() else { throw AuthError(.unexpected, "no session") }
    return session
  }

  func signIn(provider: Provider, idToken: String, nonce: String?) async throws(AuthError) -> Session {
    try state.withLock { state in
      state.idTokens.append("\(provider.rawValue) \(nonce ?? "-")")
      return state.idTokenAnswer
    }.get()
  }

  func sendCode(to address: CodeAddress, createUser: Bool, link: PKCERedirect?) async throws(AuthError) {
    state.withLock { $0.sentCodes.append((address, createUser, link)) }
    await hold(.send)
    try state.withLock { $0.sendAnswer }.get()
  }

  func verify(_ proof: CodeProof) async throws(AuthError) -> Session? {
    state.withLock { $0.proofs.append(proof) }
    await hold(.verification)
    return try state.withLock { $0.verifyAnswer }.get()
  }

  func signInAnonymously() async throws(AuthError) -> Session {
    try state.withLock { state in
      state.anonymous += 1
      return state.anonymousAnswer
    }.get()
  }

  func ssoURL(domain: String, redirect: PKCERedirect) async throws(AuthError) -> String {
    try state.withLock { state in
      state.ssoDomains.append((domain, redirect))
      return state.ssoAnswer
    }.get()
  }

  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User {
    state.withLock { $0.updates.append(changes) }
    await hold(.update)
    return try state.withLock { $0.updateAnswer }.get()
  }

  func refresh(_ token: RefreshToken) async -> RefreshOutcome {
    state.withLock { state in
      state.refreshes.append(token.exposed)
      return state.refreshAnswer
    }
  }

  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError) {
    state.withLock { $0.logouts.append(token.exposed) }
  }

  func challenge(_ factor: String, isPhone: Bool, _ token: BearerToken) async throws(AuthError) -> FactorChallenge {
    state.withLock { $0.challenges.append(factor) }
    await hold(.challenge)
    return try state.withLock { $0.challengeAnswer }.get()
  }

  func verify(
    _ factor: String, challenge: String, code: FactorCode, _ token: BearerToken
  ) async throws(AuthError) -> Session {
    state.withLock { $0.factorCodes.append("\(factor) \(code.exposed)") }
    await hold(.factor)
    return try next(\.factorAnswers).get()
  }

  func settings() async throws(AuthError) -> ProjectSettings { try state.withLock { $0.settings }.get() }
}

extension Factor {
  /// A factor that the agent cannot verify.
  static let passkey = Factor(id: "key", type: "webauthn", isVerified: true)
}

extension Session {
  /// A session at the lower level, of a user with these factors.
  static func unverified(_ token: String, factors: [Factor] = [.app]) -> Session {
    .fixture(token, assurance: "aal1", factors: factors)
  }
}
