import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct SecondFactorEventTests {
  private var home: PolicyFixture { .ruled }

  private let request = #"{"account":"work","assurance":"aal2","reason":"deploy\u001b[2J"}"#

  @Test("MF-4: the event names the program and its reason, once in ten minutes for each account", .policy([]))
  func names() async throws {
    let subscription = await home.agent.accounts.subscribe(EventsSubscribe.Params())
    let call = await home.connect(1, Caller(start: 1, executable: "/usr/bin/deploy", unit: "ci.service"))
    for _ in 0..<3 { #expect(await home.refusal("session.token", request, call)?.kind == .mfaNeeded) }
    let other = #"{"account":"home","assurance":"aal2"}"#
    #expect(await home.refusal("session.token", other, await home.connect(2, Caller())) != nil)
    home.clock.advance(by: .seconds(600))
    #expect(await home.refusal("session.token", request, call)?.kind == .mfaNeeded)
    let events = try await subscription.events(5).dropFirst(2)
    #expect(events.map(\.type) == [.mfaNeeded, .mfaNeeded, .mfaNeeded])
    #expect(events.map(\.account) == ["work", "home", "work"])
    let first = try #require(events.first)
    #expect(first.program == "/usr/bin/deploy, ci.service")
    #expect(first.reason == #"deploy\u{1b}[2J"#)
    #expect(first.status?.name == "work")
    #expect(events.dropFirst().first?.program == nil)
  }

  @Test("a request that may wait for nothing tells nothing", .policy([]))
  func tellsNothing() async throws {
    let subscription = await home.agent.accounts.subscribe(EventsSubscribe.Params())
    let call = await home.connect(1, Caller())
    #expect(await home.refusal("session.token", #"{"account":"work","assurance":"aal1"}"#, call) == nil)
    #expect(await home.refusal("session.token", #"{"account":"none","assurance":"aal2"}"#, call) != nil)
    _ = try await home.agent.accounts.use("home")
    let events = try await subscription.events(3)
    #expect(events.last?.type == .defaultChanged)
  }

  @Test("a verification ends the ten minutes", .policy([]))
  func startsAnew() async throws {
    try await home.agent.signIn("mfa", with: [.app], token: "5", user: "user-5")
    let call = await home.connect(1, Caller())
    let request = #"{"account":"mfa","assurance":"aal2"}"#
    #expect(await home.refusal("session.token", request, call)?.kind == .mfaNeeded)
    #expect(await !home.agent.accounts.takeSecondFactorNotice("mfa"))
    try await home.agent.completeVerification(with: .verified("6", user: "user-5"), account: "mfa")
    #expect(await home.refusal("session.token", request, call) == nil)
    #expect(await home.agent.accounts.takeSecondFactorNotice("mfa"))
  }

  @Test("a request for a level is not answered on the event loop", .policy([]))
  func isNotHot() async throws {
    let call = await home.connect(1, Caller())
    #expect(home.isHot(call, account: "work"))
    #expect(await home.refusal("session.token", request, call)?.kind == .mfaNeeded)
  }
}
