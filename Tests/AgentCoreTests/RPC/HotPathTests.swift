import AgentProtocol
import FoundationEssentials
import Logging
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

@Suite struct HotPathTests {
  let tokens: TokenSnapshot
  let clock = StoppedClock()

  private static let endpoints = SessionToken.Endpoints(
    projectURL: "https://p.example", anonKey: "a\"b", apiURL: "https://p.example")

  init() {
    tokens = TokenSnapshot(clock: clock)
    for account in ["work", "home"] {
      tokens.publish(
        "token-of-\(account)", of: account, endpoints: account == "home" ? Self.endpoints : nil, received: clock.now)
    }
    tokens.setDefault("work")
  }

  private func hot(_ line: String) -> String? {
    var path = HotPath(tokens: tokens, clock: clock)
    var output = ByteBuffer()
    return path.answer(ByteBuffer(string: line), into: &output) == .answered(needsCaller: false)
      ? String(buffer: output) : nil
  }

  private func general(_ line: String) async -> String? {
    var methods = MethodTable()
    let (tokens, clock) = (tokens, clock)
    methods.add(SessionToken.self, policy: .account, cost: .quick) { params, _ in
      let answer = tokens.answer(
        account: params.account, minTTL: params.minTTL, rejected: params.rejected, now: clock.now)
      guard let answer else { throw AgentError(.signInNeeded) }
      var result = answer.result
      if params.endpoints == true { result.endpoints = answer.entry.account == "home" ? Self.endpoints : nil }
      return result
    }
    let dispatcher = Dispatcher(methods: methods, tokens: tokens, logger: Logger(label: "test") { _ in LogLines() })
    let handle = ConnectionHandle(id: 1, send: { _ in }, cut: { _ in })
    let call = Call(peer: Peer(pid: 1, uid: 1, gid: 1), connection: handle)
    return await dispatcher.answer(IncomingFrame(ByteBuffer(string: line)), call).message.map {
      String(buffer: $0) + "\n"
    }
  }

  static let common = [
    #"{"jsonrpc":"2.0","id":1,"method":"session.token"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{}}"#,
    #"{"method":"session.token","params":{"account":"home"},"id":"a","jsonrpc":"2.0"}"#,
    #" { "jsonrpc" : "2.0" , "id" : null , "method" : "session.token" , "params" : { "minTTL" : 60 } } "#,
    #"{"jsonrpc":"2.0","id":-1.5e3,"method":"session.token","params":{"reason":"because","minTTL":0}}"#,
    #"{"jsonrpc":"2.0","id":"\u00e9","method":"session.token"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","new":[{}]}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"account":"home","endpoints":true}}"#,
  ]

  @Test(arguments: common) func theCommonFormIsHot(_ line: String) async {
    let hot = hot(line)
    #expect(hot != nil)
    #expect(await general(line) == hot)
  }

