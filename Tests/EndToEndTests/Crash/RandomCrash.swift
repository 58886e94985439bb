import AuthSandbox
import TestKit

/// The server's handling of the refresh during which the agent is killed.
enum CrashScenario: String, CaseIterable, Sendable {
  /// The server responds at once; the kill comes at any moment of the complete refresh.
  case plain
  /// The server commits and holds the response, which the agent never receives.
  case lostAnswer
  /// The server commits only after the agent's death.
  case lateCommit
  /// The server responds, and the kill comes while the agent handles the response.
  case releasedAnswer
  /// The server commits and damages the response, so that the agent tries again.
  case damagedAnswer
  /// No caller: tokens live for one second, and the agent refreshes them ahead. The kill comes
  /// after two consecutive refreshes: one unstored rotation could be recovered, two could not.
  case ahead

  /// Each scenario is chosen as often as it is listed: mostly those without an arranged fault, and
  /// those in which storing happens.
  static let weighted: [CrashScenario] =
    [
      .plain, .plain, .plain, .plain, .releasedAnswer, .releasedAnswer, .lostAnswer, .lateCommit, .damagedAnswer,
      .ahead,
    ]
}

/// The rounds of one run, with kills at random moments.
struct RandomCrash {
  let run: CrashRun
  private var random: SeededGenerator
  private var spans: [CrashScenario: KillSpan] = [:]

  init(run: CrashRun, random: SeededGenerator) {
    self.run = run
    self.random = random
  }

  private var sandbox: AuthSandbox { run.home.sandbox }

  /// Runs one round: one kill, and sometimes one or two more during the recovery.
  mutating func round() async throws {
    let start = try await run.beginRound()
    let scenario = CrashScenario.weighted.randomElement(using: &random) ?? .plain
    if scenario == .ahead { return try await killAhead(start) }
    let first = try await kill(start, start.pid, scenario)
    var promised = first.promised
    for _ in 0..<([0, 0, 0, 1, 2].randomElement(using: &random) ?? 0) {
      try await run.home.restartAgent()
      guard let pid = await run.home.agentPID else { throw ConditionTimeout(what: "an agent") }
      promised = try await kill(start, pid, .plain).promised ?? promised
      await run.noteKillAgain()
    }
    try await run.recover(start, promised: promised, wasCommitted: first.wasCommitted)
  }

  /// Causes a refresh and kills the agent. `promised` is the token if the agent answered before the
  /// kill.
  private mutating func kill(
    _ start: RoundStart, _ pid: Int32, _ scenario: CrashScenario
  ) async throws -> (promised: String?, wasCommitted: Bool) {
    let home = run.home
    let delay = spans[scenario, default: KillSpan(scenario)].moment(using: &random)
    await run.describe("\(scenario.rawValue), killed after \(delay)")
    arrange(scenario)
    let (grants, hanging) = (sandbox.refreshGrants, sandbox.hangingRequests)
    // Connects first: the kill may come before the request, but not before the connection.
    let line = try BlockingSocket(unix: home.socket)
    async let reply = home.askForToken(on: line, rejected: start.rejected)
    if scenario.hangs { try await eventually("the refresh hangs") { sandbox.hangingRequests > hanging } }
    if scenario == .releasedAnswer { sandbox.releaseHangs() }
    await DelayedKill.kill(pid, after: delay)
    let token = try await reply.token
    if !scenario.isHeld { spans[scenario, default: KillSpan(scenario)].adapt(answered: token != nil) }
    let wasCommitted = sandbox.refreshRotations > start.rotations
    sandbox.clearFaults()
    sandbox.releaseHangs()
    // The dead agent's request must not arrive after those of its successors; no client can prevent
    // that.
    if scenario == .lateCommit { try await eventually("the late commit") { sandbox.refreshGrants > grants } }
    return (token, wasCommitted)
  }

  private mutating func killAhead(_ start: RoundStart) async throws {
    let (sandbox, life) = (sandbox, sandbox.settings.tokenLifetime)
    let delay = spans[.ahead, default: KillSpan(.ahead)].moment(using: &random)
    await run.describe("ahead, killed after \(delay)")
    sandbox.configure { $0.tokenLifetime = 1 }
    _ = try await run.home.askForToken(rejected: start.rejected)
    try await eventually("the agent refreshes by itself") { sandbox.refreshRotations >= start.rotations + 2 }
    await DelayedKill.kill(start.pid, after: delay)
    sandbox.configure { $0.tokenLifetime = life }
    try await run.recover(start, promised: nil, wasCommitted: true, isDue: true)
  }

  private func arrange(_ scenario: CrashScenario) {
    switch scenario {
    case .plain, .ahead: break
    case .lostAnswer, .releasedAnswer: sandbox.inject(.hangAfterCommit, at: .refresh)
    case .lateCommit: sandbox.inject(.hangBeforeCommit, at: .refresh)
    case .damagedAnswer: sandbox.inject(.cutBody, at: .refresh)
    }
  }
}

/// The period over which the kills of one scenario are spread: about as long as the agent needs on
/// this machine under its current load. The period grows quickly until the agent has answered once
/// before the kill. After that it shrinks with each answer and grows slowly otherwise, so that about
/// one kill in five comes after the response.
struct KillSpan: Sendable {
  private var length: Duration
  private var wasAnswered = false

  init(_ length: Duration) { self.length = length }

  init(_ scenario: CrashScenario) {
    length =
      switch scenario {
      case .plain: .milliseconds(25)
      case .releasedAnswer: .milliseconds(8)
      // The agent does nothing meanwhile.
      case .lostAnswer, .lateCommit: .milliseconds(1)
      // The commit was observed up to 10 ms late.
      case .ahead: .milliseconds(20)
      // The pause before the second attempt is up to 250 ms.
      case .damagedAnswer: .milliseconds(150)
      }
  }

  func moment(using random: inout SeededGenerator) -> Duration { length * Double.random(in: 0..<1, using: &random) }

  mutating func adapt(answered: Bool) {
    wasAnswered = wasAnswered || answered
    // 0.8 × 1.05⁴ is nearly 1. A period of zero would never grow again.
    length = max(.microseconds(100), length * (answered ? 0.8 : wasAnswered ? 1.05 : 1.5))
  }
}

extension CrashScenario {
  /// True if the server withholds the response, so that the agent cannot answer.
  fileprivate var isHeld: Bool { self == .lostAnswer || self == .lateCommit }

  fileprivate var hangs: Bool { isHeld || self == .releasedAnswer }
}
