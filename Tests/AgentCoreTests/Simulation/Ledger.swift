import AgentProtocol
import SupabaseAuth
import Synchronization
import SystemSupport

@testable import SessionEngine

/// What has to hold whatever happens (design: invariants). The raw value is the number in the documents.
enum Invariant: Int, CaseIterable, Sendable {
  case onlyDurableTokens = 1
  case neverOlderThanParent, endsOnlyByListedCodes, oneRefreshAtATime, lateAnswersChangeNothing, noExpiredToken
  case loopLives, noStorm, callersAreAnswered, restartRestores, eventsWithoutGaps, signOutsAreToldTheServer
  case stopsEnd, locksHold
}

/// An invariant that did not hold.
struct Violation: Error, Sendable {
  let invariant: Invariant
  let words: String
}

/// What has really happened in a history, kept apart from what the agent believes, and the checks that can be made the
/// moment something happens.
final class Ledger: Sendable {
  struct Receipt: Sendable {
    let bootID: String
    let received: BootTime
    let wall: Int64
    let life: Int64
    let session: Int
    let user: String
  }

  struct State: Sendable {
    var elapsed: Int64 = 0
    var durable: Set<String> = []
    var receipts: [String: Receipt] = [:]
    /// What a process that started on another boot has to believe of a token that it found.
    var estimates: [String: BootTime] = [:]
    /// The sessions that an account may hold; 0 for none. One, unless something is under way.
    var possible: [String: Set<Int>] = [:]
    /// Sessions of which the end was asked for.
    var leaving: Set<Int> = []
    /// What the disk may hold though the sign-in or sign-out (0) was refused: the write had happened.
    var halfStored: [String: Set<Int>] = [:]
    var running: [String: Int] = [:]
    var overlapped: Set<String> = []
    var inFlight: [Int: Int] = [:]
    var sent: [Int64] = []
    var renewed: [Int: [Int64]] = [:]
    /// Sessions of which the agent was told by a listed code that they are over; and those of which this process was.
    var fatal: Set<Int> = []
    var endedHere: Set<Int> = []
    /// Sessions whose sign-in was seen to end well. One of which the process died before it was stored is nobody's to end.
    var taken: Set<Int> = []
    /// Logouts on the wire, by their bearer token.
    var logouts: [String: Int] = [:]
    /// Sessions that have to be ended at the server, and since when.
    var signedOut: [Int: Int64] = [:]
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

  /// A refresh reached the wire; `age` is how far its token is behind the active one of a living session.
  func refreshSent(_ session: Int, age: Int?, at elapsed: Int64) {
    state.withLock { state in
      state.inFlight[session, default: 0] += 1
      state.sent.append(elapsed)
      state.checkRate(at: elapsed)
      guard state.isWanted(session) else { return }
      if let age, age > 1 { state.report(.neverOlderThanParent, "session \(session): a token \(age) rotations old") }
      if state.inFlight[session, default: 0] > 1 { state.report(.oneRefreshAtATime, "session \(session)") }
    }
  }

  /// A logout is on the wire: `bearer` of a session that is not to be ended twice at a time.
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
      state.report(.neverOlderThanParent, "the server revoked session \(session) for reuse")
    }
  }

  /// The agent has the answer.
  func answered(_ outcome: RefreshOutcome, session: Int?, at clock: SimulatedClock) {
    trace("< \(outcome.summary.word) \(outcome.summary.error.map { "\($0.code)" } ?? "") session \(session ?? 0)")
    guard let session else { return }
    switch outcome {
    case .refreshed(let renewed):
      received(renewed.accessToken.exposed, of: session, user: renewed.user.id, life: renewed.expiresIn, clock)
      state.withLock { $0.checkRenewals(of: session, life: renewed.expiresIn, at: clock.elapsed) }
    case .fatal:
      state.withLock { state in
        state.fatal.insert(session)
        state.endedHere.insert(session)
      }
    default: break
    }
  }

  func received(_ bearer: String, of session: Int, user: String, life: Int, _ clock: SimulatedClock) {
    let receipt = Receipt(
      bootID: clock.bootID, received: clock.now, wall: clock.wall.unixSeconds, life: Int64(life), session: session,
      user: user)
    state.withLock { $0.receipts[bearer] = receipt }
  }

  // MARK: - At the callers

  /// Somebody has a token in hand.
  func handedOut(_ bearer: String, of account: String, expiresIn: Int, by way: String, _ clock: SimulatedClock) {
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
  /// A history is judged by the first one; the others follow from it.
  mutating func report(_ invariant: Invariant, _ words: String) {
    violations.append(Violation(invariant: invariant, words: words))
    trace.add("! \(invariant): \(words)", at: elapsed)
  }

  /// Whether some account is to keep the session.
  func isWanted(_ session: Int) -> Bool {
    !leaving.contains(session) && possible.values.contains { $0.contains(session) }
  }

  /// What is left of a token by the boot clock since its receipt; over a reboot by the wall clock, as far as that goes.
  fileprivate func life(of bearer: String, _ receipt: Ledger.Receipt, _ clock: SimulatedClock) -> Duration {
    let received = receipt.bootID == clock.bootID ? receipt.received : estimates[bearer]
    guard let received else { return .zero }
    return clock.now.duration(to: received.advanced(by: .seconds(receipt.life)))
  }

  /// The origin's budget: 24 at once and 0.4 a second, whatever callers ask for and however clocks jump.
  fileprivate mutating func checkRate(at elapsed: Int64) {
    let hour = Int64(3_600_000_000_000)
    sent.removeAll { $0 < elapsed - hour }
    let lastMinute = sent.filter { $0 > elapsed - hour / 60 }.count
    if lastMinute > 50 || sent.count > 1470 {
      report(.noStorm, "\(lastMinute) refreshes in a minute, \(sent.count) in an hour")
    }
  }

  /// One session: its token's natural end, 20 that are forced at once and 2 a minute; none within 5 s of another.
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
