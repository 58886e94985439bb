import SupabaseAuth
import Synchronization
import SystemSupport

/// The second factors of a scripted server: each verification waits until the test answers it;
/// everything else is answered at once.
final class ScriptedFactors: Sendable {
  /// One verification that the agent has sent.
  struct Verification: Sendable {
    /// The factor, the challenge, the code and the access token.
    let text: String
    fileprivate let number: Int
    fileprivate let server: ScriptedFactors

    func answer(_ result: Result<Session, AuthError>) { server.answer(number, result) }
    func lose() { answer(.failure(AuthError(.network, "the connection broke"))) }
    func refuse(_ status: Int, _ code: String, _ message: String? = nil) {
      let error = AuthError(
        .server(code), "refused", status: status, serverCode: code, serverMessage: message)
      answer(.failure(error))
    }
  }

  private struct State {
    var requests: [String] = []
    var waiting: [Int: CheckedContinuation<Result<Session, AuthError>, Never>] = [:]
    var sends = 0
    var challenges = 0
    var challengeError: AuthError?
    var heldChallenges: [CheckedContinuation<Void, Never>]?
    var otherError: AuthError?
    var isOff = false
  }

  private let state = Mutex(State())
  private let stream: AsyncStream<Verification>
  private let continuation: AsyncStream<Verification>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Waits for the next verification that the agent sends.
  func nextVerification() async throws -> Verification {
    for await verification in stream { return verification }
    throw CancellationError()
  }

  /// All requests so far.
  var requests: [String] { state.withLock { $0.requests } }
  /// The number of verifications so far.
  var sends: Int { state.withLock { $0.sends } }

  func failChallenges(with error: AuthError?) { state.withLock { $0.challengeError = error } }

  /// Makes later challenges wait for `answerChallenges`.
  func holdChallenges() { state.withLock { $0.heldChallenges = [] } }

  func answerChallenges() {
    let held = state.withLock { state in
      defer { state.heldChallenges = nil }
      return state.heldChallenges ?? []
    }
    for waiter in held { waiter.resume() }
  }

  /// Makes enrolments and removals fail.
  func failOthers(with error: AuthError?) { state.withLock { $0.otherError = error } }

  func challenge(_ factor: String, isPhone: Bool, _ token: BearerToken) async throws(AuthError) -> FactorChallenge {
    await withCheckedContinuation { waiter in
      let isHeld = state.withLock { state in
        state.requests.append("challenge \(factor) \(token.exposed)")
        state.heldChallenges?.append(waiter)
        return state.heldChallenges != nil
      }
      if !isHeld { waiter.resume() }
    }
    let (error, number) = state.withLock { state in
      state.challenges += 1
      return (state.isOff ? AuthError(.network, "switched off") : state.challengeError, state.challenges)
    }
    if let error { throw error }
    return FactorChallenge(id: "challenge-\(number)", expiresAt: 0)
  }

  func verify(
    _ factor: String, challenge: String, code: FactorCode, _ token: BearerToken
  ) async throws(AuthError) -> Session {
    let text = "\(factor) \(challenge) \(code.exposed) \(token.exposed)"
    let number = state.withLock { state in
      state.requests.append("verify \(text)")
      state.sends += 1
      return state.sends
    }
    return try await withCheckedContinuation { waiter in
      let isOff = state.withLock { state in
        if !state.isOff { state.waiting[number] = waiter }
        return state.isOff
      }
      if isOff { return waiter.resume(returning: .failure(AuthError(.network, "switched off"))) }
      continuation.yield(Verification(text: text, number: number, server: self))
    }.get()
  }

  private func answer(_ number: Int, _ result: Result<Session, AuthError>) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: result)
  }

  func enroll(_ factor: FactorRequest, _ token: BearerToken) throws(AuthError) -> EnrolledFactor {
    let error = state.withLock { state in
      state.requests.append("enroll \(token.exposed)")
      return state.otherError
    }
    if let error { throw error }
    return EnrolledFactor(id: "new", secret: "SECRET", uri: "otpauth://totp/a?secret=SECRET")
  }

  func remove(_ factor: String, _ token: BearerToken) throws(AuthError) {
    let error = state.withLock { state in
      state.requests.append("remove \(factor) \(token.exposed)")
      return state.otherError
    }
    if let error { throw error }
  }

  /// While it is off, every request fails, also those that wait.
  func switchOff(_ isOff: Bool) {
    let waiting = state.withLock { state in
      defer { if isOff { state.waiting = [:] } }
      state.isOff = isOff
      return isOff ? Array(state.waiting.values) : []
    }
    for waiter in waiting { waiter.resume(returning: .failure(AuthError(.network, "switched off"))) }
    if isOff { answerChallenges() }
  }
}
