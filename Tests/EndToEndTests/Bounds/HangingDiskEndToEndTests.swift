import Foundation
import Glibc
import TestKit
import Testing

/// A disk that hangs blocks what waits for it, and nothing else: the agent runs on one processor, so that Swift's tasks have one
/// thread, and one fsync(2) takes longer than the test.
@Suite(.enabled(if: geteuid() == 0, "only root may trace the agent")) struct HangingDiskEndToEndTests {
  private static let methods = [
    "agent.hello", "agent.status", "session.token", "session.status", "session.list", "session.explain", "vault.status",
    "telemetry.snapshot", "approval.list", "rpc.discover", "events.subscribe",
  ]

  private func trace(_ home: Household, _ pid: Int32) async throws -> RunningProgram {
    let program = try RunningProgram(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=60s",
        "-p", "\(pid)",
      ],
      environment: home.environment, folder: home.folder)
    try await eventually("strace is attached") {
      guard program.isRunning else { throw Overdue(what: "strace ended: \(program.stderr)") }
      return ProcessThread.all(of: pid).allSatisfy(\.isTraced)
    }
    return program
  }

  @Test func theSocketAnswers() async throws {
    try await withHousehold { home in
      try await home.signIn()
      await home.stopAgent()
      try await home.startAgent(through: ["/usr/bin/taskset", "-c", "0"])
      let token = try await home.token()
      let pid = try #require(await home.agentPID)
      let tracer = try await trace(home, pid)
      // A new session is stored before its token is given out.
      let waiting = try SocketTool(home.socket)
      let rejected = try await home.sha256(token)
      try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"rejected":"\#(rejected)"}}"#)
      let choosing = try SocketTool(home.socket)
      try choosing.send(#"{"jsonrpc":"2.0","id":1,"method":"session.use","params":{"account":"default"}}"#)
      try await eventually("a thread waits for the disk") {
        ProcessThread.all(of: pid).contains { (try? home.isDelayed(pid, $0.number)) == true }
      }
      for method in Self.methods {
        let params = method == "agent.hello" ? #"{"client":"test","protocol":1}"# : "{}"
        let answer = await (try BlockingSocket(unix: home.socket)).exchange(
          #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"# + "\n")
        #expect(answer.hasPrefix(#"{"id":7,"#), "\(method): \(answer)")
      }
      let hasAnswered = try waiting.hasReceived()
      #expect(!hasAnswered, "the disk did not hang")
      await tracer.stop()
    }
  }
}

extension Household {
  /// True while strace holds the thread in front of a system call: it is stopped by its tracer (t, proc_pid_stat(5)).
  fileprivate nonisolated func isDelayed(_ pid: Int32, _ thread: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
    return status.contains("\nState:\tt")
  }
}
