import FoundationEssentials
import SupabaseAuth
import SystemSupport

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
