import AgentProtocol
import AuthSandbox
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// LK-1 and LK-4 over real HTTP.
@Suite(.timeLimit(.minutes(2))) struct AutomaticLinkTests {
  @Test("LK-1: an identity that the server linked is told once, also over a restart, and the account is the same")
  func noticesALink() async throws {
    try await withGoogleStage { stage async throws in
      try await stage.run { agent async throws in
        let noticed = NoticedLinks(agent)
        let first = try await agent.signIn()
        let events = await agent.accounts.subscribe(EventsSubscribe.Params())
        let result = try await agent.signInWithGoogle()
        #expect(result.account?.user?.id == first?.user?.id)
        #expect(try await agent.providers() == ["email", "google"])
        #expect(noticed.words == ["google automatic"])
        var linked: AgentEvent?
        for await event in events.events where event.type == .accountLinked {
          linked = event
          break
        }
        #expect(linked?.account == "default")
        #expect(linked?.status?.identities.count == 2)
        _ = try await agent.signInWithGoogle()
        #expect(noticed.words.count == 1)
      }
      try await stage.run { agent async throws in
        let noticed = NoticedLinks(agent)
        _ = try await agent.signInWithGoogle()
        _ = try await agent.accounts.refresh(nil)
        #expect(noticed.words.isEmpty)
      }
    }
  }

  @Test("LK-1: at a first sign-in here, what this sign-in linked is news, and what was linked long ago is none")
  func tellsNewsFromHistory() async throws {
    try await withGoogleStage { stage async throws in
      try await stage.run { agent async throws in
        let noticed = NoticedLinks(agent)
        _ = try await agent.signInWithGoogle()
        #expect(noticed.words == ["google automatic"])
      }
      stage.sandbox.advanceClock(by: .seconds(3600))
      let other = LiveStage(sandbox: stage.sandbox, keyFile: stage.keyFile + "-2")
      try await other.run { agent async throws in
        let noticed = NoticedLinks(agent)
        _ = try await agent.signInWithGoogle()
        #expect(try await agent.providers() == ["email", "google"])
        #expect(noticed.words.isEmpty)
      }
    }
  }

  @Test("LK-1: a link made on another device shows at the next refresh")
  func noticesALinkElsewhere() async throws {
    try await withGoogleStage { stage async throws in
      try await stage.run { agent async throws in
        let noticed = NoticedLinks(agent)
        try await agent.signIn()
        _ = try await agent.signInWithGoogle(account: "other")
        #expect(noticed.words == ["google automatic"])
        _ = try await agent.accounts.refresh("default")
        // The token does not wait for the news.
        try await eventually("the news") { noticed.words.count > 1 }
        #expect(noticed.words == ["google automatic", "google elsewhere"])
        #expect(try await agent.providers("default") == ["email", "google"])
      }
    }
  }

  @Test("LK-4: a relay address makes a user of its own, and nothing is linked")
  func relayAddresses() async throws {
    try await withGoogleStage { stage async throws in
      try await stage.run { agent async throws in
        let noticed = NoticedLinks(agent)
        try await agent.signIn()
        try await agent.signIn(by: .apple, email: "x1@privaterelay.appleid.com", subject: "a1", account: "two")
        #expect(stage.sandbox.users.count == 2)
        #expect(noticed.words.isEmpty)
      }
    }
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

  @Test("LK-1: what is known decides; without it, the server's times")
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

  @Test("LK-2: asked about is the identity of the sign-in's own provider, where the user has others")
  func merged() {
    let linked = user([("email", 0.003), ("google", 90_000)], signedIn: 90_010)
    #expect(LinkDetection.merged(linked, by: .google, known: nil)?.identityID == "google")
    #expect(LinkDetection.merged(linked, by: .email, known: ["google"])?.identityID == "email")
    #expect(LinkDetection.merged(linked, by: .apple, known: nil) == nil)
    #expect(LinkDetection.merged(user([("google", 90_000)], signedIn: 90_001), by: .google, known: nil) == nil)
  }
}
