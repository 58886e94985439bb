import AgentProtocol
import AuthSandbox
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(2))) struct AutomaticLinkTests {
  private var stage: LiveStage { .current }
  private var agent: LiveAgent { .current }

  @Test(
    "LK-1: an identity linked by the server is reported once, also over a restart, and keeps the account", .googleStage)
  func noticesALink() async throws {
    try await stage.run { agent async throws in
      let noticed = ReportedLinks(agent)
      let first = try await agent.signIn()
      let events = await agent.accounts.subscribe(EventsSubscribe.Params())
      let result = try await agent.signInWithGoogle()
      #expect(result.account?.user?.id == first?.user?.id)
      #expect(try await agent.providers() == ["email", "google"])
      #expect(noticed.descriptions == ["google automatic"])
      var linked: AgentEvent?
      for await event in events.events where event.type == .accountLinked {
        linked = event
        break
      }
      #expect(linked?.account == "default")
      #expect(linked?.status?.identities.count == 2)
      _ = try await agent.signInWithGoogle()
      #expect(noticed.descriptions.count == 1)
    }
    try await stage.run { agent async throws in
      let noticed = ReportedLinks(agent)
      _ = try await agent.signInWithGoogle()
      _ = try await agent.accounts.refresh(nil)
      #expect(noticed.descriptions.isEmpty)
    }
  }

  @Test("LK-1: a first sign-in here reports the link that it made, but not one made long ago", .googleStage)
  func tellsNewsFromHistory() async throws {
    try await stage.run { agent async throws in
      let noticed = ReportedLinks(agent)
      _ = try await agent.signInWithGoogle()
      #expect(noticed.descriptions == ["google automatic"])
    }
    stage.sandbox.advanceClock(by: .seconds(3600))
    let other = LiveStage(sandbox: stage.sandbox, keyFile: stage.keyFile + "-2")
    try await other.run { agent async throws in
      let noticed = ReportedLinks(agent)
      _ = try await agent.signInWithGoogle()
      #expect(try await agent.providers() == ["email", "google"])
      #expect(noticed.descriptions.isEmpty)
    }
  }

  @Test("LK-1: a link made on another device is reported at the next refresh", .googleAgent())
  func noticesALinkElsewhere() async throws {
    let noticed = ReportedLinks(agent)
    try await agent.signIn()
    _ = try await agent.signInWithGoogle(account: "other")
    #expect(noticed.descriptions == ["google automatic"])
    _ = try await agent.accounts.refresh("default")
    // The refresh does not wait for the report.
    try await eventually("the news") { noticed.descriptions.count > 1 }
    #expect(noticed.descriptions == ["google automatic", "google elsewhere"])
    #expect(try await agent.providers("default") == ["email", "google"])
  }

  @Test("LK-4: a relay address creates a separate user, and nothing is linked", .googleAgent())
  func relayAddresses() async throws {
    let noticed = ReportedLinks(agent)
    try await agent.signIn()
    try await agent.signIn(by: .apple, email: "x1@privaterelay.appleid.com", subject: "a1", account: "two")
    #expect(agent.sandbox.users.count == 2)
    #expect(noticed.descriptions.isEmpty)
  }
}

@Suite struct LinkDetectionTests {
  private let born = Date(timeIntervalSince1970: 1_000_000)

  private func user(_ identities: [(String, TimeInterval)], signedIn: TimeInterval) -> User {
    User(
      id: "u",
      identities: identities.map {
        Identity(
          identityID: $0.0, provider: Provider(rawValue: $0.0), createdAt: born.addingTimeInterval($0.1))
      }, createdAt: born, lastSignInAt: born.addingTimeInterval(signedIn))
  }

  private func new(_ user: User, _ known: [String]?) -> [String] {
    LinkDetection.new(in: user, known: known).map(\.identityID)
  }

  @Test("LK-1: known identities decide; without them, the server's timestamps do")
  func detects() {
    let linked = user([("email", 0.003), ("google", 90_000)], signedIn: 90_010)
    #expect(new(linked, ["email"]) == ["google"])
    #expect(new(linked, ["email", "google"]) == [])
    #expect(new(linked, nil) == ["google"])
    #expect(new(user([("email", 0.003), ("google", 90_000)], signedIn: 95_000), nil) == [])
    #expect(new(user([("email", 0.003)], signedIn: 0.01), nil) == [], "a sign-up is no link")
    #expect(
      new(user([("google", 90_000)], signedIn: 90_001), nil) == ["google"], "it replaced what was never confirmed")
    #expect(new(User(id: "u"), nil) == [])
    #expect(new(User(id: "u"), ["email"]) == [])
  }

  @Test("LK-2: the question is about the identity of the sign-in's provider, if the user has others")
  func merged() {
    let linked = user([("email", 0.003), ("google", 90_000)], signedIn: 90_010)
    #expect(LinkDetection.merged(linked, by: .google, known: nil)?.identityID == "google")
    #expect(LinkDetection.merged(linked, by: .email, known: ["google"])?.identityID == "email")
    #expect(LinkDetection.merged(linked, by: .apple, known: nil) == nil)
    #expect(LinkDetection.merged(user([("google", 90_000)], signedIn: 90_001), by: .google, known: nil) == nil)
  }
}
