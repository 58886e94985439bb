import AgentConfiguration
import AgentProtocol
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// Rules with `action = "ask"`: approval requests and answers.
@Suite(.timeLimit(.minutes(10))) struct ApprovalTests {
  private var home: PolicyFixture { .ruled }

  private static let ask = [PolicyRule(account: "work", action: .ask)]

  /// Returns the id of the approval that the refusal of a request names.
  private func asked(_ home: PolicyFixture, _ call: Call) async throws -> String {
    let error = try #require(await home.refusal("session.token", "{}", call))
    #expect(error.kind == .approvalNeeded && error.kind.facts.exit == .refused)
    let id = try #require(error.data.approval)
    #expect(error.data.hint?.hasSuffix("ritualctl approvals allow \(id)") == true)
    return id
  }

  private func answer(_ home: PolicyFixture, _ id: String, _ allow: Bool, for seconds: Int? = nil, _ call: Call) async
    -> AgentError?
  {
    let time = seconds.map { #","for":\#($0)"# } ?? ""
    return await home.refusal("approval.answer", #"{"id":"\#(id)","allow":\#(allow)\#(time)}"#, call)
  }

  @Test("an approval is requested, allowed by another program, remembered for the unit, and revoked", .policy(ask))
  func asksAllowsRevokes() async throws {
    // As under the shipped unit, which cannot see the executable.
    var caller = Caller(start: 1, unit: "tool.service")
    caller.comm = "tool"
    let (tool, person) = (await home.connect(1, caller), await home.connect(2, unit: "desk.scope"))
    let id = try await asked(home, tool)
    #expect(try await asked(home, tool) == id, "one question for each program and account")
    // Where the error is shown, the answer would be refused: it comes from the unit that asked.
    let hint = "systemd-run --user --pty ritualctl approvals allow \(id)"
    #expect(await home.refusal("session.token", "{}", tool)?.data.hint == hint)
    #expect(home.audited(.approvalAsked).count == 1)
    let shown = try #require(home.policy.approvals().first)
    #expect(shown.unit == "tool.service" && shown.comm == "tool" && shown.executable == nil)
    #expect(shown.state == .pending && shown.method == "session.token")
    #expect(await answer(home, id, true, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil)
    #expect(home.isHot(tool))
    let later = await home.connect(3, unit: "tool.service")
    #expect(await home.refusal("session.token", "{}", later) == nil, "the same unit, another process")
    _ = try await asked(home, await home.connect(4, unit: "other.service"))
    #expect(await answer(home, id, false, person)?.kind == .invalidParams, "answered already")
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(id)"}"#, tool) == nil)
    #expect(!home.isHot(tool))
    #expect(try await asked(home, tool) != id)
    let answered = try #require(home.audited(.approvalAnswered).first)
    #expect(answered.accepted == true && answered.unit == "desk.scope" && answered.account == "work")
    #expect(home.audited(.approvalRevoked).count == 1)
  }

  @Test("each change of the rules and the approvals is announced, after it has taken effect", .policy(ask))
  func announcesChanges() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    let seen = Mutexed<[Bool]>([])
    home.policy.onChange { seen.value.append(home.isHot(tool)) }
    home.policy.replace(Self.ask)
    #expect(seen.value == [], "the same rules")
    let id = try await asked(home, tool)
    #expect(await answer(home, id, true, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil && home.isHot(tool))
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(id)"}"#, person) == nil)
    home.policy.replace([])
    home.policy.replace([PolicyRule(account: "work", action: .deny)])
    home.policy.forgetApprovals(of: "work")
    #expect(seen.value == [false, false, true, false, false])
  }

  @Test(
    "a program cannot approve itself: not from its unit nor, without a unit, from the process that asked", .policy(ask))
  func refusesOwnAnswers() async throws {
    let tool = await home.connect(1, unit: "tool.service")
    let id = try await asked(home, tool)
    let sibling = await home.connect(2, unit: "tool.service")
    for call in [tool, sibling, await home.connect(3, Caller())] {
      #expect(await answer(home, id, true, call)?.kind == .denied)
      #expect(await answer(home, id, false, call)?.kind == .denied)
    }
    #expect(home.auditedCount(.denied) == 6, "each of these refusals is in the log")
    let bare = await home.connect(4, unit: nil)
    let second = try await asked(home, bare)
    let again = await home.connect(5, Caller(start: 4), pid: 4)
    #expect(await answer(home, second, true, again)?.kind == .denied, "the same process, another connection")
    #expect(await answer(home, second, true, await home.connect(6, unit: nil)) == nil)
    #expect(await home.refusal("session.token", "{}", again) == nil)
    let recycled = await home.connect(7, Caller(start: 99), pid: 4)
    #expect(try await asked(home, recycled) != second, "its number alone is not the process")
    #expect(home.policy.approvals().first { $0.id == id }?.state == .pending)
  }

  @Test("a process that cannot be identified is denied without an approval request", .policy(ask))
  func deniesTheUnknown() async throws {
    let call = await home.connect(1, Caller())
    for _ in 0..<3 { #expect(await home.refusal("session.token", "{}", call)?.kind == .denied) }
    #expect(home.policy.approvals().isEmpty)
    #expect(home.auditedCount(.denied) == 1, "once for each connection and account")
  }

  @Test("a denial is remembered, and the denied program cannot revoke it", .policy(ask))
  func remembersANo() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    let id = try await asked(home, tool)
    #expect(await answer(home, id, false, for: 60, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool)?.kind == .denied)
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(id)"}"#, tool)?.kind == .denied)
    home.clock.advance(by: .seconds(61))
    #expect(try await asked(home, tool) != id)
  }

  @Test("an answer expires after its duration, an approval also at a lock", .policy(ask))
  func answersEnd() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    #expect(await answer(home, try await asked(home, tool), true, for: 60, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil)
    home.clock.advance(by: .seconds(59))
    #expect(home.isHot(tool))
    home.clock.advance(by: .seconds(1))
    #expect(!home.isHot(tool))
    #expect(await answer(home, try await asked(home, tool), true, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil)
    home.policy.forgetApprovals()
    #expect(!home.isHot(tool))
    _ = try await asked(home, tool)
    for seconds in [0, -1, ApprovalAnswer.maxSeconds + 1] {
      #expect(await answer(home, try await asked(home, tool), true, for: seconds, person)?.kind == .invalidParams)
    }
  }

  @Test("a denial survives a lock, with its remaining time; an approval and a pending request do not", .policy(ask))
  func denialsSurviveALock() async throws {
    let person = await home.connect(9, unit: "desk.scope")
    let (tool, other) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "other.service"))
    let (allowed, pending) = (await home.connect(3, unit: "ok.service"), await home.connect(4, unit: "late.service"))
    let denied = try await asked(home, tool)
    #expect(await answer(home, denied, false, person) == nil)
    #expect(await answer(home, try await asked(home, other), false, for: 60, person) == nil)
    #expect(await answer(home, try await asked(home, allowed), true, person) == nil)
    let question = try await asked(home, pending)
    home.policy.forgetApprovals()
    // Only the answer is remembered for a new connection of the same program.
    let again = await home.connect(11, unit: "tool.service")
    #expect(await home.refusal("session.token", "{}", tool)?.kind == .denied)
    #expect(await home.refusal("session.token", "{}", again)?.kind == .denied)
    #expect(await home.refusal("session.token", "{}", other)?.kind == .denied)
    #expect(home.policy.approvals().map(\.state) == [.denied, .denied])
    _ = try await asked(home, allowed)
    #expect(try await asked(home, pending) != question)
    home.clock.advance(by: .seconds(60))
    _ = try await asked(home, other)
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(denied)"}"#, person) == nil)
    _ = try await asked(home, tool)
  }

  @Test(
    "approvals and requests end with the account's name, because another person may use it next; denials do not",
    .policy([PolicyRule(action: .ask)]),
    arguments: [EngineFact.removed(account: "work"), .renamed(account: "office", from: "work")])
  func endWithTheName(fact: EngineFact) async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    let (denied, pending) = (await home.connect(3, unit: "bad.service"), await home.connect(4, unit: "late.service"))
    #expect(await answer(home, try await asked(home, tool), true, person) == nil)
    #expect(await home.refusal("session.token", "{}", tool) == nil)
    #expect(home.isHot(tool))
    let elsewhere = try #require(await home.refusal("session.token", #"{"account":"home"}"#, tool)?.data.approval)
    #expect(await answer(home, elsewhere, true, person) == nil)
    #expect(await answer(home, try await asked(home, denied), false, person) == nil)
    let question = try await asked(home, pending)
    home.policy.note(fact)
    #expect(!home.isHot(tool))
    #expect(home.policy.approvals().map(\.state) == [.allowed, .denied])
    #expect(home.policy.approvals().first?.account == "home")
    _ = try await asked(home, tool)
    #expect(try await asked(home, pending) != question)
    #expect(await home.refusal("session.token", "{}", denied)?.kind == .denied)
  }

  @Test("requests are bounded and expire after ten minutes", .policy(ask))
  func questionsAreBounded() async throws {
    for number in 1...UInt64(ApprovalBook.maxPending) {
      _ = try await asked(home, await home.connect(number, unit: "t\(number).service"))
    }
    let late = await home.connect(1000, unit: "late.service")
    #expect(await home.refusal("session.token", "{}", late)?.kind == .tooMany)
    home.clock.advance(by: ApprovalBook.requestTimeout)
    #expect(home.policy.approvals().isEmpty)
    _ = try await asked(home, late)
  }

  @Test("the requests of one program are bounded and block no other program", .policy([PolicyRule(action: .ask)]))
  func questionsOfOneAreBounded() async throws {
    let greedy = await home.connect(1, unit: "greedy.service")
    for number in 1...ApprovalBook.maxPendingPerAsker {
      let refusal = await home.refusal("signIn.start", #"{"provider":"google","account":"x\#(number)"}"#, greedy)
      #expect(refusal?.kind == .approvalNeeded)
    }
    for _ in 0..<3 {
      let refusal = await home.refusal("signIn.start", #"{"provider":"google","account":"more"}"#, greedy)
      #expect(refusal?.kind == .tooMany)
    }
    #expect(home.auditedCount(.denied) == 1)
    _ = try await asked(home, await home.connect(2, unit: "tool.service"))
  }

  @Test("answers are bounded, and the oldest is evicted", .policy(ask))
  func answersAreBounded() async throws {
    let person = await home.connect(1, unit: "desk.scope")
    for number in 2...UInt64(ApprovalBook.maxAnswers + 3) {
      let call = await home.connect(number, unit: "t\(number).service")
      #expect(await answer(home, try await asked(home, call), true, person) == nil)
      // So many answers at once exceed the person's call budget.
      home.clock.advance(by: .milliseconds(10))
    }
    let units = home.policy.approvals().compactMap(\.unit)
    #expect(units.count == ApprovalBook.maxAnswers)
    #expect(units.first == "t4.service")
  }

  @Test("a wait ends when the request is answered, withdrawn, expired, unknown or cancelled", .policy(ask))
  func waits() async throws {
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    func waited(_ id: String) -> Task<ApprovalState, any Error> { Task { try await home.policy.wait(id) } }
    let first = try await asked(home, tool)
    let (one, two) = (waited(first), waited(first))
    #expect(await answer(home, first, true, person) == nil)
    #expect(try await one.value == .allowed)
    #expect(try await two.value == .allowed)
    #expect(try await home.policy.wait(first) == .allowed)
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(first)"}"#, person) == nil)
    #expect(await home.refusal("approval.wait", #"{"id":"\#(first)"}"#, tool)?.kind == .invalidParams)

    let second = try await asked(home, tool)
    let end = home.clock.now.advanced(by: ApprovalBook.requestTimeout)
    let cancelled = waited(second)
    cancelled.cancel()
    await #expect(throws: AgentError(.cancelled)) { try await cancelled.value }
    let overdue = waited(second)
    try await eventually("it is waited for") { home.clock.isAwaited(at: end) }
    home.clock.advance(by: ApprovalBook.requestTimeout)
    #expect(try await overdue.value == .expired)

    let third = try await asked(home, tool)
    let later = home.clock.now.advanced(by: ApprovalBook.requestTimeout)
    let withdrawn = waited(third)
    try await eventually("it is waited for") { home.clock.isAwaited(at: later) }
    home.policy.forgetApprovals()
    #expect(try await withdrawn.value == .expired)
  }

  // MARK: - Events

  @Test("a request is announced once, then its answer, its revocation or its expiry by a lock; in order", .policy(ask))
  func tellsInOrder() async throws {
    var changes = home.policy.changes.stream.makeAsyncIterator()
    let (tool, person) = (await home.connect(1, unit: "tool.service"), await home.connect(2, unit: "desk.scope"))
    let id = try await asked(home, tool)
    _ = try await asked(home, tool)
    #expect(await home.refusal("approval.answer", #"{"id":"\#(id)","allow":true}"#, person) == nil)
    #expect(await home.refusal("approval.revoke", #"{"id":"\#(id)"}"#, person) == nil)
    let second = try await asked(home, tool)
    home.policy.forgetApprovals()
    let expected: [(EventType, String, ApprovalState)] = [
      (.approvalNeeded, id, .pending), (.approvalAnswered, id, .allowed), (.approvalAnswered, id, .expired),
      (.approvalNeeded, second, .pending), (.approvalAnswered, second, .expired),
    ]
    for (type, id, state) in expected {
      let change = try #require(await changes.next())
      #expect(change.type == type && change.approval.id == id && change.approval.state == state, "\(change)")
    }
  }

  @Test("a lock tells nothing of questions that had expired before", .policy(ask))
  func tellsNothingOfExpired() async throws {
    var changes = home.policy.changes.stream.makeAsyncIterator()
    let first = try await asked(home, await home.connect(1, unit: "tool.service"))
    home.clock.advance(by: .seconds(3600))
    home.policy.forgetApprovals()
    let second = try await asked(home, await home.connect(2, unit: "other.service"))
    for id in [first, second] {
      let change = try #require(await changes.next())
      #expect(change.approval.id == id, "\(change)")
    }
  }

  @Test("an approval event carries the request, and no status or token", .policy(ask))
  func publishes() async throws {
    let subscription = await home.agent.accounts.subscribe(EventsSubscribe.Params(tokens: true))
    let id = try await asked(home, await home.connect(1, unit: "tool.service"))
    let teller = Task { try await ApprovalPublisher(home.policy.changes, accounts: home.agent.accounts).run() }
    var found: AgentEvent?
    for await event in subscription.events where event.type == .approvalNeeded {
      found = event
      break
    }
    teller.cancel()
    let event = try #require(found)
    #expect(event.account == "work" && event.approval?.id == id && event.approval?.unit == "tool.service")
    #expect(event.status == nil && event.token == nil)
  }
}
