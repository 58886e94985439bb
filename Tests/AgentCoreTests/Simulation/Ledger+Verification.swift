import SupabaseAuth
import SystemSupport

@testable import SessionEngine

/// The verification of second factors, as the ledger knows it.
struct VerificationRecord: Sendable {
  /// The state of an account's record on the disk.
  struct Stored: Sendable {
    let session: Int
    let bearer: String
    let refresh: String
    let isMarked: Bool
  }

  /// Verifications in flight, by session.
  var inFlight: [Int: Int] = [:]
  /// Sessions with a verification whose outcome no process knows.
  var unknown: Set<Int> = []
  /// The access tokens of sessions whose last verification was answered.
  var newest: [Int: String] = [:]
  /// Sessions whose answer a process has, but which is not durable yet.
  var answered: Set<Int> = []
  /// Sessions that the server has ended, as the agent has been told: nothing is left to lose.
  var gone: Set<Int> = []
  /// Sessions that ended because the answer to a verification was lost, by the one way that the rules
  /// allow.
  var lost: Set<Int> = []
  /// When the last verification of a session was sent.
  var lastSent: [Int: Int64] = [:]
  /// Sessions whose marker a process found in the vault, which means an unknown outcome to it, also if
  /// nothing was sent.
  var foundMarked: Set<Int> = []
  /// The records on the disk, by account.
  var stored: [String: Stored] = [:]

  func stored(of session: Int) -> Stored? { stored.values.first { $0.session == session } }

  /// True if the outcome of a session's verification is not durable.
  func isOpen(_ session: Int) -> Bool {
    inFlight[session, default: 0] > 0 || unknown.contains(session) || answered.contains(session)
  }

  /// Forgets what a process had in flight. The server may still perform it.
  mutating func processEnded() {
    for (session, count) in inFlight where count > 0 { unknown.insert(session) }
    inFlight = [:]
    answersForgotten()
  }

  /// Answers that were not stored are lost, at the end of the process and by a lock.
  mutating func answersForgotten() {
    unknown.formUnion(answered)
    answered = []
  }
}

extension Ledger {
  /// The minimum lifetime of a token at which a verification begins, less the time of a challenge:
  /// 2 minutes, less its timeout.
  private static let minLife: Duration = .seconds(120) - SimulatedWire.limit

  /// Records a verification that reached the wire, and checks that it may be sent.
  func verifySent(_ session: Int, bearer: String, _ server: SimulatedServer, _ clock: ManualClock) {
    let age = with { $0.verification.stored(of: session) }.flatMap { server.age(of: $0.refresh) }
    with { state in
      defer { state.verification.inFlight[session, default: 0] += 1 }
      state.tally("verifications sent")
      state.verification.lastSent[session] = clock.elapsed
      state.verification.newest[session] = nil
      guard state.canLose(session) else { return }
      let isRepeated =
        state.verification.unknown.contains(session) || state.verification.foundMarked.contains(session)
      if state.verification.inFlight[session, default: 0] > 0 {
        state.report(.oneVerificationAtATime, "session \(session): two verifications")
      }
      if state.inFlight[session, default: 0] > 0 {
        state.report(.noRefreshDuringVerification, "session \(session): a refresh is in flight")
      }
      guard let stored = state.verification.stored(of: session), stored.isMarked else {
        return state.report(.markedBeforeSent, "session \(session): no durable marker")
      }
      if isRepeated { return }
      if let age, age != 0 {
        state.report(.noRefreshDuringVerification, "session \(session): a refresh of unknown outcome, \(age) behind")
      }
      guard let receipt = state.receipts[bearer] else { return }
      let left = state.life(of: bearer, receipt, clock)
      if receipt.life > 240, left < Self.minLife {
        state.report(.noRefreshDuringVerification, "session \(session): verified with \(left) left")
      }
    }
  }

