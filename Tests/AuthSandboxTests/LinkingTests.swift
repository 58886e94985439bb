import Testing

@testable import AuthSandbox

struct LinkingTests {
  private let anna = [(name: "account", value: "anna@example.org")]

  private func userID(_ session: TestSession) -> String? { session.json["user"]?["id"]?.string }

  @Test("a verified address links silently to the only user that has it", .stage)
  func silentLink() async throws {
    let password = try await stage.session("anna@example.org")
    let google = try await Browser(stage: stage).session("google", anna)
    #expect(userID(google) == userID(password))
    #expect(google.json["user"]?["app_metadata"] == ["provider": "email", "providers": ["email", "google"]])
    #expect(stage.sandbox.users.count == 1)
    #expect(try await stage.signIn("anna@example.org").status == 200)
  }

  @Test("a known subject takes precedence over every address", .stage)
  func subjectWins() async throws {
    let subject = stage.sandbox.addProviderAccount(.google, email: "old@example.org")
    let first = try await Browser(stage: stage).session("google", [("account", "old@example.org")])
    _ = try await stage.session("new@example.org")
    var wanted = IDTokenRequest(provider: .google, email: "new@example.org")
    wanted.subject = subject
    #expect(userID(try await stage.idToken(wanted)) == userID(first))
  }

  @Test("an unverified Google address creates a separate user; Apple addresses always count as verified")
  func unverified() async throws {
    try await withStage { stage in
      let known = try await stage.session("anna@example.org")
      let google = try await Browser(stage: stage).session("google", anna + [("unverified", "yes")])
      #expect(userID(google) != userID(known))
      #expect(google.json["user"]?["email"] == "")
    }
    try await withStage { stage in
      let known = try await stage.session("anna@example.org")
      var apple = IDTokenRequest(provider: .apple, email: "anna@example.org")
      apple.emailVerified = false
      #expect(userID(try await stage.idToken(apple)) == userID(known))
    }
  }

  @Test("an unverified address needs confirmation without auto-confirmation", .stage { $0.autoconfirm = false })
  func needsVerification() async throws {
    let browser = Browser(stage: stage)
    let address = try await browser.authorize("google")
    let fields = [("action", "allow"), ("account", "anna@example.org"), ("unverified", "yes")]
    let location = try await browser.consent(address, fields).header("location") ?? ""
    #expect(browser.parameter("error_code", of: location) == "provider_email_needs_verification")
    #expect(browser.parameter("error", of: location) == "access_denied")
  }

  @Test("an unconfirmed user loses its password to the owner of the address", .stage { $0.autoconfirm = false })
  func unconfirmedIsErased() async throws {
    _ = try await stage.signUp("anna@example.org")
    let google = try await Browser(stage: stage).session("google", anna)
    #expect(stage.sandbox.users.count == 1)
    #expect(google.json["user"]?["app_metadata"]?["providers"] == ["google"])
    #expect(try await stage.signIn("anna@example.org").code == "invalid_credentials")
  }

  @Test("several users with the address are a permanent failure", .stage)
  func several() async throws {
    _ = try await Browser(stage: stage).session("google", anna)
    let other = try await stage.session("other@example.org")
    // The Google user changes its address. Its identity keeps the old one, which then becomes a
    // second user's address.
    let google = try await Browser(stage: stage).session("google", anna)
    _ = try await stage.call("PUT", "/user", token: google.access, body: ["email": "moved@example.org"])
    _ = try await stage.call("PUT", "/user", token: other.access, body: ["email": "anna@example.org"])
    let answer = try await stage.idTokenAnswer(IDTokenRequest(provider: .apple, email: "anna@example.org"))
    #expect(answer.status == 500)
    #expect(answer.code == "unexpected_failure")
    #expect(answer.text.contains("Multiple accounts with the same email address"))
  }
}

struct ManualLinkingTests {
  @Test("is off by default", .stage)
  func offByDefault() async throws {
    let session = try await stage.session()
    let path = "/user/identities/authorize?provider=google&skip_http_redirect=true"
    let link = try await stage.call("GET", path, token: session.access)
    #expect(link.status == 404)
    #expect(link.code == "manual_linking_disabled")
    let unlink = try await stage.call("DELETE", "/user/identities/x", token: session.access)
    #expect(unlink.status == 404)
  }

  @Test("linking ends in a new session of the same user; unlinking removes the identity")
  func linkAndUnlink() async throws {
    try await withStage({ $0.manualLinking = true }) { stage in
      let session = try await stage.session()
      let linked = try await stage.link("google", "anna@example.org", session)
      let new = try TestSession(await Browser(stage: stage).exchange(linked))
      #expect(new.json["user"]?["id"] == session.json["user"]?["id"])
      #expect(try new.claims["session_id"] != session.claims["session_id"])
      #expect(stage.sandbox.users.first?.providers == ["email", "google"])
      let identities = try #require(new.json["user"]?["identities"]?.array)
      let google = try #require(identities.last?["identity_id"]?.string)
      let gone = try await stage.call("DELETE", "/user/identities/\(google)", token: new.access)
      #expect(gone.status == 200)
      #expect(gone.text == "{}")
      #expect(stage.sandbox.users.first?.providers == ["email"])
      let again = try await stage.call("DELETE", "/user/identities/\(google)", token: new.access)
      #expect(again.code == "single_identity_not_deletable")
    }
  }

  @Test("rejects an unknown identity, and one whose removal leaves another user's address")
  func unlinkErrors() async throws {
    try await withStage({ $0.manualLinking = true }) { stage in
      let session = try await stage.session()
      _ = try await stage.link("google", "anna@example.org", session)
      let unknown = try await stage.call("DELETE", "/user/identities/none", token: session.access)
      #expect(unknown.code == "identity_not_found")
      // Without its email identity, the user would take the address anna@example.org, which another
      // user has by then.
      stage.sandbox.addUser(email: "anna@example.org", password: "correct horse 9")
      let user = try await stage.user(session.access).json
      let email = try #require(user["identities"]?.array?.first?["identity_id"]?.string)
      let conflict = try await stage.call("DELETE", "/user/identities/\(email)", token: session.access)
      #expect(conflict.code == "email_conflict_identity_not_deletable")
    }
  }

  @Test("an identity token can link as well", .stage { $0.manualLinking = true })
  func linkByToken() async throws {
    let session = try await stage.session()
    let token = try await stage.sandbox.mintIDToken(IDTokenRequest(provider: .apple, email: "alex@example.org"))
    let body: JSON = ["provider": "apple", "id_token": .string(token), "link_identity": true]
    let answer = try await stage.call("POST", "/token?grant_type=id_token", token: session.access, body: body)
    #expect(answer.status == 200)
    #expect(stage.sandbox.users.map(\.providers) == [["email", "apple"]])
  }
}

extension Stage {
  func idTokenAnswer(_ wanted: IDTokenRequest) async throws -> HTTPAnswer {
    let token = try await sandbox.mintIDToken(wanted)
    return try await call(
      "POST", "/token?grant_type=id_token",
      body: ["provider": .string(wanted.provider.rawValue), "id_token": .string(token)])
  }

  func idToken(_ wanted: IDTokenRequest) async throws -> TestSession { try TestSession(await idTokenAnswer(wanted)) }

  /// Links manually, and returns the URL where the browser ends.
  fileprivate func link(_ provider: String, _ account: String, _ session: TestSession) async throws -> String {
    let url = try await linkURL(provider, token: session.access)
    let fields = [("action", "allow"), ("account", account)]
    return try await Browser(stage: self).consent(url, fields).header("location") ?? ""
  }
}
