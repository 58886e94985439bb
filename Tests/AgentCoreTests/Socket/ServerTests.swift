import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite struct ServerTests {
  private var server: RunningServer { .current }

  static func request(_ method: String, _ params: String = "{}", id: String = "1") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }
  static let subtract = request("test.subtract", #"{"minuend":42,"subtrahend":23}"#)
  static let nineteen = #"{"id":1,"jsonrpc":"2.0","result":19}"#

  static func code(_ line: String?) throws -> Int64? {
    let value = try WireCoding.decode(JSONValue.self, from: Data((try #require(line)).utf8))
    guard case .integer(let code)? = value["error"]?["code"] else { return nil }
    return code
  }

  @Test("a token that was read before a lock is not written after it, alone or in a batch", .server)
  func writesNoTokenAfterALock() async throws {
    let client = try server.connect()
    let token = Self.request("session.token", id: "2")
    try await client.send(token + "\n[" + Self.subtract + "," + Self.request("session.token", id: "3") + "]\n")
    try await eventually("both have the token") { server.witness.begun == 2 }
    server.tokens.lock()
    server.witness.open()
    var answers: [String] = []
    for _ in 0..<2 { answers.append(try answerText(try #require(try await client.line()))) }
    let code = AgentError(.vaultLocked).code
    #expect(answers.sorted() == ["2: \(code)", "[1: 19, 3: \(code)]"])
    #expect(try answerText(try #require(try await client.ask(token))) == "2: token abc")
  }

  @Test(.server) func aNotificationIsDoneAndNotAnswered() async throws {
    let client = try server.connect()
    let params = #"{"minuend":1,"subtrahend":1}"#
    try await client.send(#"{"jsonrpc":"2.0","method":"test.subtract","params":\#(params)}"# + "\n")
    try await eventually("the notification is done") { server.witness.calls == ["subtract"] }
    #expect(try await client.ask(Self.subtract) == Self.nineteen)
  }

  @Test(.server) func aClientThatGoesAwayCancelsItsRequests() async throws {
    do {
      let client = try server.connect()
      try await client.send(Self.request("test.hold") + "\n" + Self.request("test.hold") + "\n")
      try await eventually("both have begun") { server.witness.begun == 2 }
    }
    try await eventually("both were cancelled") { server.witness.cancelled == 2 }
    try await eventually("what waits for the end ran") { server.witness.closed == 2 }
  }

  @Test(.server) func anUnexpectedErrorShowsAndLogsItsTypeAlone() async throws {
    let client = try server.connect()
    let answer = try #require(try await client.ask(Self.request("test.fail")))
    #expect(try Self.code(answer) == -32603)
    #expect(!answer.contains("secret"))
    #expect(server.log.lines.contains { $0.contains("UnforeseenError") })
    #expect(!server.log.lines.contains { $0.contains("secret") })
  }

  @Test(.server(grace: .seconds(60))) func aStopAnswersWhatIsInFlightAndTakesNoMore() async throws {
    let client = try server.connect()
    let idle = try server.connect()
    #expect(try await idle.ask(Self.subtract) == Self.nineteen)
    try await client.send(Self.request("test.hold") + "\n")
    try await eventually("the request has begun") { server.witness.begun == 1 }
    await server.stop()
    #expect(try await idle.line() == nil)
    #expect(throws: (any Error).self) { try server.connect() }
    #expect(!FileManager.default.fileExists(atPath: server.path))
    server.witness.open()
    #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    #expect(try await client.line() == nil)
  }

  @Test("OP-2: a client that has connected when a stop begins gets one answer")
  func aStopAnswersANewConnection() async throws {
    try await withServer(grace: .seconds(60), firstRequest: .seconds(60)) { server in
      let new = try server.connect()
      // Connections are accepted in their order, so an answer on the last one means that all are
      // accepted.
      let last = try server.connect()
      #expect(try await last.ask(Self.subtract) == Self.nineteen)
      await server.stop()
      #expect(try await last.line() == nil)
      #expect(try await new.ask(Self.subtract) == Self.nineteen)
      #expect(try await new.line() == nil)
    }
  }

  @Test(.server(grace: .seconds(60), firstRequest: .milliseconds(50)))
  func aStopWaitsBrieflyForASilentClient() async throws {
    let silent = try server.connect()
    #expect(try await server.connect().ask(Self.subtract) == Self.nineteen, "both are accepted")
    await server.stop()
    #expect(try await silent.line() == nil)
  }

  @Test(.server(grace: .milliseconds(50), cancellation: .seconds(300)))
  func aStopWaitsNoLongerThanItsGrace() async throws {
    let client = try server.connect()
    try await client.send(Self.request("test.hold") + "\n")
    try await eventually("the request has begun") { server.witness.begun == 1 }
    await server.stop()
    #expect(try await client.line()?.contains(#""kind":"cancelled""#) == true, "OP-8: it is answered first")
    #expect(try await client.line() == nil)
    try await eventually("the request was cancelled") { server.witness.cancelled == 1 }
  }

  /// Of the costly requests, one runs at the stop and the others wait for it.
  @Test("OP-8: a stop answers every request that was taken", arguments: [true, false])
  func aStopAnswersAll(isBatch: Bool) async throws {
    try await withServer(grace: .milliseconds(50), cancellation: .seconds(300)) { server in
      let client = try server.connect()
      let requests = (1...5).map { Self.request($0 < 4 ? "test.costly" : "test.hold", id: "\($0)") }
      let text = requests.joined(separator: isBatch ? "," : "\n")
      try await client.send((isBatch ? "[" + text + "]" : text) + "\n")
      try await eventually("the requests have begun") { server.witness.begun == 3 }
      await server.stop()
      let code = AgentError(.cancelled).code
      let expected = (1...5).map { "\($0): \(code)" }
      if isBatch {
        #expect(try answerText(try #require(try await client.line())) == "[" + expected.joined(separator: ", ") + "]")
      } else {
        var answers: [String] = []
        for _ in expected { answers.append(try answerText(try #require(try await client.line()))) }
        #expect(answers.sorted() == expected)
      }
      #expect(try await client.line() == nil)
    }
  }
}
