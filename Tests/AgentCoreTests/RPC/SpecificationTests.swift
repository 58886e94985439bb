import AgentProtocol
import FoundationEssentials
import TestKit
import Testing

/// The examples of JSON-RPC 2.0, section 7, and further cases. This protocol refuses positional
/// parameters, and otherwise follows the specification. On one real connection, each answer belongs to
/// the line before it, and the connection stays usable after all of them.
@Suite(.server) struct SpecificationTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let sent: String
    /// The id of each response with its result or error code. nil means no response.
    let answers: [String]?
    var isBatch = false
    var testDescription: String { sent }
  }

  static let examples = [
    Example(
      sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
      answers: ["3: 19"]),
    Example(
      sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
      answers: ["4: 19"]),
    Example(
      sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": [42, 23], "id": 1}"#, answers: ["1: -32602"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": [42, 23]}"#, answers: nil),
    Example(sent: #"{"jsonrpc": "2.0", "method": "update", "params": {"a": 1}}"#, answers: nil),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar"}"#, answers: nil),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, answers: [#""1": -32601"#]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "rpc.nothing", "id": "1"}"#, answers: [#""1": -32601"#]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, answers: ["null: -32700"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, answers: ["null: -32600"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": "bar", "id": 9}"#, answers: ["9: -32600"]),
    Example(
      sent: #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method""#,
      answers: ["null: -32700"]),
    Example(sent: "[]", answers: ["null: -32600"]),
    Example(sent: "[1]", answers: ["null: -32600"], isBatch: true),
    Example(sent: "[1,2,3]", answers: ["null: -32600", "null: -32600", "null: -32600"], isBatch: true),
    Example(
      sent: """
        [{"jsonrpc":"2.0","method":"test.subtract","params":{"minuend":1,"subtrahend":2},"id":"1"},\
        {"jsonrpc":"2.0","method":"test.subtract","params":{"minuend":1,"subtrahend":2}},\
        {"jsonrpc":"2.0","method":"test.subtract","params":{"minuend":42,"subtrahend":23},"id":"2"},{"foo":"boo"},\
        {"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},\
        {"jsonrpc":"2.0","method":"test.echo","params":{"text":"hello"},"id":"9"}]
        """,
      answers: [#""1": -1"#, #""2": 19"#, #""5": -32601"#, #""9": {"text":"hello"}"#, "null: -32600"], isBatch: true),
    Example(
      sent: #"[{"jsonrpc": "2.0", "method": "notify_sum"},{"jsonrpc": "2.0", "method": "notify_hello"}]"#, answers: nil),
    // Beyond the examples: ids, versions, kinds of params.
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": null}"#, answers: ["null: -32601"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": 1.50}"#, answers: ["1.50: -32601"]),
    Example(
      sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": 123456789012345678901234567890}"#,
      answers: ["123456789012345678901234567890: -32601"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": "\u00e9\/"}"#, answers: [#""\u00e9\/": -32601"#]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": true}"#, answers: ["null: -32600"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": {"a": 1}}"#, answers: ["null: -32600"]),
    Example(sent: #"{"jsonrpc": "1.0", "method": "foobar", "id": 1}"#, answers: ["1: -32600"]),
    Example(sent: #"{"method": "foobar", "id": 1}"#, answers: ["1: -32600"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": 1, "id": 2, "new": [1]}"#, answers: ["1: -32601"]),
    Example(sent: #"{"jsonrpc": "2.0", "m\u0065thod": "foobar", "\u0069d": 1}"#, answers: ["1: -32601"]),
    Example(
      sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": {"minuend": "x"}, "id": 1}"#,
      answers: ["1: -32602"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "id": 1}"#, answers: ["1: -32602"]),
    Example(sent: #"{"jsonrpc": "2.0", "method": "test.subtract", "params": null, "id": 1}"#, answers: ["1: -32600"]),
    Example(sent: "{} {}", answers: ["null: -32700"]),
    Example(sent: "true", answers: ["null: -32600"]),
  ]

  /// Returns the `id: result` or `id: code` of each response, sorted. The id is as written in the
  /// text.
  static func summary(_ text: String) throws -> [String] {
    let value = try WireCoding.decode(JSONValue.self, from: Data(text.utf8))
    guard case .array(let answers) = value else { return [try summary(of: value, id: Self.id(in: text))] }
    return try answers.map { answer in
      try summary(of: answer, id: String(decoding: try WireCoding.encode(answer["id"] ?? .null), as: UTF8.self))
    }.sorted()
  }

  private static func summary(of answer: JSONValue, id: String) throws -> String {
    #expect(answer["jsonrpc"] == .string("2.0"))
    if case .integer(let code)? = answer["error"]?["code"] { return "\(id): \(code)" }
    let result = try #require(answer["result"])
    return "\(id): " + String(decoding: try WireCoding.encode(result), as: UTF8.self)
  }

  /// The text of the id. A decoder would round a number that it cannot represent.
  private static func id(in text: String) -> String {
    let rest = text[text.firstRange(of: "\"id\":")!.upperBound...]
    return String(rest[..<rest.firstRange(of: ",\"jsonrpc\"")!.lowerBound])
  }

  private var server: RunningServer { .current }

  private static let last = ServerTests.request(
    "test.subtract", #"{"minuend":1,"subtrahend":1}"#, id: "\"last\"")
  private static let lastAnswer = #"{"id":"last","jsonrpc":"2.0","result":0}"#

  @Test func oneConnectionServesEveryExample() async throws {
    let client = try server.connect()
    for example in Self.examples {
      try await client.send(example.sent + "\n")
      if let answers = example.answers {
        let line = try #require(try await client.line())
        #expect(line.hasPrefix("[") == example.isBatch, "\(example.sent)")
        #expect(try Self.summary(line) == answers, "\(example.sent)")
      }
      // Only this request is answered: a notification has left no answer that could come first.
      #expect(try await client.ask(Self.last) == Self.lastAnswer, "\(example.sent)")
    }
    #expect(Self.examples.count > 25)
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
