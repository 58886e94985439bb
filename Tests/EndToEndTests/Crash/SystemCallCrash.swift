import AuthSandbox
import Foundation
import TestKit
import Testing

/// The rounds of one run in which the agent is killed at each system call of a recorded refresh.
struct SystemCallCrash {
  let run: CrashRun
  private var random: SeededGenerator
  private var all: [CrashPoint] = []
  private var waiting: [CrashPoint] = []

  init(run: CrashRun, random: SeededGenerator) {
    self.run = run
    self.random = random
  }

  /// Number of recorded calls.
  var points: Int { all.count }

  /// Records one refresh of an idle agent, so that it makes the same calls each time.
  mutating func record() async throws -> SystemCallTrace {
    let start = try await restingAgent()
    let threads = ProcessThread.all(of: start.pid)
    let tracer = try await Tracer(run.home, pid: start.pid, threads: threads.map(\.number))
    let reply = try await run.home.askForToken(rejected: start.rejected)
    let trace = try await tracer.end()
    let token: String = try #require(reply.token)
    try await run.recover(start, promised: token, wasCommitted: nil)
    choosePoints(trace, threads)
    return trace
  }

  private mutating func choosePoints(_ trace: SystemCallTrace, _ threads: [ProcessThread]) {
    var important: Set<CrashPoint> = []
    var others: Set<CrashPoint> = []
    for (number, calls) in Dictionary(grouping: trace.untilAnswer, by: \.thread) {
      guard let name = threads.first(where: { $0.number == number })?.name else { continue }
      let isImportant = calls.contains { SystemCall.milestones.contains($0.label) }
      var counts: [String: Int] = [:]
      for (index, call) in calls.enumerated() {
        counts[call.name, default: 0] += 1
        // The thread was idle in its first call: nothing had begun.
        if index == 0 { continue }
        let point = CrashPoint(thread: name, call: call.name, number: counts[call.name, default: 0])
        if isImportant { important.insert(point) } else { others.insert(point) }
      }
    }
    all = Self.sorted(important) + Self.sorted(others)
    // The threads that send, store and answer are killed at each of their calls, even in a short
    // run.
    waiting = Self.sorted(important).shuffled(using: &random) + Self.sorted(others).shuffled(using: &random)
  }

  /// The points in a fixed order, because the order of a set differs in each process.
  private static func sorted(_ points: Set<CrashPoint>) -> [CrashPoint] {
    points.sorted { $0.description < $1.description }
  }

  /// Runs one round: one kill, unless the agent does not reach the call.
  ///
  /// - Parameter missed: milestones to reach soon. Their number within the thread sometimes differs
  ///   from the recording, when the loop wakes up once more or once less.
  mutating func round(missed: [String] = []) async throws {
    let names = missed.map { $0.prefix { $0 != " " } }
    if !names.isEmpty { waiting = all.filter { names.contains($0.call[...]) }.shuffled(using: &random) }
    if waiting.isEmpty { waiting = all.shuffled(using: &random) }
    let point = waiting.removeFirst()
    let start = try await restingAgent()
    await run.describe(point.description)
    let place = await run.place
    let threads = ProcessThread.all(of: start.pid).filter { $0.name == point.thread }.map(\.number)
    try #require(!threads.isEmpty, place)
    let tracer = try await Tracer(run.home, pid: start.pid, threads: threads, killAt: (point.call, point.number))
    // A thread that woke up by itself may already have ended the agent.
    let reply = (try? await run.home.askForToken(rejected: start.rejected)) ?? .gone
    let trace = try await tracer.end(isAgentDead: reply == .gone)
    if case .refused(let words) = reply { Issue.record("\(words): \(place)") }
    if trace.isKilled, let call = trace.call(point.call, point.number) { await run.note(call: call.label) }
    try #require(trace.isKilled || reply.token != nil, "the agent died of something else: \(place)")
    let wasCommitted = run.home.sandbox.refreshRotations > start.rotations
    try await run.recover(start, promised: reply.token, wasCommitted: trace.isKilled ? wasCommitted : nil)
  }

  /// Starts an agent, waits until it has requested its user from the server and continued its audit
  /// log, as after every start, and then until it is idle.
  private func restingAgent() async throws -> RoundStart {
    let starts = try auditedStarts()
    let (start, sandbox) = (try await run.beginRound(), run.home.sandbox)
    try await eventually("the agent has asked for its user") { sandbox.requestCount(.user) > start.checks }
    try await eventually("the agent has opened its audit log") { try auditedStarts() > starts }
    var quiet = 0
    try await eventually("the agent is at rest") {
      quiet = ProcessThread.all(of: start.pid).allSatisfy(\.isSleeping) ? quiet + 1 : 0
      // Idle twice in a row, with the pause of `eventually` between: a loopback response takes a
      // tenth of that pause.
      return quiet == 2
    }
    return start
  }

  private func auditedStarts() throws -> Int {
    let log = run.home.folder.path + "/state/ritual-agent/audit/audit-000001.log"
    return try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: #""agentStarted""#).count
  }
}
