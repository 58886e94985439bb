import AuthSandbox
import Dispatch
import Foundation
import Glibc
import TestKit
import Testing

/// One session whose agent is killed repeatedly, and the checks after each kill.
///
/// SIGKILL ends the process, not the machine: its writes are visible to the next process even
/// without fsync(2). The recorded system calls show that the fsyncs are made, and in which order.
actor CrashRun {
  let home: TestHome
  private let algorithm: RefreshAlgorithm
  /// The last token that the agent issued; the vault contains the session of this token.
  private var token = ""
  private var round = 0
  private var detail = ""
  private(set) var tally = CrashTally()

  init(_ home: TestHome, _ algorithm: RefreshAlgorithm) {
    self.home = home
    self.algorithm = algorithm
  }

  /// The position in the run, for failure messages.
  var place: Comment {
    "RITUAL_TEST_SEED=\(CrashSettings.seed), \(algorithm), round \(round), after \(tally.kills) kills: \(detail)"
  }

  func describe(_ detail: String) { self.detail = detail }

  func note(call: String) { tally.note(call: call) }

  /// Signs in.
  func open() async throws {
    try await home.signIn()
    token = try await home.token()
  }

  /// Begins a round with an agent that has made no refresh yet, because a refresh less than 5 s old
  /// would serve every caller. The last issued token is still there, byte for byte (TK-7: durable
  /// before it is issued).
  func beginRound() async throws -> RoundStart {
    round += 1
    let checks = home.sandbox.requestCount(.user)
    try await home.restartAgent()
    let reply = try await home.askForToken()
    try #require(reply == .token(token), "a token was handed out that did not survive: \(place)")
    let pid = try #require(await home.agentPID)
    return RoundStart(
      pid: pid, rejected: try await home.sha256(token), rotations: home.sandbox.refreshRotations, checks: checks)
  }

  /// Starts the agent after a kill, and requests a token to replace the old one.
  ///
  /// - Parameters:
  ///   - promised: the token that the agent returned before it was killed.
  ///   - wasCommitted: true if the server had rotated the refresh token by then; nil if the agent was
  ///     not killed, so that the round does not count.
  ///   - isDue: true if the stored token is about to expire, so that the agent may refresh it as soon
  ///     as it starts.
  func recover(
    _ start: RoundStart, promised: String?, wasCommitted: Bool?, isDue: Bool = false
  ) async throws {
    let grantsBefore = home.sandbox.refreshGrants
    try await home.restartAgent()
    // The dead agent's last request may have been granted meanwhile.
    let grants = isDue ? grantsBefore : home.sandbox.refreshGrants
    var answer = try await home.askForToken(rejected: start.rejected)
    try requireNoOldToken()
    var next = try #require(answer.token, "the session is lost, \(answer): \(place)")
    if let promised { try #require(next == promised, "a token was handed out before it was stored: \(place)") }
    let wasStored = home.sandbox.refreshGrants == grants
    if wasStored || isDue {
      // The token came from the vault. Only using its refresh token shows whether that is valid.
      answer = try await home.askForToken(rejected: try await home.sha256(next))
      next = try #require(answer.token, "the session is lost, \(answer): \(place)")
    }
    try #require(next != token, "the rejected token was handed out again: \(place)")
    try #require(home.sandbox.refreshGrants > grants, "no refresh was made: \(place)")
    try await requireGood(next)
    token = next
    guard let wasCommitted else { return tally.noteUnfired() }
    tally.note(promised != nil ? .answered : wasStored ? .stored : wasCommitted ? .lost : .unsent)
  }

  /// Counts another kill during the recovery from the last one.
  func noteKillAgain() { tally.note(.again) }

  private func requireGood(_ token: String) async throws {
    let status = try await home.serverAnswer(to: token)
    try #require(status == "HTTP/1.1 200 OK", "the server refuses the token: \(place)")
    try requireNoOldToken()
  }

  /// Checked first, because an older refresh token would be the cause of a lost session.
  private func requireNoOldToken() throws {
    let oldest = home.sandbox.oldestAncestorPresented
    try #require(oldest <= 1, "a refresh token older than the direct parent was sent: \(place)")
  }
}

/// The state at the start of a round.
struct RoundStart: Sendable {
  let pid: Int32
  /// The SHA-256 of the token to be replaced.
  let rejected: String
  let rotations: Int
  /// Number of requests for the user before the agent started.
  let checks: Int
}

/// Kills a process at a chosen moment.
enum DelayedKill {
  private static let queue = DispatchQueue(label: "strike", attributes: .concurrent)

  /// Sends SIGKILL after `delay`. This is the only sleep in the tests. It awaits nothing: the test
  /// varies the moment of the kill.
  static func kill(_ pid: Int32, after delay: Duration) async {
    await withCheckedContinuation { continuation in
      queue.async {
        Thread.sleep(forTimeInterval: delay / .seconds(1))
        Glibc.kill(pid, SIGKILL)
        continuation.resume()
      }
    }
  }
}

/// The settings of the run, from the environment.
enum CrashSettings {
  /// Set by `script/test --long`: 1000 kills for each algorithm instead of 100.
  static let isLong = ProcessInfo.processInfo.environment["RITUAL_TEST_LONG"] != nil

  /// The numbers of kills at random moments and at system calls, for each algorithm.
  static let (randomKills, callKills) = isLong ? (400, 600) : (40, 60)

  /// The seed of every random choice. `RITUAL_TEST_SEED` repeats a run's choices, but not the
  /// machine's timing.
  static let seed =
    ProcessInfo.processInfo.environment["RITUAL_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
}

/// The progress of a refresh at the time of a kill.
enum CrashStage: String, CaseIterable, Sendable {
  case unsent = "before the server's commit"
  case lost = "committed there, not stored here"
  case stored = "stored, not answered"
  case answered = "answered"
  case again = "while it made up for another kill"
}

/// The statistics of a run.
struct CrashTally: Sendable, CustomStringConvertible {
  private(set) var stages: [CrashStage: Int] = [:]
  private(set) var calls: [String: Int] = [:]
  private(set) var unfired = 0

  var kills: Int { stages.values.reduce(0, +) }

  /// The milestones at which the agent has not been killed yet.
  var missed: [String] { SystemCall.milestones.filter { calls[$0] == nil } }

  mutating func note(_ stage: CrashStage) { stages[stage, default: 0] += 1 }

  mutating func note(call: String) { calls[call, default: 0] += 1 }

  mutating func noteUnfired() { unfired += 1 }

  var description: String {
    let stages = CrashStage.allCases.map { "\($0.rawValue): \(self.stages[$0, default: 0])" }
    let calls = self.calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\(kills) kills (\(stages.joined(separator: ", "))), \(unfired) rounds without one"
      + (calls.isEmpty ? "" : "; at \(calls.joined(separator: ", "))")
  }
}
