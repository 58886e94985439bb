import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SignInFlows

@Suite(.signIn, .timeLimit(.minutes(10))) struct FlowTimeTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  @Test("SI-11: a wait times out with a hint about the redirect, and a late callback still counts")
  func acceptsALateCallback() async throws {
    let flow = try await fixture.start()
    async let first = errorOf { try await fixture.service.wait(flow.id) }
    try await fixture.clock.advanceToSleeper(in: .seconds(60))
    let error = try #require(await first)
    #expect(error.kind == .flowTimedOut)
    #expect(error.data.hint?.contains("Site URL") == true)
    #expect(error.data.hint?.contains("http://127.0.0.1:*/**") == true)
    async let second = fixture.service.wait(flow.id)
    fixture.clock.advance(by: .seconds(239))
    #expect(try await LoopbackClient.browse(flow.port, flow.target()).body.contains("<h1>Signed in"))
    // The second wait may have timed out by now. The result is still available.
    _ = try? await second
    #expect(try await fixture.service.wait(flow.id).outcome == .signedIn)
  }

  @Test("SI-11: after 300 s the flow is over, its account free, its port closed; a minute later it is removed")
  func endsAfterTheServersLimit() async throws {
    let flow = try await fixture.start(timeout: 1000)
    async let error = errorOf { try await fixture.service.wait(flow.id) }
    try await fixture.clock.advanceToSleeper(in: .seconds(300))
    #expect(await error?.kind == .flowTimedOut)
    #expect(await errorKind { try await fixture.service.complete(flow.callback()) } == .flowUnknown)
    #expect(fixture.server.read(\.exchanges).isEmpty)
    _ = try await fixture.start(redirect: "manual")
    try await fixture.clock.advanceToSleeper(in: .seconds(10))
    try await eventually("the port is closed") { (try? LoopbackClient.connect(flow.port)).map { _ in false } ?? true }
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == .flowTimedOut)
    try await fixture.clock.advanceToSleeper(in: .seconds(50))
    try await eventually("it is forgotten") {
      await errorKind { try await fixture.service.wait(flow.id) } == .flowUnknown
    }
  }

  @Test("an exchange whose answer was lost is retried once with the same code and verifier")
  func retriesALostExchange() async throws {
    fixture.server.set { $0.exchangeAnswers = [.failure(AuthError(.network, "lost")), .success(.fixture("1"))] }
    let flow = try await fixture.start()
    #expect(try await LoopbackClient.browse(flow.port, flow.target()).body.contains("<h1>Signed in"))
    #expect(fixture.server.read(\.exchanges) == ["code-1", "code-1"])
    #expect(Set(fixture.server.read(\.verifiers)).count == 1)
  }

  @Test("without network a pasted callback can be repeated; a browser's callback ends the flow with the error")
  func keepsTheVerifier() async throws {
    let offline = AuthError(.network, "not reachable")
    fixture.server.set {
      $0.exchangeAnswers = [.failure(offline), .failure(offline), .success(.fixture("1")), .failure(offline)]
    }
    let pasted = try await fixture.start(redirect: "manual")
    #expect(await errorKind { try await fixture.service.complete(pasted.callback()) } == .offline)
    #expect(try await fixture.service.complete(pasted.callback()).outcome == .decisionNeeded)
    let flow = try await fixture.start(account: "other")
    let page = try await LoopbackClient.browse(flow.port, flow.target())
    #expect(page.body.contains("Connection failed. Please check your internet and try again."))
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == .offline)
  }

  @Test(
    "a final answer ends the flow",
    arguments: [
      ([AuthError(.flowStateExpired, "late", status: 422)], ErrorKind.callbackInvalid),
      ([AuthError(.userBanned, "banned", status: 403)], .denied),
      (
        [AuthError(.network, "lost"), AuthError(.flowStateNotFound, "used by the first try", status: 404)],
        .callbackInvalid
      ),
    ])
  func endsOnFinalAnswers(errors: [AuthError], kind: ErrorKind) async throws {
    fixture.server.set { $0.exchangeAnswers = errors.map { .failure($0) } }
    let flow = try await fixture.start()
    _ = try await LoopbackClient.get(flow.port, flow.target())
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == kind)
  }
}
