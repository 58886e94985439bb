import AgentProtocol
import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(2))) struct ProfileTests {
  private var stage: LiveStage { .current }
  private var agent: LiveAgent { .current }

  @Test("SE-6: the profile is read after sign-in, changed, and known after a restart while the API is down", .liveStage)
  func readsAndKeeps() async throws {
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

  @Test("SE-6: a failing API does not fail a sign-in, and is called again after the next refresh", .liveStage)
  func triesAgain() async throws {
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

  @Test("SE-6: a profile that was never read is read at startup", .liveStage)
  func readsAtTheStart() async throws {
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

  @Test(
    "SE-6: without a profile, onboarding is needed, if the configuration declares a profile API",
    .liveAgent("profile_path = \"/api/v1/profile\""))
  func noProfileYet() async throws {
    agent.sandbox.inject(.answer(status: 404), at: .profile, count: nil)
    try await agent.signIn()
    try await eventually("the answer is understood") { try await agent.onboarding() == "needed" }
    #expect(try await agent.profiles.get(AccountParams()).profile == nil)
  }

  @Test("SE-6: a project without a profile API has no onboarding, and is asked once for each sign-in", .liveAgent())
  func noProfileAPI() async throws {
    agent.sandbox.inject(.answer(status: 404), at: .profile, count: nil)
    try await agent.signIn()
    try await eventually("the answer is understood") { await !agent.accounts.wantsProfile("default") }
    #expect(agent.sandbox.requestCount(.profile) == 1)
    #expect(try await agent.onboarding() == nil)
    let error = await #expect(throws: AgentError.self) { try await agent.profiles.get(AccountParams()) }
    #expect(error?.kind == .misconfigured && error?.message == "This project has no profile API.")
  }

  @Test(
    "SE-6: a PostgREST table: no row, then a new row, then a change; only the user's own row",
    .liveAgent("profile_path = \"/rest/v1/profiles\""))
  func readsATable() async throws {
    try await agent.signIn()
    try await eventually("the empty answer is understood") { try await agent.onboarding() == "needed" }
    #expect(try await agent.profiles.get(AccountParams()).profile == nil)
    let made = try await agent.profiles.update(ProfileUpdate.Params(set: ["full_name": .string("Anna")]))
    #expect(made.profile?["full_name"] == .string("Anna"))
    #expect(made.profile?["id"] == .string(agent.sandbox.users[0].id))
    let changed = try await agent.profiles.update(ProfileUpdate.Params(set: ["onboarding_complete": .bool(true)]))
    #expect(changed.profile?["full_name"] == .string("Anna"))
    #expect(try await agent.onboarding() == "complete")
    let refused = await errorKind {
      try await agent.profiles.update(ProfileUpdate.Params(set: ["no_such_column": .bool(true)]))
    }
    #expect(refused == .invalidParams)
  }

  @Test("rejects a profile that is too large, and sends no update of that size", .liveAgent())
  func bounds() async throws {
    try await agent.signIn()
    try await eventually("the profile is read") { try await agent.onboarding() != nil }
    let long = String(repeating: "a", count: ProfileLimits.maxSize)
    let before = agent.sandbox.requestCount(.profile)
    #expect(
      await errorKind { try await agent.profiles.update(ProfileUpdate.Params(set: ["a": .string(long)])) }
        == .tooLarge)
    #expect(agent.sandbox.requestCount(.profile) == before + 1, "the profile was read, and nothing was changed")
    agent.sandbox.inject(.answer(status: 200, body: "{\"a\":\"\(long)\"}"), at: .profile)
    #expect(await errorKind { try await agent.profiles.get(AccountParams()) } == .tooLarge)
    #expect(await errorKind { try await agent.profiles.update(ProfileUpdate.Params(set: [:])) } == .invalidParams)
  }
}

@Suite struct ProfileRulesTests {
  @Test(
    "the URL path of a profile",
    arguments: [
      ("/api/v1/profile", "/api/v1/profile"), ("/rest/v1/profiles", "/rest/v1/profiles?id=eq.u%2F%26%0A1"),
      ("/rest/v1/profiles?select=*", "/rest/v1/profiles?select=*&id=eq.u%2F%26%0A1"),
    ])
  func addresses(configured: String, path: String) {
    let address = ProfileAddress(configured, userID: "u/&\n1")
    #expect(address.path == path)
    #expect((address.form == .row) == configured.hasPrefix("/rest"))
  }

  @Test("the onboarding state of a profile")
  func onboarding() {
    #expect(ProfileDocument(members: nil).onboarding == "needed")
    #expect(ProfileDocument(members: [:]).onboarding == "complete")
    #expect(ProfileDocument(members: ["onboarding_complete": .bool(false)]).onboarding == "needed")
    #expect(ProfileDocument(members: ["onboarding_complete": .bool(true)]).onboarding == "complete")
  }

  private static let facts = FirstTimeFacts(name: "Anna", email: "a@example.org")

  @Test("prefills members that are missing, null or empty; in a row only existing columns")
  func prefill() {
    func filled(_ members: [String: JSONValue]?, _ form: ProfileAddress.Form) -> [String] {
      ProfileDocument(members: members).prefill(Self.facts, form).keys.sorted()
    }
    #expect(filled(nil, .document) == ["display_name", "email"])
    #expect(filled(["name": .null], .document) == ["email", "name"])
    #expect(filled(["display_name": .string("B"), "email": .string("")], .document) == ["email"])
    #expect(filled(["id": .string("1"), "full_name": .null], .row) == ["full_name"])
    #expect(filled(nil, .row) == ["display_name", "email"])
    #expect(filled(["display_name": .bool(true), "email": .string("x")], .document) == [])
    #expect(ProfileDocument(members: nil).prefill(nil, .document).isEmpty)
  }

  @Test("a later sign-in without name or address erases neither")
  func facts() {
    #expect(Self.facts.updated(by: FirstTimeFacts()) == Self.facts)
    #expect(Self.facts.updated(by: FirstTimeFacts(name: "B")) == FirstTimeFacts(name: "B", email: "a@example.org"))
  }

  @Test(
    "the error kind of each response",
    arguments: [
      (200, "[]", nil), (200, "{}", nil), (204, "", nil), (200, "<html>", ErrorKind.serviceUnavailable),
      (200, "[1]", .serviceUnavailable), (401, "", .denied), (403, "", .denied), (429, "", .rateLimited),
      (500, "", .serviceUnavailable), (302, "", .misconfigured), (418, "", .serviceUnavailable), (404, "", nil),
    ])
  func answers(status: Int, body: String, kind: ErrorKind?) async {
    let answer = APIResponse(status: status, body: Array(body.utf8))
    #expect(await errorKind { try ProfileAnswer.document(answer, .document) } == kind)
  }

  @Test("a missing table is a configuration error, a refused change is the caller's error")
  func refusals() async throws {
    #expect(await errorKind { try ProfileAnswer.document(APIResponse(status: 404), .row) } == .misconfigured)
    let body = #"{"message":"no column \u202e x"}"#
    let error = try #require(
      await errorOf { try ProfileAnswer.changed(APIResponse(status: 400, body: Array(body.utf8))) })
    #expect(error.kind == .invalidParams)
    #expect(error.message.contains(#"\u{202e}"#))
  }
}
