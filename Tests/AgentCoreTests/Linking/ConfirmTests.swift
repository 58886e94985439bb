import AgentProtocol
import AuthSandbox
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(2))) struct ConfirmTests {
  private var agent: LiveAgent { .current }
  private let noticed = ReportedLinks(.current)

  fileprivate static let policy = "[linking]\npolicy = \"confirm\""

  private func answer(_ flow: String, _ accept: Bool) async throws -> SignInResult {
    try await agent.service.decide(IdentityDecide.Params(flow: flow, accept: accept))
  }

  @Test("LK-2: every waiter gets the question, and nothing is stored before a yes", .question())
  func yes() async throws {
    let before = try await agent.token()
    let flow = try await agent.service.start(SignInStart.Params(provider: "google", redirect: "scheme"))
    async let waited = agent.service.wait(flow.flow)
    let asked = try await agent.service.complete(try await agent.redirectTarget(of: flow.url))
    #expect(asked.outcome == .decisionNeeded)
    #expect(asked.decision?.kind == SignInDecision.link)
    #expect(asked.decision?.identity?.provider == "google")
    #expect(asked.decision?.others?.map(\.provider) == ["email"])
    #expect(try await waited == asked)
    #expect(try await agent.service.wait(flow.flow) == asked, "who asks again gets the question again")
    #expect(try await agent.token() == before)
    #expect(try await agent.providers() == ["email"])
    let done = try await answer(flow.flow, true)
    #expect(done.outcome == .signedIn)
    #expect(try await agent.service.wait(flow.flow) == done)
    #expect(try await agent.token() != before)
    #expect(noticed.descriptions == ["google confirmed"])
    #expect(try await agent.signInWithGoogle().outcome == .signedIn, "what was agreed to is not asked again")
  }

  @Test("LK-2: a no unlinks the identity, undoes the sign-in and keeps the old session", .question())
  func no() async throws {
    let before = try await agent.token()
    let asked = try await agent.signInWithGoogle()
    let flow = try #require(asked.decision?.flow)
    #expect(await errorKind { try await answer(flow, false) } == .cancelled)
    #expect(agent.sandbox.users[0].providers == ["email"])
    try await eventually("the new session ends") { agent.sandbox.users[0].sessions.count == 1 }
    #expect(try await agent.token() == before)
    #expect(try await agent.providers() == ["email"])
    #expect(noticed.descriptions == ["google declined"])
    #expect(await errorKind { try await answer(flow, true) } == .flowUnknown)
    #expect(try await agent.signInWithGoogle().outcome == .decisionNeeded, "the next time is asked again")
  }

  @Test(
    "LK-2: if unlinking is forbidden, the start warns, and a no says what stays and who can remove it",
    .question(manualLinking: false))
  func noWhereItStays() async throws {
    let params = SignInStart.Params(provider: "google", redirect: "scheme")
    let flow = try await agent.service.start(params)
    #expect(flow.warning?.contains("may not allow") == true)
    _ = try await agent.service.complete(try await agent.redirectTarget(of: flow.url))
    let error = try #require(await errorOf { try await answer(flow.flow, false) })
    #expect(error.kind == .linkingDisabled)
    #expect(error.message.contains("is still linked to the account of anna@example.org"))
    #expect(error.data.hint?.contains("the project's administrator") == true)
    try await eventually("the new session ends") { agent.sandbox.users[0].sessions.count == 1 }
    #expect(agent.sandbox.users[0].providers == ["email", "google"])
    #expect(noticed.descriptions == ["google declinedInVain"])
    let second = try await agent.service.start(SignInStart.Params(account: "two", provider: "google"))
    #expect(second.warning?.contains("does not allow") == true)
  }

  @Test("LK-2: no warning if the project is known to allow unlinking, or under the automatic policy", .question())
  func warnings() async throws {
    _ = try await agent.linkGoogle()
    #expect(try await agent.service.start(SignInStart.Params(provider: "google")).warning == nil)
    try await withGoogleStage { stage async throws in
      try await stage.run { agent async throws in
        #expect(try await agent.service.start(SignInStart.Params(provider: "google")).warning == nil)
      }
    }
  }

  @Test("LK-2: a flow that ends without a decision is a no", .question())
  func undecided() async throws {
    let asked = try await agent.signInWithGoogle()
    try await agent.service.cancel(try #require(asked.decision?.flow))
    #expect(agent.sandbox.users[0].providers == ["email"])
    #expect(noticed.descriptions == ["google declined"])
    _ = try await agent.signInWithGoogle()
    await agent.service.shutdown()
    #expect(agent.sandbox.users[0].providers == ["email"])
  }

  @Test(
    "LK-2: a flow that is cancelled while its session waits to be stored asks nothing, and its link is undone",
    .question())
  func cancelledDuringAdoption() async throws {
    let flow = try await agent.service.start(SignInStart.Params(provider: "google", redirect: "scheme")).flow
    let url = try #require(await agent.service.flows[flow]?.launchURL)
    let landing = try await agent.redirectTarget(of: url)
    await agent.accounts.writeGate.enter("default")
    let completion = Task { await errorKind { try await agent.service.complete(landing) } }
    try await eventually("the session waits for the gate") { await agent.service.flows[flow]?.isAdopting == true }
    try await agent.service.cancel(flow)
    agent.accounts.writeGate.leave("default")
    #expect(await completion.value == .cancelled)
    #expect(agent.sandbox.users[0].providers == ["email"])
    #expect(noticed.descriptions == ["google declined"])
    try await eventually("the new session ends") { agent.sandbox.users[0].sessions.count == 1 }
    #expect(try await agent.signInWithGoogle().outcome == .decisionNeeded, "the account is free for the next sign-in")
  }

  @Test("LK-2: a hanging server delays neither the end of a flow nor a lock", .question())
  func hangingServer() async throws {
    agent.sandbox.inject(.hangBeforeCommit, at: .identities, count: nil)
    _ = try await agent.signInWithGoogle()
    await agent.service.endForLock()
    #expect(noticed.descriptions == ["google declinedInVain"])
    agent.sandbox.releaseHangs()
    try await eventually("the new session ends") { agent.sandbox.users[0].sessions.count == 1 }
  }

  @Test("LK-2: an unlink request without an answer is repeated once", .question())
  func lostAnswer() async throws {
    let flow = try #require(try await agent.signInWithGoogle().decision?.flow)
    agent.sandbox.inject(.dropAfterCommit, at: .identities)
    #expect(await errorKind { try await answer(flow, false) } == .cancelled)
    #expect(agent.sandbox.users[0].providers == ["email"])
  }

  @Test("LK-2: if the server cannot unlink, the no reports that the identity stays linked", .question())
  func serverDown() async throws {
    let flow = try #require(try await agent.signInWithGoogle().decision?.flow)
    agent.sandbox.inject(.badGatewayHTML, at: .identities, count: nil)
    #expect(await errorKind { try await answer(flow, false) } == .serviceUnavailable)
    #expect(noticed.descriptions == ["google declinedInVain"])
    #expect(try await agent.providers() == ["email"], "nothing was stored")
  }

  @Test("LK-2: a native sign-in cannot ask and is undone, unless the caller accepted the link beforehand", .question())
  func native() async throws {
    let refused = await errorKind { try await agent.signIn(by: .apple, email: LiveAgent.email, subject: "a1") }
    #expect(refused == .linkingConflict)
    #expect(agent.sandbox.users[0].providers == ["email"])
    try await agent.signIn(by: .apple, email: LiveAgent.email, subject: "a1", acceptLink: true)
    #expect(try await agent.providers() == ["email", "apple"])
    #expect(noticed.descriptions == ["apple declined", "apple confirmed"])
  }

  @Test("LK-2: a declined first sign-in leaves no account", .googleAgent(policy))
  func firstSignIn() async throws {
    let flow = try #require(try await agent.signInWithGoogle().decision?.flow)
    #expect(await errorKind { try await answer(flow, false) } == .cancelled)
    #expect(await agent.accounts.list().isEmpty)
    try await eventually("no session is left") { agent.sandbox.users[0].sessions.isEmpty }
  }
}

extension Flow {
  fileprivate var isAdopting: Bool { if case .adopting = phase { true } else { false } }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an agent with the policy, where `anna@example.org` is signed in by password.
  fileprivate static func question(manualLinking: Bool = true) -> Self {
    LiveAgent.running.trait { body in
      try await withGoogleStage(ConfirmTests.policy, manualLinking: manualLinking) { stage async throws in
        try await stage.run { agent async throws in
          try await agent.signIn()
          try await body(agent)
        }
      }
    }
  }
}
