import AgentProtocol
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// Valid and broken messages on one connection, in any order and split anywhere: each valid one
/// gets exactly its answer, each broken one the error of the specification, and nothing else
/// arrives. `RITUAL_TEST_SEED=n` replays one seed.
@Suite struct InterleavingTests {
  /// The bytes to send, without the newline, and the expected answer; nil if there is none.
  struct Message {
    let bytes: [UInt8]
    let answer: String?
    init(_ text: String, _ answer: String?) { (bytes, self.answer) = (Array(text.utf8), answer) }
    init(bytes: [UInt8], _ answer: String?) { (self.bytes, self.answer) = (bytes, answer) }
  }

  private static func valid(_ chance: inout SeededRandom, _ number: Int) -> Message {
    let id = chance.happens(50) ? "\(number)" : "\"n\(number)\""
    let (left, right) = (chance.below(1000), chance.below(1000))
    let params = #"{"minuend":\#(left),"subtrahend":\#(right)}"#
    switch chance.below(7) {
    case 0: return Message(ServerTests.request("session.token", id: id), "\(id): token abc")
    case 1:
      let text = String(repeating: "ü{[\\\"", count: chance.below(200))
      return Message(ServerTests.request("test.echo", #"{"text":"\#(text)"}"#, id: id), #"\#(id): {"text":"\#(text)"}"#)
    case 2: return Message(#"{"jsonrpc":"2.0","method":"test.subtract","params":\#(params)}"#, nil)
    case 3:
      return Message("  " + ServerTests.request("test.subtract", params, id: id) + " \r", "\(id): \(left - right)")
    case 4: return batch(&chance, number)
    default: return Message(ServerTests.request("test.subtract", params, id: id), "\(id): \(left - right)")
    }
  }

  private static func batch(_ chance: inout SeededRandom, _ number: Int) -> Message {
    let one = ServerTests.request("test.subtract", #"{"minuend":2,"subtrahend":1}"#, id: "\(number)")
    var (parts, answers) = ([one], ["\(number): 1"])
    if chance.happens(50) { (parts, answers) = (parts + ["{}"], answers + ["null: -32600"]) }
    if chance.happens(50) {
      parts.append(ServerTests.request("nothing", id: "\"\(number)\""))
      answers.append("\"\(number)\": -32601")
    }
    return Message("[" + parts.joined(separator: ",") + "]", "[" + answers.sorted().joined(separator: ", ") + "]")
  }

  private static func broken(_ chance: inout SeededRandom, _ number: Int) -> Message {
    switch chance.below(10) {
    case 0: return Message("", nil)
    case 1: return Message(" \t\r", nil)
    case 2: return Message(String(repeating: "[", count: 5000), "null: -32700")
    case 3:
      return Message(
        bytes: Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xC0, 0xAF, 0x22, 0x7D], "null: -32700")
    case 4: return Message(String(ServerTests.request("test.subtract").dropLast(1 + chance.below(60))), "null: -32700")
    case 5: return Message("[]", "null: -32600")
    case 6: return Message(#"{"jsonrpc":"1.0","id":\#(number),"method":"x"}"#, "\(number): -32600")
    case 7: return Message(#"{"jsonrpc":"2.0","id":[\#(number)],"method":"x"}"#, "null: -32600")
    case 8: return Message(ServerTests.request("test.subtract", "[1,2]", id: "\(number)"), "\(number): -32602")
    default: return Message(ServerTests.request("test.nothing", id: "\(number)"), "\(number): -32601")
    }
  }

  /// Below the limit of requests in flight, so that none is refused for that reason.
  private static let messages = 20

  private static func play(_ seed: UInt64, _ server: RunningServer) async throws {
    var chance = SeededRandom(seed)
    let messages = (0..<messages).map { chance.happens(60) ? valid(&chance, $0) : broken(&chance, $0) }
    let client = try server.connect()
    let stream = messages.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
    var rest = stream[...]
    while !rest.isEmpty {
      let length = chance.happens(70) ? 1 + chance.below(40) : 1 + chance.below(6000)
      try await client.send(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    let expected = messages.compactMap(\.answer).sorted()
    // The end of the connection comes last: a surplus answer would precede it.
    client.endInput()
    var answers: [String] = []
    while let line = try await client.line() { answers.append(try answerText(line)) }
    #expect(answers.sorted() == expected, "RITUAL_TEST_SEED=\(seed)")
  }

  @Test func eachGetsItsAnswer() async throws {
    try await withServer { server in
      server.tokens.publish("abc")
      server.tokens.setDefault("work")
      for seed in TestSeeds.chosen ?? Array(1...150) { try await Self.play(seed, server) }
    }
  }
}
