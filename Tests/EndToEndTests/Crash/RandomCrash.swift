import AuthSandbox
import TestKit

/// What the server does with the refresh during which the agent is killed.
enum CrashScenario: String, CaseIterable, Sendable {
  /// It answers at once; the kill comes at any moment of the whole refresh.
  case plain
  /// It commits and holds the answer back; the agent never sees it.
  case lostAnswer
  /// It commits only after the agent's death.
  case lateCommit
  /// It answers, and the kill comes while the agent handles the answer.
  case releasedAnswer
  /// It commits and spoils the answer, so that the agent tries again.
  case spoiltAnswer
  /// Nobody asks: tokens live for a second, and the agent refreshes them ahead, the kill coming after one that was made
  /// on top of another. What the first left unstored could still be made up for, what two left could not.
  case ahead

  /// As often as listed: most go where nothing is arranged, and where storing happens.
  static let weighted: [CrashScenario] =
    [.plain, .plain, .plain, .plain, .releasedAnswer, .releasedAnswer, .lostAnswer, .lateCommit, .spoiltAnswer, .ahead]
}

/// Rounds of one run whose kills come at random moments.
struct RandomCrash {
  let run: CrashRun
  private var random: SeededGenerator
  private var spans: [CrashScenario: KillSpan] = [:]

  init(run: CrashRun, random: SeededGenerator) {
    self.run = run
    self.random = random
  }

  private var sandbox: AuthSandbox { run.home.sandbox }

  /// One round: one kill, and with luck one or two more while the agent makes up for it.
  mutating func round() async throws {
    let start = try await run.beginRound()
    let scenario = CrashScenario.weighted.randomElement(using: &random) ?? .plain
    if scenario == .ahead { return try await killAhead(start) }
    let first = try await kill(start, start.pid, scenario)
    var promised = first.promised
    for _ in 0..<([0, 0, 0, 1, 2].randomElement(using: &random) ?? 0) {
      try await run.home.restartAgent()
      guard let pid = await run.home.agentPID else { throw Overdue(what: "an agent") }
      promised = try await kill(start, pid, .plain).promised ?? promised
      await run.noteKillAgain()
    }
    try await run.recover(start, promised: promised, wasCommitted: first.wasCommitted)
  }

  /// Causes a refresh and kills the agent. `promised` is the token if it was quicker.
  private mutating func kill(
    _ start: RoundStart, _ pid: Int32, _ scenario: CrashScenario
  ) async throws -> (promised: String?, wasCommitted: Bool) {
    let home = run.home
    let delay = spans[scenario, default: KillSpan(scenario)].moment(using: &random)
    await run.describe("\(scenario.rawValue), killed after \(delay)")
    arrange(scenario)
    let (grants, hanging) = (sandbox.refreshGrants, sandbox.hangingRequests)
    // Connected first: the kill may be quicker than the request, but is not to be quicker than that.
    let line = try BlockingSocket(unix: home.socket)
    async let reply = home.askForToken(on: line, rejected: start.rejected)
    if scenario.hangs { try await eventually("the refresh hangs") { sandbox.hangingRequests > hanging } }
    if scenario == .releasedAnswer { sandbox.releaseHangs() }
    await Strike.kill(pid, after: delay)
    let token = try await reply.token
    if !scenario.isHeld { spans[scenario, default: KillSpan(scenario)].adapt(answered: token != nil) }
    let wasCommitted = sandbox.refreshRotations > start.rotations
    sandbox.clearFaults()
    sandbox.releaseHangs()
    // The dead agent's request must not arrive after its successors': no client can do anything about that.
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
    await Strike.kill(start.pid, after: delay)
    sandbox.configure { $0.tokenLifetime = life }
    try await run.recover(start, promised: nil, wasCommitted: true, isDue: true)
  }

  private func arrange(_ scenario: CrashScenario) {
    switch scenario {
    case .plain, .ahead: break
    case .lostAnswer, .releasedAnswer: sandbox.inject(.hangAfterCommit, at: .refresh)
    case .lateCommit: sandbox.inject(.hangBeforeCommit, at: .refresh)
    case .spoiltAnswer: sandbox.inject(.cutBody, at: .refresh)
    }
  }
}

/// The time over which the kills of one scenario are spread: about as long as the agent needs, on this machine, under its
/// present load. A staircase: it gets shorter when the agent was quicker than the kill, and longer when it was not, so
/// that about one kill in five comes after the answer.
struct KillSpan: Sendable {
  private var length: Duration

  init(_ scenario: CrashScenario) {
    length =
      switch scenario {
      case .plain: .milliseconds(25)
      case .releasedAnswer: .milliseconds(8)
      // Nothing goes on in the agent.
      case .lostAnswer, .lateCommit: .milliseconds(1)
      // The commit was seen up to 10 ms ago.
      case .ahead: .milliseconds(20)
      // The pause before the second try is up to 250 ms.
      case .spoiltAnswer: .milliseconds(150)
      }
  }

  func moment(using random: inout SeededGenerator) -> Duration { length * Double.random(in: 0..<1, using: &random) }

  mutating func adapt(answered: Bool) {
    // 0.8 × 1.05⁴ is nearly 1. A span of nothing would never grow again.
    length = max(.microseconds(100), length * (answered ? 0.8 : 1.05))
  }
}

extension CrashScenario {
  /// The agent cannot answer.
  fileprivate var isHeld: Bool { self == .lostAnswer || self == .lateCommit }

  fileprivate var hangs: Bool { isHeld || self == .releasedAnswer }
}
