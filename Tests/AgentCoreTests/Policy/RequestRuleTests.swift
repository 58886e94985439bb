import AgentConfiguration
import AgentProtocol
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import AgentServer
@testable import SessionEngine

/// Rules with methods or paths apply to API requests alone.
@Suite(.timeLimit(.minutes(10))) struct RequestRuleTests {
  private var home: PolicyFixture { .ruled }

  private static func scope(_ methods: [String] = [], _ paths: [String] = []) throws -> RequestScope {
    try RequestScope(methods: methods, paths: paths)
  }

  private static func allowGET() throws -> [PolicyRule] {
    [
      PolicyRule(
        account: "work", subject: .unit("a.service"), action: .allow, scope: try scope(["GET"], ["/rest/v1/todos"])),
      PolicyRule(account: "work", action: .deny),
    ]
  }

  private func target(_ method: String, _ path: String) -> Policy.RequestTarget { .init(method: method, path: path) }

  private func question(_ call: Call, _ request: Policy.RequestTarget) -> Policy.Question {
    .init(method: "egress", connection: call.connection.id, pid: call.peer.pid, request: request)
  }

  /// The policy's answer to a request of the egress proxy; nil if it is allowed.
  private func refusal(
    _ home: PolicyFixture, _ call: Call, _ method: String, _ path: String, account: String = "work"
  ) async -> AgentError? {
    await errorOf { try await home.policy.check(account, question(call, target(method, path))) }
  }

  private func isAllowed(
    _ home: PolicyFixture, _ call: Call, _ method: String, _ path: String, account: String = "work"
  ) -> Bool {
    home.policy.isAllowed(call.connection.id, account, target(method, path), now: home.clock.now)
  }

  @Test(
    "a narrow allow permits its requests and nothing else, and does not give the token away",
    .policy(try allowGET()))
  func allowsNarrowly() async throws {
    let (a, b) = (await home.connect(1, unit: "a.service"), await home.connect(2, unit: "b.service"))
    for _ in 0..<2 {
      #expect(await refusal(home, a, "GET", "/rest/v1/todos/1") == nil)
      #expect(await refusal(home, a, "POST", "/rest/v1/todos/1")?.kind == .denied)
      #expect(await refusal(home, a, "GET", "/rest/v1/todos2")?.kind == .denied)
      #expect(await refusal(home, a, "GET", "/rest/v1/x/../todos")?.kind == .denied, "the path is unclear")
      #expect(await refusal(home, b, "GET", "/rest/v1/todos/1")?.kind == .denied)
      #expect(await home.refusal("session.token", "{}", a)?.kind == .denied)
      #expect(await home.refusal("profile.get", "{}", a)?.kind == .denied)
      #expect(!home.isHot(a))
    }
    #expect(isAllowed(home, a, "GET", "/rest/v1/todos") && !isAllowed(home, a, "PUT", "/rest/v1/todos"))
    #expect(await home.refusal("session.token", #"{"account":"home"}"#, a) == nil)
    #expect(await refusal(home, b, "PUT", "/x", account: "home") == nil)
    let denied = home.audited(.denied)
    #expect(
      denied.filter { $0.unit == "a.service" }.map(\.detail) == ["egress", "session.token"], "once for each use")
    #expect(denied.filter { $0.unit == "b.service" }.count == 1)
    #expect(!denied.contains { ($0.detail ?? "").contains("/") }, "no path")
  }

  @Test("a narrow deny forbids its requests, and unclear ones, and says nothing about the token")
  func deniesNarrowly() async throws {
    let rules = [PolicyRule(action: .deny, scope: try Self.scope(["DELETE"], ["/rest/v1"]))]
    try await withPolicy(rules) { home async throws in
      let call = await home.connect(1, unit: "a.service")
      for path in ["/rest/v1/x", "/rest/v1", "/REST/v1/x", "/rest/v1;x/y", "/x%2f..%2frest/v1", "//x"] {
        #expect(await refusal(home, call, "DELETE", path)?.kind == .denied, "\(path)")
      }
      #expect(await refusal(home, call, "delete", "/rest/v1/x")?.kind == .denied)
      for (method, path) in [("GET", "/rest/v1/x"), ("DELETE", "/storage/v1/x"), ("GET", "//x")] {
        #expect(await refusal(home, call, method, path) == nil, "\(method) \(path)")
      }
      #expect(await home.refusal("session.token", "{}", call) == nil && home.isHot(call))
      #expect(await refusal(home, call, "DELETE", "/rest/v1/x")?.kind == .denied, "whatever is cached for the token")
      #expect(!isAllowed(home, call, "DELETE", "/rest/v1/x") && isAllowed(home, call, "GET", "/rest/v1/x"))
    }
  }

  @Test("the event loop decides as soon as the caller is known, without a cached decision", .policy(try allowGET()))
  func decidesFromRulings() async throws {
    let call = await home.connect(1, unit: "a.service")
    #expect(!isAllowed(home, call, "GET", "/rest/v1/todos"), "nothing is known yet")
    home.policy.found(Caller(start: 1, unit: "a.service"), 1)
    #expect(isAllowed(home, call, "GET", "/rest/v1/todos"))
    #expect(!isAllowed(home, call, "GET", "/rest/v1/todos2") && !isAllowed(home, call, "POST", "/rest/v1/todos"))
    #expect(isAllowed(home, call, "POST", "/x", account: "home"), "no rule is about this account")
    #expect(!home.isHot(call))
    home.policy.replace([PolicyRule(account: "work", action: .deny)])
    #expect(!isAllowed(home, call, "GET", "/rest/v1/todos"))
    home.policy.replace([PolicyRule(action: .allow, scope: try Self.scope(["GET"])), PolicyRule(action: .deny)])
    #expect(await refusal(home, call, "GET", "/rest/v1/todos") == nil)
    #expect(isAllowed(home, call, "GET", "/x") && isAllowed(home, call, "GET", "/x", account: "home"))
    #expect(!isAllowed(home, call, "POST", "/x") && !isAllowed(home, call, "POST", "/x", account: "home"))
    home.policy.closed(1)
    #expect(!isAllowed(home, call, "GET", "/x"))
  }

  @Test("an opener that can be told at once is decided by method and path, and nothing is cached")
  func decidesAtOnce() async throws {
    let rules = [
      PolicyRule(account: "work", subject: .executable("/bin/cat"), action: .allow, scope: try Self.scope(["GET"])),
      PolicyRule(account: "work", action: .deny),
    ]
    try await withPolicy(rules) { home async throws in
      let call = await home.connect(1, unit: nil)
      let (cat, sleep) = (
        ConnectionOpener(program: ProgramFile("/bin/cat")), ConnectionOpener(program: ProgramFile("/bin/sleep"))
      )
      #expect(home.policy.allowsAtOnce("work", 1, cat, target("GET", "/x")))
      #expect(!home.policy.allowsAtOnce("work", 1, cat, target("POST", "/x")))
      #expect(!home.policy.allowsAtOnce("work", 1, sleep, target("GET", "/x")))
      #expect(!home.policy.allowsAtOnce("work", 1, cat), "the token is another matter")
      #expect(!home.isHot(call, opener: cat) && !isAllowed(home, call, "POST", "/x"))
      #expect(home.policy.allowsAtOnce("home", 1, sleep, target("POST", "/x")))
      #expect(home.isHot(call, account: "home"), "without rules with methods or paths, it is cached")
    }
  }

  private static func asking() throws -> [PolicyRule] {
    [
      PolicyRule(account: "work", action: .ask, scope: try scope(["POST", "PUT"], ["/x"])),
      PolicyRule(account: "work", action: .ask, scope: try scope(["DELETE"])),
    ]
  }

  @Test(
    "a narrow ask: the answer is for the program, the account and the rule, and is kept for its requests",
    .policy(try asking()))
  func asks() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    #expect(await refusal(home, tool, "GET", "/x") == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil)
    let error = try #require(await refusal(home, tool, "POST", "/x/1"))
    let id = try #require(error.data.approval)
    #expect(error.kind == .approvalNeeded)
    #expect(await refusal(home, tool, "PUT", "/x/2")?.data.approval == id, "one question")
    let shown = try #require(home.policy.approvals().first)
    #expect(shown.method == "egress" && shown.request == "POST /x/1" && shown.pattern == "POST, PUT /x")
    #expect(home.audited(.approvalAsked).map(\.detail) == ["egress \(id) POST, PUT /x"], "no path of a request")
    let other = try #require(await refusal(home, tool, "DELETE", "/x")?.data.approval)
    #expect(other != id, "another rule, another question")
    let answer = #"{"id":"\#(id)","allow":true,"for":60}"#
    #expect(await home.refusal("approval.answer", answer, person) == nil)
    #expect(await refusal(home, tool, "POST", "/x") == nil)
    #expect(isAllowed(home, tool, "PUT", "/x/z") && isAllowed(home, tool, "GET", "/z"))
    #expect(await refusal(home, tool, "DELETE", "/x")?.data.approval == other)
    home.clock.advance(by: .seconds(60))
    #expect(!isAllowed(home, tool, "PUT", "/x") && isAllowed(home, tool, "GET", "/z"))
    let again = try #require(await refusal(home, tool, "PUT", "/x")?.data.approval)
    #expect(await home.refusal("approval.answer", #"{"id":"\#(again)","allow":false}"#, person) == nil)
    for _ in 0..<2 { #expect(await refusal(home, tool, "PUT", "/x")?.kind == .denied) }
    #expect(await refusal(home, tool, "GET", "/x") == nil)
    #expect(home.auditedCount(.denied) == 1)
  }

  @Test(
    "an approval for once is used up by one request, within ten minutes; only an approval has a scope",
    .policy(try asking()))
  func allowsOnce() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    func asked() async throws -> String { try #require(await refusal(home, tool, "POST", "/x")?.data.approval) }
    func answer(_ id: String, _ more: String) async -> ErrorKind? {
      await home.refusal("approval.answer", #"{"id":"\#(id)",\#(more)}"#, person)?.kind
    }
    let id = try await asked()
    for wrong in [
      #""allow":true,"scope":"twice""#, #""allow":true,"scope":"once","for":60"#, #""allow":false,"scope":"once""#,
    ] {
      #expect(await answer(id, wrong) == .invalidParams, "\(wrong)")
    }
    #expect(await answer(id, #""allow":true,"scope":"once""#) == nil)
    let checked = question(tool, target("POST", "/x"))
    #expect(try await home.policy.checkOnce("work", checked) == id)
    #expect(!isAllowed(home, tool, "POST", "/x"), "it is not cached")
    #expect(home.policy.use(id) && !home.policy.use(id))
    #expect(await home.policy.passes("work", checked, isApproved: true), "what it has begun goes on")
    #expect(await !home.policy.passes("work", checked))
    let second = try await asked()
    #expect(await answer(second, #""allow":true,"scope":"once""#) == nil)
    home.policy.replace([PolicyRule(account: "work", action: .deny)])
    #expect(await !home.policy.passes("work", checked, isApproved: true), "a rule that denies ends it")
    home.policy.replace(try Self.asking())
    #expect(await refusal(home, tool, "POST", "/x") == nil && home.policy.approvals().isEmpty)
    let third = try await asked()
    #expect(await answer(third, #""allow":true,"scope":"once""#) == nil)
    home.clock.advance(by: ApprovalBook.requestTimeout)
    #expect(try await asked() != third, "too late")
    #expect(await answer(try await asked(), #""allow":true,"scope":"untilLock""#) == nil)
    for _ in 0..<2 { #expect(await refusal(home, tool, "POST", "/x") == nil) }
  }

  @Test(
    "a question ends with the last request that is held for it, unless a program was told of it",
    .policy(try asking()))
  func holds() async throws {
    let tool = await home.connect(1, unit: "tool.service")
    let held = Policy.Question(
      method: "egress", connection: 1, pid: 1, request: target("POST", "/x"), isHeld: true)
    func asked() async throws -> String {
      try #require(await errorOf { try await home.policy.check("work", held) }?.data.approval)
    }
    func hold(_ id: String, _ seconds: Int = 60) async throws -> Task<ApprovalState, Never> {
      let end = home.clock.now.advanced(by: .seconds(seconds))
      let task = Task { await home.policy.hold(id, until: end) }
      try await eventually("it is held") { home.clock.isAwaited(at: end) }
      return task
    }
    let id = try await asked()
    let (one, two) = (try await hold(id, 61), try await hold(id, 62))
    one.cancel()
    #expect(await one.value == .expired)
    #expect(home.policy.approvals().map(\.id) == [id])
    two.cancel()
    #expect(await two.value == .expired)
    #expect(home.policy.approvals().isEmpty)
    let kept = try await asked()
    let three = try await hold(kept, 63)
    #expect(await refusal(home, tool, "PUT", "/x")?.data.approval == kept)
    three.cancel()
    _ = await three.value
    #expect(home.policy.approvals().map(\.id) == [kept], "the program that was told may come again")
    let four = try await hold(kept)
    home.clock.advance(by: .seconds(60))
    #expect(await four.value == .pending)
    #expect(home.policy.approvals().map(\.id) == [kept])
  }

  @Test("an unknown caller gains nothing by a narrow allow, and is denied by a narrow deny", .policy(try allowGET()))
  func judgesUnknownCallers() async throws {
    let call = await home.connect(1, Caller())
    #expect(await refusal(home, call, "GET", "/rest/v1/todos")?.kind == .denied)
    home.policy.replace([
      PolicyRule(subject: .unit("a.service"), action: .deny, scope: try Self.scope(["GET"]))
    ])
    #expect(await refusal(home, call, "GET", "/x")?.kind == .denied)
    #expect(await refusal(home, call, "PUT", "/x") == nil)
  }

  @Test(
    "a grant may be made where some request may be allowed; its requests are decided one by one",
    .policy(try allowGET()))
  func judgesGrants() async throws {
    let (a, b) = (await home.connect(1, unit: "a.service"), await home.connect(2, unit: "b.service"))
    func refusal(_ call: Call) async -> ErrorKind? {
      await errorKind { try await home.policy.check("work", .init("egress.grant", call, isForGrant: true)) }
    }
    #expect(await refusal(a) == nil)
    #expect(await refusal(b) == .denied)
    #expect(await home.refusal("session.token", "{}", a)?.kind == .denied, "the grant changes nothing")
    home.policy.replace([
      PolicyRule(action: .deny, scope: try Self.scope(["GET"])),
      PolicyRule(subject: .unit("b.service"), action: .deny),
    ])
    #expect(await refusal(a) == nil)
    #expect(await refusal(b) == .denied)
  }
}
