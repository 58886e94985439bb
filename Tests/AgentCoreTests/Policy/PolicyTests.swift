import AgentConfiguration
import AgentProtocol
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import AgentServer
@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct PolicyTests {
  private var home: PolicyFixture { .ruled }

  private static let denyAndAsk = denyA + [PolicyRule(account: "home", action: .ask)]
  private static let denyA = [PolicyRule(account: "work", subject: .unit("a.service"), action: .deny)]

  @Test("a method without a policy states the reason", .policy([]))
  func saysWhyNot() async throws {
    for name in home.methods.names {
      if case .none(let why)? = home.methods[name]?.policy { #expect(!why.isEmpty, "\(name)") }
    }
  }

  /// Requests of every method that uses or changes an account, which name `work` or default to it.
  /// The policy decides before a method reads its other params.
  private static func requests(of methods: MethodTable) -> [(method: String, params: String)] {
    methods.names.flatMap { name in
      let params: [String] =
        switch methods[name]?.policy {
        case .account?, .grant?, .signIn?, .flowOrSignIn?: [#"{"account":"work"}"#, "{}"]
        case .signOut?: [#"{"account":"work"}"#, "{}", #"{"all":true}"#]
        case .none?, .eachToken?, .flow?, nil: []
        }
      return params.map { (name, $0) }
    }
  }

  @Test("every method refuses a denied unit the account, and nothing is sent", .policy(denyA))
  func deniesByUnit() async throws {
    let call = await home.connect(1, unit: "a.service")
    let requests = Self.requests(of: home.methods)
    #expect(requests.count > 50)
    for (method, params) in requests {
      let error = await home.refusal(method, params, call)
      #expect(
        error?.kind == .denied && error?.data.account == "work", "\(method) \(params): \(String(describing: error))")
    }
    #expect(home.agent.server.sent.isEmpty)
    #expect(!home.isHot(call))
    let records = home.audited(.denied)
    #expect(records.count == 1, "once for a connection and account")
    #expect(records.first?.unit == "a.service" && records.first?.account == "work" && records.first?.pid == 1)
    // Another account, a method that uses no account, and another unit are allowed.
    #expect(await home.refusal("session.token", #"{"account":"home"}"#, call) == nil)
    #expect(await home.refusal("session.status", #"{"account":"work"}"#, call) == nil)
    #expect(await home.refusal("session.token", "{}", await home.connect(2, unit: "b.service")) == nil)
  }

  @Test("a sign-in flow is guarded by the policy of its account", .policy(denyA))
  func guardsFlows() async throws {
    let (denied, allowed) = (await home.connect(1, unit: "a.service"), await home.connect(2, unit: "b.service"))
    let start = #"{"account":"work","provider":"google","redirect":"manual","detach":true}"#
    let flow = try #require(try await home.answer("signIn.start", start, allowed)["flow"]?.text)
    let params = #"{"flow":"\#(flow)","accept":true}"#
    let guarded = home.methods.names.filter {
      switch home.methods[$0]?.policy {
      case .flow?, .flowOrSignIn?: true
      default: false
      }
    }
    #expect(guarded.contains("signIn.wait"))
    for method in guarded {
      #expect(await home.refusal(method, params, denied)?.kind == .denied, "\(method)")
    }
    #expect(await home.refusal("signIn.cancel", #"{"flow":"unknown"}"#, denied)?.kind == .flowUnknown)
    #expect(await home.refusal("signIn.cancel", params, allowed) == nil)
  }

  @Test("the hot path answers from a cached decision, until the rules change or the connection closes", .policy(denyA))
  func decidesOffTheHotPath() async throws {
    let call = await home.connect(1, unit: "b.service")
    #expect(!home.isHot(call), "nothing is decided yet")
    #expect(await home.refusal("session.token", "{}", call) == nil)
    #expect(home.isHot(call) && home.isHot(call, account: "work"))
    #expect(!home.isHot(call, account: "home"), "decided for each account")
    let second = await home.connect(2, unit: "b.service")
    #expect(!home.isHot(second), "and each connection")
    home.policy.replace([PolicyRule(subject: .unit("b.service"), action: .deny)])
    #expect(!home.isHot(call))
    #expect(await home.refusal("session.token", "{}", call)?.kind == .denied)
    home.policy.replace([])
    #expect(home.isHot(call))
    let third = await home.connect(3, unit: nil)
    #expect(home.isHot(third))
    home.policy.replace(Self.denyA)
    #expect(await home.refusal("session.token", "{}", call) == nil)
    home.policy.closed(1)
    #expect(!home.isHot(call))
  }

  @Test("a caller that the rules allow by its program and unit is answered at once; others need a lookup")
  func allowsAtOnce() async throws {
    @Sendable func opener(_ program: String, unit: String? = nil) -> ConnectionOpener {
      ConnectionOpener(program: ProgramFile(program), unit: .init(name: unit))
    }
    let (cat, sleep) = (opener("/bin/cat"), opener("/bin/sleep"))
    let rules = [
      PolicyRule(account: "home", subject: .unit("a.service"), action: .deny),
      PolicyRule(account: "work", subject: .executable("/bin/sleep"), action: .deny),
    ]
    try await withPolicy(rules) { home async throws in
      let (first, second) = (await home.connect(1, unit: nil), await home.connect(2, unit: nil))
      #expect(!home.isHot(first) && !home.isHot(first, opener: sleep))
      #expect(!home.isHot(first, opener: ConnectionOpener()), "nothing is known of it")
      #expect(home.isHot(first, opener: cat))
      #expect(home.isHot(first), "the decision is remembered")
      #expect(!home.isHot(second), "for one connection")
      #expect(!home.isHot(first, account: "home", opener: opener("/bin/cat", unit: "a.service")))
      #expect(home.isHot(first, account: "home", opener: opener("/bin/cat", unit: "b.service")))
      home.policy.replace([PolicyRule(account: "work", subject: .executable("/bin/cat"), action: .allow), .denyAll])
      #expect(home.isHot(second, opener: cat) && !home.isHot(first, opener: sleep))
      home.policy.replace([PolicyRule(subject: .unit("a.service"), action: .allow), .denyAll])
      #expect(!home.isHot(first, opener: cat))
      #expect(home.isHot(first, opener: opener("/bin/cat", unit: "a.service")))
      home.policy.replace([PolicyRule(subject: .executable("/bin/no-such-program"), action: .allow), .denyAll])
      #expect(!home.isHot(second, opener: cat))
      for action in [PolicyRule.Action.ask, .deny] {
        home.policy.replace([PolicyRule(subject: .executable("/bin/cat"), action: action)])
        #expect(!home.isHot(second, opener: cat))
      }
    }
  }

  @Test("a known caller is judged by the rules alone, for every account, until the rules change", .policy(denyAndAsk))
  func decidesWhenTheCallerIsFound() async throws {
    let (a, b) = (await home.connect(1, unit: "a.service"), await home.connect(2, unit: "b.service"))
    let rulings = Rulings(Self.denyAndAsk, Caller(start: 2, unit: "b.service"))
    #expect(rulings.allows("work") && !rulings.allows("home"))
    home.policy.found(Caller(start: 1, unit: "a.service"), 1)
    home.policy.found(Caller(start: 2, unit: "b.service"), 2)
    #expect(!home.isHot(a) && home.isHot(b))
    #expect(!home.isHot(b, account: "home"), "that is to be asked about")
    // A cached decision of a person or of the general path takes precedence.
    home.policy.replace(Self.denyA)
    #expect(!home.isHot(b), "other rules")
    home.policy.found(Caller(start: 2, unit: "b.service"), 2)
    #expect(home.isHot(b))
    home.policy.closed(2)
    #expect(!home.isHot(b))
    home.policy.found(Caller(start: 2, unit: "b.service"), 2)
    #expect(!home.isHot(b), "it has gone")
  }

  @Test("events: a subscriber that may not have a token gets the event without it", .policy(denyAndAsk))
  func keepsTokensOutOfEvents() async throws {
    let call = await home.connect(1, unit: "a.service")
    #expect(await !home.policy.passes("work", .init("events.subscribe", call)))
    #expect(await !home.policy.passes("home", .init("events.subscribe", call)))
    #expect(home.policy.approvals().isEmpty, "nobody is asked about an event")
    let other = await home.connect(2, unit: "b.service")
    #expect(await home.policy.passes("work", .init("events.subscribe", other)))
    let sent = Mutexed<[JSONValue]>([])
    let handle = ConnectionHandle(
      id: 1,
      send: { message in
        // The initial state arrives in one message, with a line for each event.
        let lines = message().readableBytesView.split(separator: UInt8(ascii: "\n"))
        sent.value += lines.compactMap { try? WireCoding.decode(JSONValue.self, from: .init($0)) }
      }, cut: { _ in })
    let watcher = Call(peer: call.peer, connection: handle)
    let method = try #require(home.methods["events.subscribe"])
    let forward = Task {
      try await method(.init(#"{"tokens":true,"accounts":["work","home"]}"#.utf8), watcher).afterwards?()
    }
    try await eventually("two events") { sent.value.count == 2 }
    #expect(sent.value.allSatisfy { $0["params"]?["token"] == nil && $0["params"]?["status"] != nil })
    home.policy.replace([PolicyRule(account: "home", action: .deny)])
    try await home.agent.signIn("work", token: "3")
    try await eventually("a third event") { sent.value.count == 3 }
    #expect(sent.value.last?["params"]?["token"]?["accessToken"]?.text == "access-3")
    forward.cancel()
    _ = try? await forward.value
  }

  @Test("an event that is written after a lock, or after another token, has no token", .policy([]))
  func leavesOutOldTokens() async throws {
    let call = await home.connect(1, unit: "a.service")
    let (messages, waiting) = AsyncStream.makeStream(of: (@Sendable () -> ByteBuffer).self)
    let handle = ConnectionHandle(id: 1, send: { waiting.yield($0) }, cut: { _ in })
    let method = try #require(home.methods["events.subscribe"])
    let forward = Task {
      try await method(
        .init(#"{"tokens":true,"accounts":["work"]}"#.utf8), Call(peer: call.peer, connection: handle)
      ).afterwards?()
    }
    let message = try #require(await messages.first { _ in true })
    let token = {
      try WireCoding.decode(JSONValue.self, from: .init(message().readableBytesView))["params"]?["token"]
    }
    #expect(try token() != nil)
    home.agent.accounts.tokens.lock()
    #expect(try token() == nil)
    forward.cancel()
    _ = try? await forward.value
  }
}

extension PolicyRule {
  fileprivate static let denyAll = PolicyRule(action: .deny)
}
