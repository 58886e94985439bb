import AgentConfiguration
import AgentProtocol
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// The events about approval requests and answers.
@Suite(.timeLimit(.minutes(10))) struct ApprovalEventTests {
  private static let ask = [PolicyRule(account: "work", action: .ask)]

  /// Returns the id of the approval request that `call` raises.
  private func asked(_ home: PolicyFixture, _ call: Call) async throws -> String {
    try #require(await home.refusal("session.token", "{}", call)?.data.approval)
  }

  @Test("a request is announced once, then its answer, its revocation or its expiry by a lock; in order")
  func tellsInOrder() async throws {
    try await withPolicy(Self.ask) { home async throws in
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
  }

  @Test("a lock tells nothing of questions that had expired before")
  func tellsNothingOfExpired() async throws {
    try await withPolicy(Self.ask) { home async throws in
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
  }

  @Test("an approval event carries the request, and no status or token")
  func publishes() async throws {
    try await withPolicy(Self.ask) { home async throws in
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
}
