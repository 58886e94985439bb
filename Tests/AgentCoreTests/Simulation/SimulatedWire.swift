import FoundationEssentials
import SupabaseAuth
import SystemSupport

@testable import SessionEngine

/// The auth server as one process of the agent reaches it: timeouts, lost answers, and the real
/// classification of answers.
struct SimulatedWire: PartialAuthServer {
  /// The timeout of the real client (`RequestLimits.request`).
  static let limit: Duration = .seconds(12)

  let server: SimulatedServer
  let clock: ManualClock
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

  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse { throw Self.broken }
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

/// Second factors on the wire.
extension SimulatedWire {
  func enroll(_ factor: FactorRequest, _ token: BearerToken) async throws(AuthError) -> EnrolledFactor {
    let answer = try await exchange("enroll \(token.exposed)") {
      server.changeFactors(token.exposed, removing: nil, at: $0)
    }
    guard answer.status == 200,
      let body = try? JSONDecoder().decode([String: String].self, from: Data(answer.body.utf8))
    else { throw error(answer) }
    let (id, now) = (body["id"] ?? "", clock.now)
    ledger.with { $0.factorsConcerned(id, at: now) }
    return EnrolledFactor(id: id)
  }

  func removeFactor(_ factor: String, _ token: BearerToken) async throws(AuthError) {
    let answer = try await exchange("remove \(factor) \(token.exposed)") {
      server.changeFactors(token.exposed, removing: factor, at: $0)
    }
    guard answer.status == 200 else { throw error(answer) }
    let now = clock.now
    ledger.with { $0.factorsConcerned(factor, at: now) }
  }

  /// Records the list of factors that came with new tokens.
  func noteFactors(_ renewed: Session, of session: Int?) {
    guard let session else { return }
    ledger.with { $0.factorsTaken(session, renewed.user.factors.map(\.id)) }
  }

  func challenge(_ factor: String, isPhone: Bool, _ token: BearerToken) async throws(AuthError) -> FactorChallenge {
    let answer = try await exchange("challenge \(factor) \(token.exposed)") {
      server.challenge(factor, token.exposed, at: $0)
    }
    ledger.challenged(server.sessionOfBearer(token.exposed), answer)
    guard answer.status == 200, let body = try? JSONDecoder().decode(ChallengeBody.self, from: Data(answer.body.utf8))
    else { throw error(answer) }
    return FactorChallenge(id: body.id, expiresAt: body.expires)
  }

  private struct ChallengeBody: Decodable {
    let id: String
    let expires: Int

    private enum CodingKeys: String, CodingKey {
      case id
      case expires = "expires_at"
    }
  }

  func verify(
    _ factor: String, challenge: String, code: FactorCode, _ token: BearerToken
  ) async throws(AuthError) -> Session {
    guard !life.isOver, !Task.isCancelled else { throw AuthError(.cancelled, "cancelled") }
    let proof = FactorProof(factor: factor, challenge: challenge, code: code.exposed, bearer: token.exposed)
    let (request, asked) = (server.begin(proof, at: clock.elapsed), clock.now)
    ledger.trace("> verify \(challenge) \(token.exposed) \(request.fault.map { "\($0)" } ?? "") \(request.latency)")
    if let session = request.session { ledger.verifySent(session, bearer: token.exposed, server, clock) }
    if request.latency > .zero {
      do { try await clock.sleep(for: request.latency) } catch {
        if !life.isOver {
          _ = server.end(request, at: clock.elapsed)
          ledger.verifyEnded(request.session, nil, asked: asked, clock)
        }
        throw AuthError(.cancelled, "cancelled")
      }
    }
    guard !life.isOver else { throw AuthError(.cancelled, "cancelled") }
    let answer = server.end(request, at: clock.elapsed)
    ledger.verifyEnded(request.session, answer, asked: asked, clock)
    guard let answer else { throw request.latency >= Self.limit ? Self.late : Self.broken }
    let outcome = classifyRefresh(status: answer.status, headers: answer.headers, body: Array(answer.body.utf8))
    guard case .refreshed(let session) = outcome else { throw error(answer) }
    noteFactors(session, of: request.session)
    return session
  }
}
