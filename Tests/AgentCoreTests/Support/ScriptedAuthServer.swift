import SupabaseAuth
import Synchronization
import SystemSupport

/// A scripted auth server: each refresh waits until the test answers it.
final class ScriptedAuthServer: PartialAuthServer {
  /// One refresh that the agent has sent.
  struct Call: Sendable {
    let token: RefreshToken
    fileprivate let number: Int
    fileprivate let server: ScriptedAuthServer

    /// Answers the refresh. No effect if the server was switched off in the meantime.
    func answer(_ outcome: RefreshOutcome) { server.answer(number, outcome) }
  }

  private struct State {
    var refreshes: [String] = []
    var logouts: [String] = []
    var logoutError: AuthError?
    var automatic: (@Sendable (String) -> RefreshOutcome)?
    var waiting: [Int: CheckedContinuation<RefreshOutcome, Never>] = [:]
    var isOff = false
    var sent: [APIRequest] = []
    var apiStatuses: [Int] = []
    var user: Result<User, AuthError> = .failure(AuthError(.network, "not reachable"))
    var askedUsers: [String] = []
    var heldUsers: [CheckedContinuation<Void, Never>]?
  }

  /// The second factors.
  let factors = ScriptedFactors()

  private let state = Mutex(State())
  private let stream: AsyncStream<Call>
  private let continuation: AsyncStream<Call>.Continuation
  private let logoutStream: AsyncStream<String>
  private let logoutContinuation: AsyncStream<String>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
    (logoutStream, logoutContinuation) = AsyncStream.makeStream()
  }

  /// Waits for the next refresh that the agent sends.
  func nextRefresh() async throws -> Call {
    for await call in stream { return call }
    throw CancellationError()
  }

  /// Waits for the next logout and returns its access token.
  func nextLogout() async throws -> String {
    for await token in logoutStream { return token }
    throw CancellationError()
  }

  /// The refresh tokens sent so far.
  var refreshes: [String] { state.withLock { $0.refreshes } }
  var logouts: [String] { state.withLock { $0.logouts } }

  func failLogouts(with error: AuthError?) { state.withLock { $0.logoutError = error } }

  func answerUser(with result: Result<User, AuthError>) { state.withLock { $0.user = result } }

  /// Answers every later refresh at once, by its refresh token.
  func answerRefreshes(_ answer: @escaping @Sendable (String) -> RefreshOutcome) {
    state.withLock { $0.automatic = answer }
  }

  func refresh(_ token: RefreshToken) async -> RefreshOutcome {
    let (number, automatic) = state.withLock { state in
      state.refreshes.append(token.exposed)
      return (state.refreshes.count, state.isOff ? { @Sendable _ in Self.off } : state.automatic)
    }
    if let automatic { return automatic(token.exposed) }
    return await withCheckedContinuation { waiter in
      let isOff = state.withLock { state in
        if !state.isOff { state.waiting[number] = waiter }
        return state.isOff
      }
      if isOff { return waiter.resume(returning: Self.off) }
      continuation.yield(Call(token: token, number: number, server: self))
    }
  }

  private func answer(_ number: Int, _ outcome: RefreshOutcome) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: outcome)
  }

  var isOff: Bool { state.withLock { $0.isOff } }

  /// Switches the server off or on. While it is off, refreshes fail at once, including pending
  /// ones, so that a stopping agent does not wait.
  func switchOff(_ isOff: Bool) {
    let waiting = state.withLock { state in
      defer { if isOff { state.waiting = [:] } }
      state.isOff = isOff
      return isOff ? Array(state.waiting.values) : []
    }
    for waiter in waiting { waiter.resume(returning: Self.off) }
    factors.switchOff(isOff)
  }

  private static let off = RefreshOutcome.transient(AuthError(.network, "switched off"), retryAfter: nil)

  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError) {
    let error = state.withLock { state in
      state.logouts.append("\(token.exposed) \(scope.rawValue)")
      return state.logoutError
    }
    logoutContinuation.yield(token.exposed)
    if let error { throw error }
  }

  func user(_ token: BearerToken) async throws(AuthError) -> User {
    await withCheckedContinuation { waiter in
      let isHeld = state.withLock { state in
        state.askedUsers.append(token.exposed)
        state.heldUsers?.append(waiter)
        return state.heldUsers != nil
      }
      if !isHeld { waiter.resume() }
    }
    return try state.withLock { $0.user }.get()
  }

  /// The access tokens of the user requests so far.
  var askedUsers: [String] { state.withLock { $0.askedUsers } }
  /// The number of user requests that are held.
  var heldUsers: Int { state.withLock { $0.heldUsers?.count ?? 0 } }

  /// Makes later user requests wait for `answerHeldUser`.
  func holdUsers() { state.withLock { $0.heldUsers = [] } }

  /// Answers the user request that has waited longest.
  func answerHeldUser() { state.withLock { $0.heldUsers?.removeFirst() }?.resume() }

  /// Answers all held user requests, and later ones at once.
  func stopHoldingUsers() {
    let held = state.withLock { state in
      defer { state.heldUsers = nil }
      return state.heldUsers ?? []
    }
    for waiter in held { waiter.resume() }
  }

  func enroll(_ factor: FactorRequest, _ token: BearerToken) async throws(AuthError) -> EnrolledFactor {
    try factors.enroll(factor, token)
  }

  func challenge(_ factor: String, isPhone: Bool, _ token: BearerToken) async throws(AuthError) -> FactorChallenge {
    try await factors.challenge(factor, isPhone: isPhone, token)
  }

  func verify(
    _ factor: String, challenge: String, code: FactorCode, _ token: BearerToken
  ) async throws(AuthError) -> Session {
    try await factors.verify(factor, challenge: challenge, code: code, token)
  }

  func removeFactor(_ factor: String, _ token: BearerToken) async throws(AuthError) {
    try factors.remove(factor, token)
  }

  /// The API requests sent so far.
  var sent: [APIRequest] { state.withLock { $0.sent } }

  /// Sets the statuses of the next API responses. Later responses are 200.
  func answerAPI(with statuses: [Int]) { state.withLock { $0.apiStatuses = statuses } }

  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse {
    let status = state.withLock { state in
      state.sent.append(request)
      return state.apiStatuses.isEmpty ? 200 : state.apiStatuses.removeFirst()
    }
    return APIResponse(
      status: status, headers: [("Content-Type", "text/plain"), ("Set-Cookie", "a=b")], body: Array("ok".utf8))
  }
}

