import AgentProtocol
import SupabaseAuth
import Synchronization
import SystemSupport

@testable import SessionEngine

/// The invariants of every history (design: invariants). The raw value is the number in the
/// documents.
enum Invariant: Int, CaseIterable, Sendable {
  case onlyDurableTokens = 1
  case neverOlderThanParent, endsOnlyByListedCodes, oneRefreshAtATime, lateAnswersChangeNothing, noExpiredToken
  case loopLives, noStorm, callersAreAnswered, restartRestores, eventsWithoutGaps, signOutsAreToldTheServer
  case stopsEnd, locksHold, markedBeforeSent, oneVerificationAtATime, noRefreshDuringVerification
  case lossIsSaid, assuranceIsTrue, anonymousUsersStay, stopsStore
  case renamesKeepSessions, settingsAreKept, factorsAreKept, acceptedOriginsOnly, grantsEndWithSessions
  case refreshesStart, locksForget, locksFollowAnswers
}

/// A violated invariant.
struct Violation: Error, Sendable {
  let invariant: Invariant
  let words: String
}

/// The true state of a history, independent of what the agent believes, and the checks that are
/// possible as soon as an event happens.
final class Ledger: Sendable {
  struct Receipt: Sendable {
    let bootID: String
    let received: BootTime
    let wall: Int64
    let life: Int64
    let session: Int
    let user: String
    /// How long the request took. The agent counts the lifetime from the request.
    let latency: Duration
  }

  struct State: Sendable {
    var elapsed: Int64 = 0
    var durable: Set<String> = []
    var receipts: [String: Receipt] = [:]
    /// The receipt time that a process of another boot must assume for a token that it found.
    var estimates: [String: BootTime] = [:]
    /// The sessions that an account may hold; 0 for none. A single one, unless an operation is in
    /// progress.
    var possible: [String: Set<Int>] = [:]
    /// Sessions whose end was requested.
    var leaving: Set<Int> = []
    /// Sessions that the disk may hold although the sign-in or sign-out (0) failed, because the
    /// write had happened.
    var halfStored: [String: Set<Int>] = [:]
    var running: [String: Int] = [:]
    var overlapped: Set<String> = []
    var inFlight: [Int: Int] = [:]
    var sent: [Int64] = []
    var renewed: [Int: [Int64]] = [:]
    /// Sessions that ended with a listed code: as reported to any process, and as reported to this
    /// one.
    var fatal: Set<Int> = []
    var endedHere: Set<Int> = []
    /// Sessions whose sign-in succeeded. If the process died before it stored a session, no one has
    /// to end that session.
    var taken: Set<Int> = []
    /// Logouts in flight, by bearer token.
    var logouts: [String: Int] = [:]
    /// Sessions that must be ended at the server, with the time of their sign-out.
    var signedOut: [Int: Int64] = [:]
    var verification = VerificationRecord()
    var changes = AccountChanges()
    /// How often each of the ledger's own events occurred.
    var counts: [String: Int] = [:]
    var violations: [Violation] = []
    var trace = Trace()
  }

  private let state = Mutex(State())

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

  var violation: Violation? { state.withLock { $0.violations.first } }

  func trace(_ line: String) { state.withLock { $0.trace.add(line, at: $0.elapsed) } }

  func report(_ invariant: Invariant, _ words: String) { state.withLock { $0.report(invariant, words) } }

  func user(of bearer: String) -> String? { state.withLock { $0.receipts[bearer]?.user } }

  // MARK: - At the server

  /// Records a refresh that reached the wire. `age` is how many rotations its token is behind the
  /// active one; nil if the session is unknown or has ended.
  func refreshSent(_ session: Int, age: Int?, at elapsed: Int64) {
    state.withLock { state in
      state.inFlight[session, default: 0] += 1
      state.sent.append(elapsed)
      state.checkRate(at: elapsed)
      guard state.isWanted(session) else { return }
      // The last way after a lost answer to a verification; `checkRefresh` checks its time.
      let isLastWay = state.verification.unknown.contains(session)
      if let age, age > 1, !isLastWay {
        state.report(.neverOlderThanParent, "session \(session): a token \(age) rotations old")
      }
      if state.inFlight[session, default: 0] > 1 { state.report(.oneRefreshAtATime, "session \(session)") }
    }
  }

  /// Records a logout on the wire. Two logouts at once with the same bearer token are a violation.
  func logoutSent(_ bearer: String) {
    state.withLock { state in
      state.logouts[bearer, default: 0] += 1
      guard state.logouts[bearer, default: 0] > 1 else { return }
      state.report(.signOutsAreToldTheServer, "two logouts at once with \(bearer)")
    }
  }

  func logoutEnded(_ bearer: String) { state.withLock { $0.logouts[bearer] = nil } }

  func refreshEnded(_ session: Int) { state.withLock { $0.inFlight[session, default: 1] -= 1 } }

