import Foundation
import Glibc
import TestKit
import Testing

/// Descriptors run out (EMFILE, accept(2)): existing connections are served, and the agent recovers
/// once descriptors are free.
@Suite struct DescriptorEndToEndTests {
  private func limit(_ home: TestHome, _ descriptors: Int) async throws {
    let pid = try #require(await home.agentPID)
    let output = try await RunningProgram(
      "/usr/bin/prlimit", ["--pid", "\(pid)", "--nofile=\(descriptors):1024"], environment: home.environment,
      folder: home.folder
    ).end()
    try #require(output.status == 0, "\(output.stderr)")
  }

  /// Under a low limit, connections leave enough descriptors for a refresh and its commit.
  @Test func connectionsLeaveDescriptorsForTheRest() async throws {
    try await withTestHome { home in
      await home.stopAgent()
      try await home.startAgent(through: ["/usr/bin/prlimit", "--nofile=64"])
      try await home.signIn()
      let token = try await home.token()
      // 13 connections in total beside 3 caller lookups, and 9 connections of one process
      // (SocketBounds).
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
      #expect(served.count == 9)
      #expect(refused == 51)
      let line = try #require(served.first)
      let renewed = try await home.askForToken(on: line, rejected: home.sha256(token)).token
      #expect(renewed != nil && renewed != token)
      // Another process can still connect.
      #expect(try await home.token() == renewed)
    }
  }

  /// No descriptor is free for anything new, as when the agent's own work or another library has
  /// used them all.
  @Test func acceptingPausesAndGoesOn() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      let line = try BlockingSocket(unix: home.socket)
      #expect(try await home.askForToken(on: line, rejected: nil).token == token)
      try await limit(home, 3)
      let late = try BlockingSocket(unix: home.socket)
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let (begun, used) = (ContinuousClock.now, try agent.processorTime())
      try await eventually("two seconds, in which it could spin") { ContinuousClock.now - begun > .seconds(2) }
      let spent = try agent.processorTime() - used
      #expect(spent < 0.5)
      #expect(try await home.askForToken(on: line, rejected: nil).token == token)
      let fingerprint = try await home.sha256(token)
      let starved = await line.exchange(
        #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"rejected":"\#(fingerprint)"}}"# + "\n")
      #expect(starved.contains(#""retryable":true"#) || starved.contains("accessToken"), "\(starved)")
      try await limit(home, 1024)
      let answer = await late.exchange(#"{"jsonrpc":"2.0","id":7,"method":"session.list"}"# + "\n")
      #expect(answer.hasPrefix(#"{"id":7,"#))
      try await eventually("a new token comes") {
        guard let renewed = try await home.askForToken(rejected: fingerprint).token else { return false }
        return renewed != token
      }
    }
  }
}
