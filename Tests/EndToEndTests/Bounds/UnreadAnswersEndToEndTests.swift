import Foundation
import TestKit
import Testing

/// A client that requests far more than it reads.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct UnreadAnswersEndToEndTests {
  /// More than a connection may have in flight. All responses would use about 70 MB.
  private static let requests = 1000
  /// In bytes: one response, in several forms while it is built, and what the allocator keeps.
  private static let maxGrowth = 16 * 1024 * 1024

  @Test("unread long responses: memory is bounded, others are served, and each response is complete")
  func holdsFewAnswers() async throws {
    try await home.signIn()
    let token = try await home.token()
    let agent = ProcessFigures(pid: try #require(await home.agentPID))
    let before = try agent.anonymousMemory()
    let client = try BlockingSocket(unix: home.socket)
    let lines = (0..<Self.requests).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"rpc.discover"}"# }
    // The kernel's buffer holds 200 KiB of one message.
    try client.send(lines.joined(separator: "\n") + "\n")
    #expect(try await home.askForToken().token == token, "on another connection of the same process")
    #expect(try await home.token() == token, "and by another process")
    try await eventually("the agent is at rest") {
      let before = try agent.processorTime()
      try await Task.sleep(for: .milliseconds(300))
      return try agent.processorTime() - before < 0.1
    }
    let growth = try agent.anonymousMemory() - before
    // The address sanitizer keeps freed memory for a while.
    #expect(Sanitizer.isOn || growth < Self.maxGrowth, "\(growth / 1_048_576) MiB more")
    let answers = await client.lines(Self.requests)
    let numbers = try answers.map { try JSONDecoder().decode(Answer.self, from: $0).id }
    #expect(Set(numbers) == Set(0..<Self.requests))
    #expect(Set(answers.map { $0.count / 100 }).count <= 2, "all are complete")
  }

  private struct Answer: Decodable {
    struct Result: Decodable { var openrpc: String }
    var id: Int
    var result: Result
  }
}
