import AuthSandbox
import Dispatch
import Foundation
import Glibc
import TestKit
import Testing

/// One session that is killed again and again, and what has to be true after each kill.
///
/// SIGKILL ends the process, not the machine: what it wrote is there for the next one even without fsync(2). That the
/// fsyncs are made, and in which order, is looked at in the recorded system calls.
actor CrashRun {
  let home: Household
  private let algorithm: RefreshAlgorithm
  /// The last token that the agent handed out: the vault has what belongs to it.
  private var token = ""
  private var round = 0
  private var detail = ""
  private(set) var tally = CrashTally()

  init(_ home: Household, _ algorithm: RefreshAlgorithm) {
    self.home = home
    self.algorithm = algorithm
  }

  /// Where the run is, for a failure's words.
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

  /// Begins a round with an agent that has made no refresh yet: one that ended less than 5 s ago would serve whoever
  /// asks. The token that was handed out last is there again, byte for byte (TK-7: durable before it is handed out).
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

  /// The agent has been killed, or is killed now; starts it and asks for a token in the place of the old one.
  ///
  /// - Parameters:
  ///   - promised: what the agent answered before its end.
  ///   - wasCommitted: whether the server had changed the refresh token by then; nil where nobody killed the agent and
  ///     the round does not count.
  ///   - isDue: the stored token is at its end, so that the agent may refresh it as soon as it starts.
  func recover(
    _ start: RoundStart, promised: String?, wasCommitted: Bool?, isDue: Bool = false
  ) async throws {
    let grantsBefore = home.sandbox.refreshGrants
    try await home.restartAgent()
    // The dead agent's last request may have been granted meanwhile.
    let grants = isDue ? grantsBefore : home.sandbox.refreshGrants
    var answer = try await home.askForToken(rejected: start.rejected)
    try requireYoung()
    var next = try #require(answer.token, "the session is lost, \(answer): \(place)")
    if let promised { try #require(next == promised, "a token was handed out before it was stored: \(place)") }
    let wasStored = home.sandbox.refreshGrants == grants
    if wasStored || isDue {
      // It came from the vault: whether its refresh token is good is seen by using it.
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

  /// The agent was killed once more while it made up for the last kill.
  func noteKillAgain() { tally.note(.again) }

  private func requireGood(_ token: String) async throws {
    let status = try await home.serverAnswer(to: token)
    try #require(status == "HTTP/1.1 200 OK", "the server refuses the token: \(place)")
    try requireYoung()
  }

  /// Before anything else is said about an answer: it is the cause where a session is lost.
  private func requireYoung() throws {
    let oldest = home.sandbox.oldestAncestorPresented
    try #require(oldest <= 1, "a refresh token older than the direct parent was sent: \(place)")
  }
}

/// What a round starts from.
struct RoundStart: Sendable {
  let pid: Int32
  /// The SHA-256 of the token that is to be replaced.
  let rejected: String
  let rotations: Int
  /// Requests for the user before the agent started.
  let checks: Int
}

/// Kills at a chosen moment.
enum Strike {
  private static let queue = DispatchQueue(label: "strike", attributes: .concurrent)

  /// Sends SIGKILL after `delay`. This is the one sleep in the tests: nothing is awaited by it, the moment of the kill is
  /// what the test varies.
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
