import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// A hanging disk blocks only what waits for it. The agent runs on one processor, so that Swift's
/// tasks have one thread, and one fsync(2) takes longer than the test. A stop still ends.
@Suite(.home, .serialized, .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0, "only root may trace the agent"))
struct HangingDiskEndToEndTests {
  private static let methods = [
    "agent.hello", "agent.status", "session.token", "session.status", "session.list", "session.explain", "vault.status",
    "telemetry.snapshot", "approval.list", "rpc.discover", "events.subscribe",
  ]

  /// The operation that hangs, for longer than any test waits.
  enum Hang: String, CaseIterable, Sendable {
    /// Opening the configuration.
    case configuration
    /// Making a write durable.
    case write

    func rules(_ home: TestHome) -> [String] {
      switch self {
      case .configuration:
        [
          "-P", home.folder.path + "/config/ritual-agent/config.toml", "-e", "trace=open,openat", "-e",
          "inject=open,openat:delay_enter=600s",
        ]
      case .write: ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=600s"]
      }
    }
  }

  private func trace(_ home: TestHome, _ pid: Int32, _ hang: Hang = .write) async throws -> RunningProgram {
    let program = try RunningProgram(
      "/usr/bin/strace", ["-f", "-qq", "-o", "/dev/null"] + hang.rules(home) + ["-p", "\(pid)"],
      environment: home.environment, folder: home.folder)
    try await eventually("strace is attached") {
      guard program.isRunning else { throw ConditionTimeout(what: "strace ended: \(program.stderr)") }
      return ProcessThread.all(of: pid).allSatisfy(\.isTraced)
    }
    return program
  }

  @Test func theSocketAnswers() async throws {
    try await home.signIn()
    await home.stopAgent()
    try await home.startAgent(through: ["/usr/bin/taskset", "-c", "0"])
    let token = try await home.token()
    let pid = try #require(await home.agentPID)
    let tracer = try await trace(home, pid)
    // A new session is stored before its token is issued.
    let waiting = try SocketTool(home.socket)
    let rejected = try await home.sha256(token)
    try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"rejected":"\#(rejected)"}}"#)
    let choosing = try SocketTool(home.socket)
    try choosing.send(#"{"jsonrpc":"2.0","id":1,"method":"session.use","params":{"account":"default"}}"#)
    func isHanging() -> Bool {
      ProcessThread.all(of: pid).contains { (try? home.isDelayed(pid, $0.number)) == true }
    }
    try await eventually("a thread waits for the disk") { isHanging() }
    for method in Self.methods {
      let params = method == "agent.hello" ? #"{"client":"test","protocol":1}"# : "{}"
      let answer = await (try BlockingSocket(unix: home.socket)).exchange(
        #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"# + "\n")
      #expect(answer.hasPrefix(#"{"id":7,"#), "\(method): \(answer)")
    }
    #expect(isHanging(), "the disk did not hang")
    await tracer.stop()
  }

  /// Sends SIGTERM to an agent that waits for the disk. Only the agent's last resort can end it,
  /// and must.
  private func expectLastResort(_ agent: RunningProgram, _ tracer: RunningProgram, _ home: TestHome) async throws {
    try await withCleanup {
      tracer.send(SIGKILL)
      _ = try? await tracer.end()
    } _: {
      try await waitForTheDisk(agent.pid, home)
      agent.send(SIGTERM)
      // strace 6.1 keeps a dead thread until the end of its delay, and until then the kernel keeps
      // the dead agent.
      try await eventually("the agent ends: \(agent.stderr)") { try home.isDead(agent.pid) }
    }
    let output = try await agent.end()
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stderr.contains("did not stop in time"), "the disk did not hang: \(output.stderr)")
  }

  /// Returns once a thread has been held in the same system call for a second, because strace stops
  /// every thread for a moment.
  private func waitForTheDisk(_ pid: Int32, _ home: TestHome) async throws {
    var (last, looks) = ([Int32: String](), [Int32: Int]())
    try await eventually("a thread waits for the disk") {
      for thread in ProcessThread.all(of: pid).map(\.number) {
        let call = try? home.isDelayed(pid, thread) ? home.systemCall(pid, thread) : nil
        looks[thread] = call != nil && call == last[thread] ? looks[thread, default: 0] + 1 : 0
        last[thread] = call
      }
      return looks.values.contains { $0 >= 100 }
    }
  }

  @Test("OP-8: a stop ends while the disk hangs during the start", arguments: Hang.allCases)
  func stopsDuringTheStart(hang: Hang) async throws {
    await home.stopAgent()
    // The agent has to write a new vault.
    try FileManager.default.removeItem(atPath: home.environment["XDG_STATE_HOME", default: ""] + "/ritual-agent")
    let gate = home.folder.path + "/go"
    let agent = try RunningProgram(
      "/bin/sh",
      ["-c", "until [ -e '\(gate)' ]; do sleep 0.05; done; exec \"$0\"", Programs.path("ritual-agentd")],
      environment: home.environment, folder: home.folder)
    let tracer = try await trace(home, agent.pid, hang)
    try Data().write(to: URL(filePath: gate))
    try await eventually("the agent is started") {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent.pid)/exe").hasSuffix("ritual-agentd")
    }
    try await expectLastResort(agent, tracer, home)
    try await home.startAgent()
    try await home.signIn()
  }

  @Test("OP-8: a stop ends while the write of a new session hangs, and the session is not lost")
  func stopsDuringAWrite() async throws {
    try await home.signIn()
    await home.stopAgent()
    try await home.startAgent(through: ["/usr/bin/taskset", "-c", "0"])
    let rejected = try await home.sha256(try await home.token())
    let agent = try #require(await home.agent)
    let tracer = try await trace(home, agent.pid)
    let waiting = try SocketTool(home.socket)
    try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"rejected":"\#(rejected)"}}"#)
    try await eventually("the server has made a new session") { home.sandbox.refreshRotations == 1 }
    try await expectLastResort(agent, tracer, home)
    try await home.startAgent()
    #expect(try await home.serverTakes(try await home.token("--rejected", rejected)))
  }
}

extension TestHome {
  /// True while strace holds the thread at a system call: the thread is stopped by its tracer (t,
  /// proc_pid_stat(5)).
  fileprivate nonisolated func isDelayed(_ pid: Int32, _ thread: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
    return status.contains("\nState:\tt")
  }

  /// The number, the arguments and the registers of the thread's system call (proc_pid_syscall(5)).
  fileprivate nonisolated func systemCall(_ pid: Int32, _ thread: Int32) throws -> String {
    try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/syscall", encoding: .utf8)
  }

  /// True once the process has ended, even if it has not been reaped.
  fileprivate nonisolated func isDead(_ pid: Int32) throws -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return true }
    return status.contains("\nState:\tZ")
  }
}
