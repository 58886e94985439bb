import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.signIn, .timeLimit(.minutes(10))) struct PasteTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  @Test("SI-15: a first sign-in by paste shows the user, and a yes completes the sign-in for every waiter")
  func asksAndAccepts() async throws {
    let flow = try await fixture.start(account: "work", redirect: "manual")
    #expect(flow.redirect.hasPrefix("http://127.0.0.1:1022/callback?attempt="))
    async let waiting = fixture.service.wait(flow.id)
    let asked = try await fixture.service.complete("  \(flow.callback())\n")
    #expect(asked.outcome == .decisionNeeded)
    #expect(asked.decision?.kind == "newAccount")
    #expect(asked.decision?.flow == flow.id)
    #expect(asked.decision?.account == "work")
    #expect(asked.decision?.user.email == "anna@example.org")
    #expect(await fixture.accounts.list().isEmpty, "nothing is stored before the answer")
    #expect(
      try await fixture.service.complete(flow.callback()).decision == asked.decision, "it can be asked for again")
    let done = try await fixture.service.decide(IdentityDecide.Params(flow: flow.id, accept: true))
    #expect(done.outcome == .signedIn)
    #expect(try await waiting == done)
    #expect(fixture.server.read(\.exchanges).count == 1)
    #expect(await errorKind { try await fixture.service.complete(flow.callback()) } == .flowUnknown)
    #expect(
      await errorKind { try await fixture.service.decide(IdentityDecide.Params(flow: flow.id, accept: true)) }
        == .flowUnknown)
  }

  @Test("TK-8: a token's lifetime starts with its request, not with the answer to the question")
  func countsFromTheRequest() async throws {
    let flow = try await fixture.start(account: "work", redirect: "manual")
    _ = try await fixture.service.complete(flow.callback())
    fixture.clock.advance(by: .seconds(200))
    _ = try await fixture.service.decide(IdentityDecide.Params(flow: flow.id, accept: true))
    let token = try await fixture.accounts.token(SessionToken.Params(account: "work"))
    #expect(token.expiresIn == 3600 - 200)
  }

  @Test("SI-15: a no stores nothing, revokes the session and cancels", arguments: [true, false])
  func asksAndRefuses(byAnswer: Bool) async throws {
    let flow = try await fixture.start(redirect: "manual")
    async let waiting = errorKind { try await fixture.service.wait(flow.id) }
    _ = try await fixture.service.complete(flow.callback())
    if byAnswer {
      let answer = IdentityDecide.Params(flow: flow.id, accept: false)
      #expect(await errorKind { try await fixture.service.decide(answer) } == .cancelled)
    } else {
      try await fixture.service.cancel(flow.id)
    }
    #expect(await waiting == .cancelled)
    try await eventually("the revocation") { fixture.server.read(\.logouts) == ["access-1"] }
    #expect(await fixture.accounts.list().isEmpty)
  }

  @Test("SI-15: a known user gets no question; another user is refused and revoked, unless replaced")
  func knowsItsUser() async throws {
    _ = try await fixture.service.password(PasswordParams(account: nil, project: nil, email: "a@b", password: "x"))
    fixture.server.set { $0.exchangeAnswers = [.success(.fixture("2")), .success(.fixture("3", user: "user-2"))] }
    let same = try await fixture.start(redirect: "manual")
    #expect(try await fixture.service.complete(same.callback()).outcome == .signedIn)
    let other = try await fixture.start(redirect: "manual")
    #expect(await errorKind { try await fixture.service.complete(other.callback()) } == .wrongUser)
    #expect(await errorKind { try await fixture.service.wait(other.id) } == .wrongUser)
    try await eventually("the revocation") { fixture.server.read(\.logouts).contains("access-3") }
    #expect(try await fixture.accounts.status(nil).user?.id == "user-1")
    let replacing = try await fixture.start(redirect: "manual", replace: true)
    #expect(try await fixture.service.complete(replacing.callback()).account?.user?.id == "user-2")
  }

  @Test("SI-7b: a callback to the URL scheme needs no confirmation, because its handler is no person")
  func takesTheScheme() async throws {
    let flow = try await fixture.start("apple", redirect: "scheme")
    #expect(flow.redirect.hasPrefix("dailyritual://auth-callback?attempt="))
    #expect(try await fixture.service.complete(flow.callback()).outcome == .signedIn)
  }
}
