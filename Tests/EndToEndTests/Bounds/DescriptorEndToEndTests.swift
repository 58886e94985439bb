import Foundation
import Glibc
import TestKit
import Testing

/// Descriptors run out (EMFILE, accept(2)): existing connections are served, and the agent recovers
/// once descriptors are free.
@Suite(.home) struct DescriptorEndToEndTests {
  /// Under a low limit, connections leave enough descriptors for a refresh and its commit.
  @Test func connectionsLeaveDescriptorsForTheRest() async throws {
    await home.stopAgent()
    try await home.startAgent(through: ["/usr/bin/prlimit", "--nofile=64"])
    try await home.signIn()
    let token = try await home.token()
    // 16 connections in total, and 12 of one process (SocketLimits).
    let clients = try (0..<60).map { _ in try BlockingSocket(unix: home.socket) }
    var served: [BlockingSocket] = []
    var refused = 0
    for client in clients {
      let answer = await client.exchange(#"{"jsonrpc":"2.0","id":1,"method":"session.token"}"# + "\n")
      if answer.contains(token) {
        served.append(client)
      } else if answer.contains("-32031") || answer.isEmpty {
        refused += 1
      }
    }
    #expect(served.count == 12)
    #expect(refused == 48)
    let line = try #require(served.first)
    let reply = try await home.askForToken(on: line, rejected: home.sha256(token))
    let renewed = try #require(reply.token, "\(reply)")
    #expect(renewed != token)
    // Another process can still connect.
    #expect(try await home.token() == renewed)
  }

  /// strace(1) refuses the descriptors, because a limit below the open ones (prlimit(1)) also ends
  /// Swift's runtime: libdispatch traps if it cannot open `/proc/<tid>/stat` while a task waits.
  @Test(.enabled(if: geteuid() == 0, "only root may trace the agent")) func acceptingPausesAndGoesOn() async throws {
    try await home.signIn()
    let token = try await home.token()
    let line = try BlockingSocket(unix: home.socket)
    #expect(try await home.askForToken(on: line, rejected: nil).token == token)
    let log = home.folder.path + "/strace"
    let tracer = try await trace(home, log)
    let late = try BlockingSocket(unix: home.socket)
    #expect(try await home.askForToken(on: line, rejected: nil).token == token)
    let answer = await late.exchange(#"{"jsonrpc":"2.0","id":7,"method":"session.list"}"# + "\n")
    #expect(answer.hasPrefix(#"{"id":7,"#))
    await tracer.stop()
    let failures = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("accept4(") && $0.contains("EMFILE") }
      .compactMap { Double($0.split(separator: " ")[1]) }
    #expect(failures.count == Self.failures)
    // The pause is 500 ms (AcceptPause), on another clock than strace's.
    #expect(zip(failures, failures.dropFirst()).allSatisfy { $1 - $0 > 0.4 }, "\(failures)")
  }

  private static let failures = 4

  /// The first calls of accept(2) fail as if there were no descriptor.
  private func trace(_ home: TestHome, _ log: String) async throws -> RunningProgram {
    let pid = try #require(await home.agentPID)
    let tracer = try RunningProgram(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-ttt", "-o", log, "-e", "trace=accept4", "-e",
        "inject=accept4:error=EMFILE:when=1..\(Self.failures)", "-p", "\(pid)",
      ], environment: home.environment, folder: home.folder)
    try await eventually("strace is attached") {
      guard tracer.isRunning else { throw ConditionTimeout(what: "strace ended: \(tracer.stderr)") }
      return ProcessThread.all(of: pid).allSatisfy(\.isTraced)
    }
    return tracer
  }
}
