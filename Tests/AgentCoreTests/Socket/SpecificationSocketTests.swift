import AgentProtocol
import FoundationEssentials
import TestKit
import Testing

@testable import AgentCore

/// The examples of the specification on one real connection. Each answer belongs to the line before
/// it, and the connection stays usable after all of them.
@Suite(.server) struct SpecificationSocketTests {
  private var server: RunningServer { .current }

  private static let last = ServerTests.request(
    "test.subtract", #"{"minuend":1,"subtrahend":1}"#, id: "\"last\"")
  private static let lastAnswer = #"{"id":"last","jsonrpc":"2.0","result":0}"#

  @Test func oneConnectionServesEveryExample() async throws {
    let client = try server.connect()
    for example in SpecificationTests.examples {
      try await client.send(example.sent + "\n")
      if let answers = example.answers {
        let line = try #require(try await client.line())
        #expect(line.hasPrefix("[") == example.isBatch, "\(example.sent)")
        #expect(try SpecificationTests.summary(line) == answers, "\(example.sent)")
      }
      // Only this request is answered: a notification has left no answer that could come first.
      #expect(try await client.ask(Self.last) == Self.lastAnswer, "\(example.sent)")
    }
    #expect(SpecificationTests.examples.count > 25)
  }

  @Test func answersComeInTheOrderInWhichTheRequestsEnd() async throws {
    let client = try server.connect()
    for id in 1...3 { try await client.send(ServerTests.request("test.hold", id: "\(id)") + "\n") }
    try await eventually("all three have begun") { server.witness.begun == 3 }
    #expect(try await client.ask(Self.last) == Self.lastAnswer, "the last request has the first answer")
    server.witness.open()
    var ids: Set<String> = []
    for _ in 1...3 { ids.insert(try #require(try await client.line())) }
    #expect(ids == Set((1...3).map { #"{"id":\#($0),"jsonrpc":"2.0","result":{}}"# }))
  }
}
