import AgentProtocol
import SupabaseAuth
import Testing

@testable import SessionEngine
@testable import SignInFlows

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
  func refusals() async {
    #expect(await errorKind { try ProfileAnswer.document(APIResponse(status: 404), .row) } == .misconfigured)
    let body = #"{"message":"no column \u202e x"}"#
    do {
      _ = try ProfileAnswer.changed(APIResponse(status: 400, body: Array(body.utf8)))
      Issue.record("a refusal is no answer")
    } catch {
      #expect(error.kind == .invalidParams)
      #expect(error.message.contains(#"\u{202e}"#))
    }
  }
}