  /// Records the end of a verification. `answer` is nil if none reached the agent.
  func verifyEnded(_ session: Int?, _ answer: WireAnswer?, asked: BootTime, _ clock: ManualClock) {
    trace("< verify \(answer.map { "\($0.status) \($0.code ?? "")" } ?? "nothing") session \(session ?? 0)")
    let outcome = answer.map {
      classifyRefresh(status: $0.status, headers: $0.headers, body: Array($0.body.utf8))
    }
    if let session, case .refreshed(let raised) = outcome {
      received(
        raised.accessToken.exposed, of: session, user: raised.user.id, life: raised.expiresIn, asked: asked, clock)
    }
    guard let session else { return }
    with { state in
      state.verification.inFlight[session, default: 1] -= 1
      if case .refreshed(let raised) = outcome {
        state.tally("verifications answered")
        state.verification.unknown.remove(session)
        state.verification.answered.insert(session)
        state.verification.newest[session] = raised.accessToken.exposed
      } else if ["mfa_verification_rejected", "session_not_found"].contains(answer?.code) {
        state.verification.unknown.remove(session)
        state.verification.gone.insert(session)
      } else if !(answer?.isDefiniteRefusal ?? false) {
        state.tally("verifications of unknown outcome")
        state.verification.unknown.insert(session)
      }
    }
  }

  /// Records the answer to a challenge.
  func challenged(_ session: Int?, _ answer: WireAnswer) {
    guard let session, answer.code == "session_not_found" else { return }
    with { state in
      state.verification.gone.insert(session)
      state.verification.unknown.remove(session)
    }
  }

  /// Checks that a refresh that reached the wire may be sent while a verification is in flight or its
  /// outcome is unknown: only when the access token is about to end.
  func checkRefresh(of session: Int, _ clock: ManualClock) {
    with { state in
      guard state.canLose(session) else { return }
      if state.verification.inFlight[session, default: 0] > 0 {
        state.report(.noRefreshDuringVerification, "session \(session): a verification is in flight")
      }
      let stored = state.verification.stored(of: session)
      guard state.verification.unknown.contains(session) || stored?.isMarked == true else { return }
      guard let bearer = stored?.bearer, let left = state.heldLife(of: bearer, clock) else {
        return state.tally("last refreshes")
      }
      state.report(.noRefreshDuringVerification, "session \(session): marked, the token has \(left) left")
    }
  }

  /// The access token of an account whose marker allows no refresh yet.
  func heldBearer(of name: String, _ clock: ManualClock) -> String? {
    with { state in
      guard let stored = state.verification.stored[name], stored.isMarked else { return nil }
      return state.heldLife(of: stored.bearer, clock).map { _ in stored.bearer }
    }
  }

  /// Records an account's record on the disk, and checks that a verification of unknown outcome is
  /// marked in it.
  func stored(_ name: String, _ stored: VerificationRecord.Stored?) {
    with { state in
      state.verification.stored[name] = stored
      guard let stored, !stored.isMarked else { return }
      state.verification.foundMarked.remove(stored.session)
      if state.verification.newest[stored.session] == stored.bearer {
        state.verification.answered.remove(stored.session)
        state.verification.unknown.remove(stored.session)
      }
      guard state.canLose(stored.session) else { return }
      if state.verification.isOpen(stored.session) {
        state.report(.markedBeforeSent, "session \(stored.session): the marker of \(name) is gone too early")
      }
    }
  }
}

extension Ledger.State {
  /// Whether an account should keep the session, and the server may still have it.
  fileprivate func canLose(_ session: Int) -> Bool { isWanted(session) && !verification.gone.contains(session) }

  /// The remaining lifetime of a token with which a marker allows no refresh; nil if the token is about
  /// to end.
  fileprivate func heldLife(of bearer: String, _ clock: ManualClock) -> Duration? {
    guard let receipt = receipts[bearer] else { return nil }
    let (left, life) = (life(of: bearer, receipt, clock), Duration.seconds(receipt.life))
    let window = min(life / 2, RefreshPolicy.defaultMinLifetime(of: life) + .seconds(30))
    // The agent counts from the request, the ledger from the answer.
    return left > window + max(receipt.latency, SimulatedWire.limit) ? left : nil
  }
}

extension WireAnswer {
  /// True if the server certainly did nothing: a refusal, but none that says that something else of
  /// the session is running, and none that also follows a success.
  var isDefiniteRefusal: Bool {
    (400...499).contains(status) && ![408, 409].contains(status) && code != "mfa_ip_address_mismatch"
  }
}