  func familyRevoked(_ session: Int) {
    state.withLock { state in
      guard state.isWanted(session) else { return }
      if state.verification.unknown.contains(session) {
        state.tally("sessions lost by a lost answer")
        state.verification.lost.insert(session)
        return
      }
      state.report(.neverOlderThanParent, "the server revoked session \(session) for reuse")
    }
  }

  /// Records an answer that the agent received.
  func answered(_ outcome: RefreshOutcome, session: Int?, asked: BootTime, at clock: ManualClock) {
    trace("< \(outcome.summary.word) \(outcome.summary.error.map { "\($0.code)" } ?? "") session \(session ?? 0)")
    guard let session else { return }
    switch outcome {
    case .refreshed(let renewed):
      received(
        renewed.accessToken.exposed, of: session, user: renewed.user.id, life: renewed.expiresIn, asked: asked, clock)
      state.withLock { state in
        state.checkRenewals(of: session, life: renewed.expiresIn, at: clock.elapsed)
        state.verification.unknown.remove(session)
      }
    case .fatal(_, let error):
      state.withLock { state in
        state.fatal.insert(session)
        state.endedHere.insert(session)
        // A full disk forgot the first answer; meanwhile the server has forgotten the session.
        if error.code != .refreshTokenAlreadyUsed { state.verification.lost.remove(session) }
      }
    default: break
    }
  }

  func received(
    _ bearer: String, of session: Int, user: String, life: Int, asked: BootTime? = nil, _ clock: ManualClock
  ) {
    let receipt = Receipt(
      bootID: clock.bootID, received: clock.now, wall: clock.wall.unixSeconds, life: Int64(life), session: session,
      user: user, latency: asked?.duration(to: clock.now) ?? .zero)
    state.withLock { $0.receipts[bearer] = receipt }
  }

  // MARK: - At the callers

  /// Records a token that was issued, and checks it.
  func tokenIssued(_ bearer: String, of account: String, expiresIn: Int, by way: String, _ clock: ManualClock) {
    state.withLock { state in
      guard let receipt = state.receipts[bearer] else {
        return state.report(.lateAnswersChangeNothing, "\(way): a token that nobody issued")
      }
      if !state.durable.contains(bearer) { state.report(.onlyDurableTokens, "\(way): \(bearer) of \(account)") }
      let left = state.life(of: bearer, receipt, clock)
      if left <= .zero || Duration.seconds(expiresIn) > left {
        state.report(.noExpiredToken, "\(way): \(bearer) of \(account) said \(expiresIn) s, has \(left)")
      }
      if !state.possible[account, default: []].contains(receipt.session) {
        state.report(.lateAnswersChangeNothing, "\(way): \(bearer) of session \(receipt.session) for \(account)")
      }
    }
  }
}

extension Ledger.State {
  /// Only the first violation of a history counts, because the others follow from it.
  mutating func report(_ invariant: Invariant, _ words: String) {
    violations.append(Violation(invariant: invariant, words: words))
    trace.add("! \(invariant): \(words)", at: elapsed)
  }

  mutating func tally(_ event: String) { counts[event, default: 0] += 1 }

  /// Whether an account should keep the session.
  func isWanted(_ session: Int) -> Bool {
    !leaving.contains(session) && possible.values.contains { $0.contains(session) }
  }

  /// The remaining lifetime of a token: by the boot clock since its receipt, and after a reboot by
  /// the wall clock as far as possible.
  func life(of bearer: String, _ receipt: Ledger.Receipt, _ clock: ManualClock) -> Duration {
    let isExact = receipt.bootID == clock.bootID
    guard let received = isExact ? receipt.received : estimates[bearer] else { return .zero }
    // The wall clock tells seconds, and two looks at it may round by one each.
    return clock.now.duration(to: received.advanced(by: .seconds(receipt.life + (isExact ? 0 : 2))))
  }

  /// The origin's rate limit: 24 at once and 0.4 per second, independent of callers and of clock
  /// jumps.
  fileprivate mutating func checkRate(at elapsed: Int64) {
    let hour = Int64(3_600_000_000_000)
    sent.removeAll { $0 < elapsed - hour }
    let lastMinute = sent.filter { $0 > elapsed - hour / 60 }.count
    if lastMinute > 50 || sent.count > 1470 {
      report(.noStorm, "\(lastMinute) refreshes in a minute, \(sent.count) in an hour")
    }
  }

  /// The rate limit of one session: one at each expiry of its token, 20 forced ones at once and 2
  /// per minute; at least 5 s apart.
  fileprivate mutating func checkRenewals(of session: Int, life: Int, at elapsed: Int64) {
    guard isWanted(session) else { return }
    let hour = Int64(3_600_000_000_000)
    var times = renewed[session, default: []].filter { $0 >= elapsed - hour }
    times.append(elapsed)
    renewed[session] = times
    let lastMinute = times.filter { $0 > elapsed - hour / 60 }.count
    if lastMinute > 15 || times.count > 150 + 6000 / life {
      report(.noStorm, "session \(session): \(lastMinute) renewals in a minute, \(times.count) in an hour")
    }
  }
}