  @Test func theAnswerIsWritten() {
    let wall = clock.wall.unixSeconds + 3600
    #expect(
      hot(#"{"jsonrpc":"2.0","id":7,"method":"session.token"}"#) == """
        {"id":7,"jsonrpc":"2.0","result":{"accessToken":"token-of-work","account":"work",\
        "expiresAt":"\(Timestamp(unixSeconds: wall))","expiresIn":3600,"tokenType":"bearer"}}

        """)
  }

  @Test("a directory selects the account, which is as fast, and a named account comes first")
  func directories() {
    tokens.setDirectories([
      DirectoryAccount(directory: "/p \"q\"", account: "home"), DirectoryAccount(directory: "/gone", account: "gone"),
    ])
    func account(_ params: String) -> String? {
      hot(#"{"jsonrpc":"2.0","id":7,"method":"session.token","params":\#(params)}"#)
        .flatMap { $0.firstMatch(of: #/"account":"(\w+)"/#).map { String($0.1) } }
    }
    #expect(account(#"{"directory":"/p"}"#) == "work")
    #expect(account(#"{"directory":"/","account":"home"}"#) == "home")
    // A path that needs escapes, an invalid one, and one without a token take the general path.
    for path in [#"/p \"q\""#, "/p/", "p", "/p/../q", "", "/gone/a"] {
      #expect(account(#"{"directory":"\#(path)"}"#) == nil, "\(path)")
    }
    #expect(account(#"{"directory":"/gone/a","account":"work"}"#) == "work")
    tokens.setDirectories([DirectoryAccount(directory: "/p", account: "home")])
    let wall = clock.wall.unixSeconds + 3600
    #expect(
      hot(#"{"jsonrpc":"2.0","id":7,"method":"session.token","params":{"directory":"/p/q"}}"#) == """
        {"id":7,"jsonrpc":"2.0","result":{"accessToken":"token-of-home","account":"home","directory":"/p",\
        "expiresAt":"\(Timestamp(unixSeconds: wall))","expiresIn":3600,"tokenType":"bearer"}}

        """)
  }

  static let others = [
    #"{"jsonrpc":"2.0","method":"session.token"}"#, #"{"jsonrpc":"2.0","id":1,"method":"session.status"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session\u002etoken"}"#, #"{"id":1,"method":"session.token"}"#,
    #"{"jsonrpc":"2.0","id":[],"method":"session.token"}"#, #"[{"jsonrpc":"2.0","id":1,"method":"session.token"}]"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":[]}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"minTTL":1.5}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"minTTL":-1}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"minTTL":"60"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"account":null}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"account":"h\u006fme"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"account":"home","account":"work"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"account":"nobody"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"rejected":"ab"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"reason":1}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"minTTL":4000}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{"endpoints":true}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"session.token"} x"#, #"{"jsonrpc":"2.0","id":1,"method":"session.token""#,
  ]

  @Test(arguments: others) func otherFormsAreLeftToTheGeneralPath(_ line: String) { #expect(hot(line) == nil) }

  @Test func invalidUTF8IsLeft() {
    var path = HotPath(tokens: tokens, clock: clock)
    var output = ByteBuffer()
    var line = ByteBuffer(string: #"{"jsonrpc":"2.0","id":""#)
    line.writeBytes([0xC0, 0xAF])
    line.writeString(#"","method":"session.token"}"#)
    let answered = path.answer(line, into: &output)
    #expect(answered == .notHandled)
    #expect(output.readableBytes == 0)
  }

  /// Every answer of the hot path equals the answer of the general path, byte for byte.
  @Test func bothPathsAnswerTheSame() async throws {
    var requests = RandomRequests(seed: UInt64.random(in: 0...UInt64.max))
    let fingerprint = try #require(
      tokens.answer(account: "work", minTTL: nil, rejected: nil, now: clock.now)?.entry.fingerprint)
    var hotAnswers = 0
    for _ in 0..<3000 {
      let line = requests.next(fingerprint: fingerprint)
      guard let hot = hot(line) else { continue }
      hotAnswers += 1
      let general = await general(line)
      #expect(general == hot, "seed \(requests.seed): \(line)")
    }
    // Guards against a run with hardly any hot answer.
    #expect(hotAnswers > 300, "seed \(requests.seed)")
  }
}

/// A clock that does not advance, so that two answers can be compared.
struct StoppedClock: AgentClock {
  let now = BootTime(nanoseconds: 1_000_000_000_000)
  let wallSeconds: Int64 = 1_790_000_000
  let bootID = "boot"
  func sleep(until deadline: BootTime) async throws {}
}

/// Random variations of the common request form.
struct RandomRequests {
  let seed: UInt64
  private var random: SeededGenerator

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  mutating func next(fingerprint: String) -> String {
    var members = [
      (#""jsonrpc""#, pick([#""2.0""#, #""2.0""#, #""2.0""#, #""2.0""#, #""2""#])),
      (#""id""#, pick(["1", "-0", "1.5E3", #""x""#, #""\"\\\u00e9""#, #""é😀""#, "null", "true", "[1]", "1e"])),
      (
        pick([#""method""#, #""method""#, #""meth\u006fd""#]),
        pick([#""session.token""#, #""session.token""#, #""a""#])
      ),
    ]
    if chance(4, of: 5) { members.append((#""params""#, params(fingerprint))) }
    if chance(1, of: 8) { members.append((#""extra""#, pick(["1", "{}", #"{"a":[1,{"b":"]"}]}"#]))) }
    if chance(1, of: 12) { members.append(members[index(members.count)]) }
    let text = object(members)
    return chance(1, of: 20) ? String(text.dropLast(1 + index(3))) : text
  }

  private mutating func params(_ fingerprint: String) -> String {
    var members: [(String, String)] = []
    if chance(1, of: 2) {
      let account = pick([#""work""#, #""home""#, #""h\u006fme""#, #""nobody""#, "null", "1"])
      members.append((pick([#""account""#, #""account""#, #""acc\u006funt""#]), account))
    }
    if chance(1, of: 2) {
      members.append((#""minTTL""#, pick(["0", "60", "3600", "3601", "1.5", "1e2", "-1", "null", "999999999999"])))
    }
    if chance(1, of: 4) { members.append((#""rejected""#, pick(["\"\(fingerprint)\"", #""ab""#, "null"]))) }
    if chance(1, of: 4) { members.append((#""endpoints""#, pick(["true", "false", "null", "1"]))) }
    if chance(1, of: 4) { members.append((#""reason""#, pick([#""because""#, #""a\nb""#, "1", "null"]))) }
    if chance(1, of: 10) { members.append((#""unknown""#, "[]")) }
    if chance(1, of: 10), !members.isEmpty { members.append(members[index(members.count)]) }
    return chance(1, of: 30) ? "[]" : object(members)
  }

  private mutating func object(_ members: [(String, String)]) -> String {
    var rest = members
    var parts: [String] = []
    while !rest.isEmpty {
      let (name, value) = rest.remove(at: index(rest.count))
      parts.append(space() + name + space() + ":" + space() + value + space())
    }
    return "{" + parts.joined(separator: ",") + "}" + space()
  }

  private mutating func space() -> String { pick(["", "", "", " ", "\t", " \r"]) }
  private mutating func pick(_ choices: [String]) -> String { choices[index(choices.count)] }
  private mutating func chance(_ hits: Int, of count: Int) -> Bool { index(count) < hits }

  private mutating func index(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
