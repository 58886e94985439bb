import AgentProtocol
import AuthSandbox
import SessionVault
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// Facts that Apple sends only once.
@Suite(.timeLimit(.minutes(2))) struct FirstTimeTests {
  private var stage: LiveStage { .current }
  private var agent: LiveAgent { .current }

  private static let relay = "x7k2@privaterelay.appleid.com"

  @Test(
    "SI-4, SI-5: the first name and address survive later sign-ins and a restart, and prefill the profile", .liveStage)
  func keepsWhatComesOnce() async throws {
    try await stage.run { agent async throws in
      try await agent.signIn(by: .apple, email: Self.relay, subject: "a1", name: "Anna Lund")
      try await agent.signIn(by: .apple, email: Self.relay, subject: "a1")
      _ = try await agent.accounts.signOut(SessionSignOut.Params())
    }
    #expect(!stage.storage.files.values.contains { $0.firstRange(of: Array("Anna Lund".utf8)) != nil })
    try await stage.run { agent async throws in
      try await agent.signIn(by: .apple, email: Self.relay, subject: "a1")
      let shown = try await agent.profiles.get(AccountParams())
      #expect(shown.prefill == ["display_name": .string("Anna Lund")], "the profile has the address already")
      #expect(shown.profile?["email"] == .string(Self.relay))
      let changed = try await agent.profiles.update(ProfileUpdate.Params(set: ["onboarding_complete": .bool(true)]))
      #expect(changed.profile?["display_name"] == .string("Anna Lund"))
      #expect(changed.prefill == nil)
      #expect(try await agent.accounts.status(nil).user?.email == Self.relay)
    }
  }

  @Test(
    "SI-4: a new row is prefilled with Apple's facts, and the caller's values take precedence",
    .liveAgent("profile_path = \"/rest/v1/profiles\""))
  func prefillsARow() async throws {
    try await agent.signIn(by: .apple, email: Self.relay, subject: "a1", name: "Anna Lund")
    // The table has no column display_name: the row is created without the prefill, then
    // prefilled once its columns are known.
    let made = try await agent.profiles.update(ProfileUpdate.Params(set: ["onboarding_complete": .bool(false)]))
    #expect(made.prefill == ["email": .string(Self.relay), "full_name": .string("Anna Lund")])
    let filled = try await agent.profiles.update(ProfileUpdate.Params(set: ["full_name": .string("Anni")]))
    #expect(filled.profile?["full_name"] == .string("Anni"))
    #expect(filled.profile?["email"] == .string(Self.relay))
  }

  @Test(
    "SI-4: in the browser flow the server passes on Apple's facts; only the first ones of the Apple identity count")
  func keepsWhatTheServerPassesOn() async throws {
    @Sendable func session(_ token: String, _ name: String?, _ address: String) -> Session {
      let identities = [
        Identity(identityID: "i1", provider: .email, email: "anna@example.org"),
        Identity(identityID: "i2", provider: .apple, email: address),
      ]
      return Session(
        accessToken: BearerToken("access-\(token)"), expiresIn: 3600, refreshToken: RefreshToken("refresh-\(token)"),
        user: User(
          id: "user-1", email: "anna@example.org", userMetadata: name.map { ["full_name": $0] } ?? [:],
          identities: identities))
    }
    try await withAccounts { fixture async throws in
      func signIn(_ session: Session, by provider: Provider) async throws -> FirstTimeFacts? {
        let ticket = try await fixture.accounts.beginSignIn(
          account: nil, project: nil, provider: provider, replace: false)
        _ = try await fixture.accounts.adopt(session, for: ticket)
        return try await fixture.accounts.profileTarget(nil).firstTime
      }
      #expect(try await signIn(session("1", "Somebody", Self.relay), by: .google) == nil, "Apple told nothing")
      let first = FirstTimeFacts(name: "Anna Lund", email: Self.relay)
      #expect(try await signIn(session("2", "Anna Lund", Self.relay), by: .apple) == first)
      #expect(try await signIn(session("3", nil, Self.relay), by: .apple) == first)
      #expect(try await signIn(session("4", "Changed", "other@example.org"), by: .apple) == first)
    }
  }

  @Test("SI-15: another person's facts are not used after --replace", .liveAgent())
  func forgetsAnotherPerson() async throws {
    try await agent.signIn(by: .apple, email: Self.relay, subject: "a1", name: "Anna Lund")
    try await eventually("the profile is read") { try await agent.onboarding() == "needed" }
    agent.sandbox.inject(.databaseDown, at: .profile, count: nil)
    _ = try await agent.service.password(
      PasswordParams(
        account: nil, project: nil, email: LiveAgent.email, password: LiveAgent.password, replace: true))
    #expect(try await agent.onboarding() == nil)
    #expect(try await agent.accounts.profileTarget(nil).firstTime == nil)
  }

  @Test("VA-4: a lock erases personal facts from memory, and an unlock restores them", .liveAgent())
  func forgetsAtALock() async throws {
    try await agent.signIn(by: .apple, email: Self.relay, subject: "a1", name: "Anna Lund")
    await agent.accounts.forgetSessions()
    #expect(await agent.accounts.people.isEmpty)
    try await agent.accounts.restore()
    #expect(try await agent.accounts.profileTarget(nil).firstTime?.name == "Anna Lund")
  }

  @Test("rejects an invalid name before anything is sent", .liveAgent())
  func refusesNonsense() async throws {
    let long = String(repeating: "a", count: 300)
    let refused = await errorKind {
      try await agent.signIn(by: .apple, email: Self.relay, subject: "a1", name: long)
    }
    #expect(refused == .invalidParams)
    #expect(agent.sandbox.requestCount(.idToken) == 0)
  }
}
