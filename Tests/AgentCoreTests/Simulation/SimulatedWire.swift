import FoundationEssentials
import SupabaseAuth
import SystemSupport

@testable import SessionEngine

/// The auth server as one process of the agent reaches it: timeouts, lost answers, and the real
/// classification of answers.
struct SimulatedWire: AuthServer {
  /// The timeout of the real client (`RequestLimits.request`).
  static let limit: Duration = .seconds(12)

  let server: SimulatedServer
  let clock: SimulatedClock
  let life: ProcessLifetime
  let ledger: Ledger

  func refresh(_ token: RefreshToken) async -> RefreshOutcome {
    // The real client sends nothing for a task that is cancelled already.
    guard !life.isOver, !Task.isCancelled else { return Self.cancelled }
    let (request, asked) = (server.begin(token.exposed, at: clock.elapsed), clock.now)
    if let session = request.session { ledger.checkRefresh(of: session, clock) }
    ledger.trace("> refresh \(token.exposed) \(request.fault.map { "\($0)" } ?? "") \(request.latency)")
    if request.latency > .zero {
      do {
        try await clock.sleep(for: request.latency)
      } catch {
        if !life.isOver { _ = server.end(request, at: clock.elapsed) }
        return Self.cancelled
      }
    }
    guard !life.isOver else { return Self.cancelled }
    let outcome = outcome(of: server.end(request, at: clock.elapsed), timedOut: request.latency >= Self.limit)
    ledger.answered(outcome, session: request.session, asked: asked, at: clock)
    if case .refreshed(let session) = outcome { noteFactors(session, of: request.session) }
    return outcome
  }

  private static let cancelled = RefreshOutcome.transient(AuthError(.cancelled, "cancelled"), retryAfter: nil)
  static let broken = AuthError(.network, "the connection broke")
  static let late = AuthError(.timeout, "no answer in time")

  private func outcome(of answer: WireAnswer?, timedOut: Bool) -> RefreshOutcome {
    guard let answer else { return .transient(timedOut ? Self.late : Self.broken, retryAfter: nil) }
    return classifyRefresh(status: answer.status, headers: answer.headers, body: Array(answer.body.utf8))
  }

  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError) {
    // The token of a session that stays may end the others twice.
    if scope != .others { ledger.logoutSent(token.exposed) }
    defer { if scope != .others { ledger.logoutEnded(token.exposed) } }
    let answer = try await exchange("logout \(token.exposed) \(scope.rawValue)") {
      server.logout(token.exposed, scope: scope.rawValue, at: $0)
    }
    // Like the real client: 401, 403 and 404 from GoTrue itself count as done, unless the access
    // token was refused.
    if answer.status == 204 { return }
    let error = error(answer)
    guard [401, 403, 404].contains(answer.status),
      ![.gatewayRefused, .gateRefused, .notFound, .badJWT].contains(error.code)
    else { throw error }
  }

  func user(_ token: BearerToken) async throws(AuthError) -> User {
    let now = clock.now
    ledger.with { $0.factorsConcerned(nil, at: now) }
    let answer = try await exchange("user \(token.exposed)") { server.user(token.exposed, at: $0) }
    guard answer.status == 200, let user = try? JSONDecoder().decode(User.self, from: Data(answer.body.utf8)) else {
      throw error(answer)
    }
    return user
  }

  func error(_ answer: WireAnswer) -> AuthError {
    let outcome = classifyRefresh(status: answer.status, headers: answer.headers, body: Array(answer.body.utf8))
    return outcome.summary.error ?? AuthError(.unexpected, "unexpected", status: answer.status)
  }

  /// Performs one exchange other than a refresh, with the same kinds of faults.
  func exchange(
    _ words: String, _ perform: (Int64) -> WireAnswer?
  ) async throws(AuthError) -> WireAnswer {
    guard !life.isOver, !Task.isCancelled else { throw AuthError(.cancelled, "cancelled") }
    let (fault, latency) = server.faultAndLatency(words, at: clock.elapsed)
    ledger.trace("> \(words) \(fault.map { "\($0)" } ?? "") \(latency)")
    // The server processes the request on arrival, even if the answer is lost.
    let answer = fault?.commits(0) ?? true ? perform(clock.elapsed) : nil
    if latency > .zero {
      do { try await clock.sleep(for: latency) } catch { throw AuthError(.cancelled, "cancelled") }
    }
    guard !life.isOver else { throw AuthError(.cancelled, "cancelled") }
    guard let fault else { return answer ?? .page(500) }
    guard let shown = fault.answer(instead: answer, 1), shown.status != 200 else { throw Self.broken }
    return shown
  }

  // MARK: - Not part of a history

  private static let unused = AuthError(.network, "not part of this test")
  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome { throw Self.unused }
  func signIn(email: String, password: Password) async throws(AuthError) -> Session { throw Self.unused }
  func exchange(code: String, verifier: String) async throws(AuthError) -> Session { throw Self.unused }
  func signIn(
    provider: Provider, idToken: String, nonce: String?, accessToken: BearerToken?
  ) async throws(AuthError) -> Session { throw Self.unused }
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
  func settings() async throws(AuthError) -> ProjectSettings { throw Self.unused }
  func health() async throws(AuthError) -> ServerHealth { throw Self.unused }
  func signingKeys() async throws(AuthError) -> [JWK] { throw Self.unused }
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse { throw Self.unused }
}

extension SimulatedServer {
  /// The fault and the latency of a request other than a refresh.
  func faultAndLatency(_ words: String, at elapsed: Int64) -> (fault: Fault?, latency: Duration) {
    catchUp(elapsed)
    let number = words.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
    return weather { weather, seed in
      let chance = SeededRandom.hashed(seed, number, UInt64(bitPattern: elapsed))
      let fault = weather.fault(chance)
      return (fault, fault == .hang || fault == .hangAndCommit ? SimulatedWire.limit : weather.latency(chance))
    }
  }
}
