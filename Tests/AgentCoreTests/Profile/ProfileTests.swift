import AgentProtocol
import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// The profile over real HTTP.
@Suite(.timeLimit(.minutes(2))) struct ProfileTests {
  @Test("SE-6: the profile is read after sign-in, changed, and known after a restart while the API is down")
  func readsAndKeeps() async throws {
    try await withLiveStage { stage async throws in
      try await stage.run { agent async throws in
        try await agent.signIn()
        try await eventually("the profile is read") { try await agent.onboarding() == "needed" }
        let changed = try await agent.profiles.update(
          ProfileUpdate.Params(set: ["display_name": .string("Anna"), "onboarding_complete": .bool(true)]))
        #expect(changed.onboarding == "complete")
        #expect(changed.profile?["display_name"] == .string("Anna"))
        #expect(try await agent.onboarding() == "complete")
        #expect(try await agent.profiles.get(AccountParams()).profile?["email"] == .string(LiveAgent.email))
      }
      stage.sandbox.inject(.badGatewayHTML, at: .profile, count: nil)
      let before = stage.sandbox.requestCount(.profile)
      try await stage.run { agent async throws in
        #expect(try await agent.onboarding() == "complete")
        #expect(await errorKind { try await agent.profiles.get(AccountParams()) } == .serviceUnavailable)
      }
      #expect(stage.sandbox.requestCount(.profile) == before + 1, "what is known is not read again at a start")
    }
  }

  @Test("SE-6: a failing API does not fail a sign-in, and is called again after the next refresh")
  func triesAgain() async throws {
    try await withLiveStage { stage async throws in
      stage.sandbox.inject(.databaseDown, at: .profile, count: nil)
      try await stage.run { agent async throws in
        #expect(try await agent.signIn()?.tokenUsable == true)
        try await stage.sandbox.waitForRequests(.profile, count: 1)
        #expect(try await agent.onboarding() == nil)
        stage.sandbox.clearFaults()
        _ = try await agent.accounts.refresh(nil)
        try await eventually("the profile is read") { try await agent.onboarding() == "needed" }
      }
    }
  }

  @Test("SE-6: a profile that was never read is read at startup")
  func readsAtTheStart() async throws {
    try await withLiveStage { stage async throws in
      stage.sandbox.inject(.dropBeforeCommit, at: .profile, count: nil)
      try await stage.run { agent async throws in
        try await agent.signIn()
        try await stage.sandbox.waitForRequests(.profile, count: 1)
      }
      stage.sandbox.clearFaults()
      try await stage.run { agent async throws in
        try await eventually("the profile is read") { try await agent.onboarding() == "needed" }
      }
    }
  }

  @Test("SE-6: without a profile, onboarding is needed")
  func noProfileYet() async throws {
    try await withLiveStage { stage async throws in
      stage.sandbox.inject(.answer(status: 404), at: .profile, count: nil)
      try await stage.run { agent async throws in
        try await agent.signIn()
        try await eventually("the answer is understood") { try await agent.onboarding() == "needed" }
        #expect(try await agent.profiles.get(AccountParams()).profile == nil)
      }
    }
  }

  @Test("SE-6: a PostgREST table: no row, then a new row, then a change; only the user's own row")
  func readsATable() async throws {
    try await withLiveStage("profile_path = \"/rest/v1/profiles\"") { stage async throws in
      try await stage.run { agent async throws in
        try await agent.signIn()
        try await eventually("the empty answer is understood") { try await agent.onboarding() == "needed" }
        #expect(try await agent.profiles.get(AccountParams()).profile == nil)
        let made = try await agent.profiles.update(ProfileUpdate.Params(set: ["full_name": .string("Anna")]))
        #expect(made.profile?["full_name"] == .string("Anna"))
        #expect(made.profile?["id"] == .string(stage.sandbox.users[0].id))
        let changed = try await agent.profiles.update(ProfileUpdate.Params(set: ["onboarding_complete": .bool(true)]))
        #expect(changed.profile?["full_name"] == .string("Anna"))
        #expect(try await agent.onboarding() == "complete")
        let refused = await errorKind {
          try await agent.profiles.update(ProfileUpdate.Params(set: ["no_such_column": .bool(true)]))
        }
        #expect(refused == .invalidParams)
      }
    }
  }

  @Test("rejects a profile that is too large, and sends no update of that size")
  func bounds() async throws {
    try await withLiveStage { stage async throws in
      try await stage.run { agent async throws in
        try await agent.signIn()
        try await eventually("the profile is read") { try await agent.onboarding() != nil }
        let long = String(repeating: "a", count: ProfileLimits.maxSize)
        let before = stage.sandbox.requestCount(.profile)
        #expect(
          await errorKind { try await agent.profiles.update(ProfileUpdate.Params(set: ["a": .string(long)])) }
            == .tooLarge)
        #expect(stage.sandbox.requestCount(.profile) == before + 1, "the profile was read, and nothing was changed")
        stage.sandbox.inject(.answer(status: 200, body: "{\"a\":\"\(long)\"}"), at: .profile)
        #expect(await errorKind { try await agent.profiles.get(AccountParams()) } == .tooLarge)
        #expect(await errorKind { try await agent.profiles.update(ProfileUpdate.Params(set: [:])) } == .invalidParams)
      }
    }
  }
}
