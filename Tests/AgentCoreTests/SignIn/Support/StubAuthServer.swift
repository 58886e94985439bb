import SupabaseAuth
import Synchronization

/// A scripted auth server for sign-in tests. A test sets the answers beforehand and reads the
/// recorded requests.
final class StubAuthServer: AuthServer {
  struct State {
    var exchanges: [String] = []
    var verifiers: [String] = []
    var passwords: [String] = []
    var idTokens: [String] = []
    var refreshes: [String] = []
    var logouts: [String] = []
    /// Given in this order; the last answer is repeated.
    var exchangeAnswers: [Result<Session, AuthError>] = [.success(.fixture("1"))]
    var passwordAnswer: Result<SignUpOutcome, AuthError> = .success(.session(.fixture("1")))
    var idTokenAnswer: Result<Session, AuthError> = .success(.fixture("1"))
    var refreshAnswer = RefreshOutcome.refreshed(.fixture("1"))
    var settings: Result<ProjectSettings, AuthError> = .failure(AuthError(.network, "not reachable"))
    var holdsExchanges = false
    var holdsPasswords = false
    var held: [CheckedContinuation<Void, Never>] = []
  }

  let state = Mutex(State())

  func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

  func read<Value: Sendable>(_ path: (State) -> Value) -> Value { state.withLock { path($0) } }

  /// Waits for `release` if `isHeld` is true.
  private func hold(_ isHeld: @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard isHeld(state) else { return true }
        state.held.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Resumes the exchanges and passwords that are held, and holds no further ones.
  func release() {
    let held = state.withLock { state in
      (state.holdsExchanges, state.holdsPasswords) = (false, false)
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func exchange(code: String, verifier: String) async throws(AuthError) -> Session {
    state.withLock { state in
      state.exchanges.append(code)
      state.verifiers.append(verifier)
    }
    await hold(\.holdsExchanges)
    let answer = state.withLock { state in
      state.exchangeAnswers.count > 1 ? state.exchangeAnswers.removeFirst() : state.exchangeAnswers[0]
    }
    return try answer.get()
  }

  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome {
    state.withLock { $0.passwords.append("up \(email) \(password.exposed)") }
    await hold(\.holdsPasswords)
    return try state.withLock { $0.passwordAnswer }.get()
  }

  func signIn(email: String, password: Password) async throws(AuthError) -> Session {
    state.withLock { $0.passwords.append("in \(email) \(password.exposed)") }
    await hold(\.holdsPasswords)
    let answer = state.withLock { $0.passwordAnswer }
    guard case .session(let session) = try answer.get() else { throw AuthError(.unexpected, "no session") }
    return session
  }

  func signIn(
    provider: Provider, idToken: String, nonce: String?, accessToken: BearerToken?
  ) async throws(AuthError) -> Session {
    try state.withLock { state in
      state.idTokens.append("\(provider.rawValue) \(nonce ?? "-")")
      return state.idTokenAnswer
    }.get()
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

  func settings() async throws(AuthError) -> ProjectSettings { try state.withLock { $0.settings }.get() }

  private static let unused = AuthError(.network, "not part of this test")

  func user(_ token: BearerToken) async throws(AuthError) -> User { throw Self.unused }
  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User { throw Self.unused }
  func linkURL(
    provider: Provider, redirectTo: String, challenge: String, _ token: BearerToken
  ) async throws(AuthError) -> String { throw Self.unused }
  func unlink(identity: String, _ token: BearerToken) async throws(AuthError) { throw Self.unused }
  func health() async throws(AuthError) -> ServerHealth { throw Self.unused }
  func signingKeys() async throws(AuthError) -> [JWK] { throw Self.unused }
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse { throw Self.unused }
}