/// An auth server of which a test uses some methods. The others fail.
protocol PartialAuthServer: AuthServer {}

extension PartialAuthServer {
  private static var unused: AuthError { AuthError(.network, "not part of this test") }

  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome { throw Self.unused }
  func signIn(email: String, password: Password) async throws(AuthError) -> Session { throw Self.unused }
  func exchange(code: String, verifier: String) async throws(AuthError) -> Session { throw Self.unused }
  func signIn(provider: Provider, idToken: String, nonce: String?) async throws(AuthError) -> Session {
    throw Self.unused
  }
  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User { throw Self.unused }
  func linkURL(
    provider: Provider, scopes: String?, redirectTo: String, challenge: String, _ token: BearerToken
  ) async throws(AuthError) -> String { throw Self.unused }
  func sendCode(to address: CodeAddress, createUser: Bool, link: PKCERedirect?) async throws(AuthError) {
    throw Self.unused
  }
  func verify(_ proof: CodeProof) async throws(AuthError) -> Session? { throw Self.unused }
  func signInAnonymously() async throws(AuthError) -> Session { throw Self.unused }
  func ssoURL(domain: String, redirect: PKCERedirect) async throws(AuthError) -> String { throw Self.unused }
  func unlink(identity: String, _ token: BearerToken) async throws(AuthError) { throw Self.unused }
  func user(_ token: BearerToken) async throws(AuthError) -> User { throw Self.unused }
  func enroll(_ factor: FactorRequest, _ token: BearerToken) async throws(AuthError) -> EnrolledFactor {
    throw Self.unused
  }
  func removeFactor(_ factor: String, _ token: BearerToken) async throws(AuthError) { throw Self.unused }
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse { throw Self.unused }
  func settings() async throws(AuthError) -> ProjectSettings { throw Self.unused }
}
