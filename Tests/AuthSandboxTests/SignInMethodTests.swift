import Testing

@testable import AuthSandbox

/// Providers by name, anonymous users, single sign-on and CAPTCHA, beyond single recorded exchanges.
struct SignInMethodTests {
  private static let callback = "http://127.0.0.1:43117/cb"

  @Test("a provider signs in by its page", arguments: ["github", "keycloak", "custom:acme", "x"])
  func provider(name: String) async throws {
    try await withStage({ $0.providers = [name] }) { stage in
      let session = try await Browser(stage: stage).session(name, [("email", "kim@lab.test")])
      #expect(session.json["user"]?["app_metadata"] == ["provider": .string(name), "providers": [.string(name)]])
      #expect(session.json["user"]?["email"] == "kim@lab.test")
      let external = try await stage.call("GET", "/settings").json["external"]
      #expect(external?[name] == (["github", "keycloak"].contains(name) ? true : nil))
      #expect(external?["gitlab"] == false)
    }
  }

  @Test("a provider's name is case-insensitive, and a disabled one has no page", .stage { $0.providers = ["github"] })
  func names() async throws {
    let address = try await Browser(stage: stage).authorize("GitHub")
    #expect(address.contains("/provider/github/authorize?"))
    #expect(try await stage.api("GET", "/provider/gitlab/authorize?state=x").status == 404)
  }

  @Test(
    "scopes are added and split at commas; a custom provider's are replaced, Apple's stay",
    .stage { $0.providers = ["github", "custom:acme"] },
    arguments: [
      ("github", "repo,gist", "user:email repo gist"), ("github", "repo%20gist", "user:email repo gist"),
      ("custom:acme", "a%20b", "a b"), ("custom:acme", "a,b", "a,b"), ("apple", "more", "email name"),
      ("google", "", "email profile"),
    ])
  func scopes(name: String, wanted: String, expected: String) async throws {
    let browser = Browser(stage: stage)
    let address = try await browser.authorize(name, extra: "&scopes=\(wanted)")
    #expect(browser.parameter("scope", of: address) == expected)
  }

  @Test("a client's other keys replace the server's own, and a state of its own fails the sign-in")
  func overridingKeys() async throws {
    try await withStage({ $0.providers = ["github"] }) { stage in
      let browser = Browser(stage: stage)
      let keys = "&state=mine&client_id=other&response_type=token"
      let address = try await browser.authorize("github", extra: keys)
      for (name, value) in [("state", "mine"), ("client_id", "other"), ("response_type", "token")] {
        #expect(browser.parameter(name, of: address) == value)
      }
      let end = try await browser.consent(address, [("action", "allow"), ("email", "kim@lab.test")])
      let location = end.header("location") ?? ""
      #expect(location.hasPrefix(stage.origin) && browser.parameter("error_code", of: location) == "bad_oauth_state")
      let apple = try await browser.authorize("apple", extra: keys)
      #expect(browser.parameter("client_id", of: apple) == "sandbox.apple.service")
    }
  }

  @Test("a callback without a code is an error of the client's flow", .stage)
  func noCode() async throws {
    let browser = Browser(stage: stage)
    let state = browser.parameter("state", of: try await browser.authorize("google")) ?? ""
    let location = try await stage.call("GET", "/callback?state=\(state)").header("location") ?? ""
    #expect(browser.parameter("error", of: location) == "invalid_request")
    #expect(browser.parameter("error_code", of: location) == "bad_oauth_callback")
  }

  @Test("an identity token of a custom provider signs in", .stage { $0.providers = ["custom:acme"] })
  func customToken() async throws {
    let provider = SandboxProvider(rawValue: "custom:acme")
    let token = try await stage.sandbox.mintIDToken(IDTokenRequest(provider: provider, email: "kim@lab.test"))
    let body: JSON = ["provider": "custom:acme", "id_token": .string(token)]
    let session = try TestSession(await stage.call("POST", "/token?grant_type=id_token", body: body))
    #expect(session.json["user"]?["app_metadata"]?["provider"] == "custom:acme")
  }

  /// The ways in which an anonymous user becomes a permanent one.
  enum Upgrade: CaseIterable {
    case code, provider, idToken, autoconfirm
  }

  @Test("an anonymous user keeps its ID when it becomes permanent", arguments: Upgrade.allCases)
  func upgrade(way: Upgrade) async throws {
    try await withStage({
      $0.anonymousEnabled = true
      $0.manualLinking = true
      $0.autoconfirm = way == .autoconfirm
    }) { stage in
      let guest = try await stage.guest()
      #expect(try guest.claims["is_anonymous"] == true)
      #expect(try guest.claims["amr"]?.array?.first?["method"] == "anonymous")
      #expect(guest.json["user"]?["email"] == "" && guest.json["user"]?["identities"] == [])
      let id = guest.json["user"]?["id"]
      try await Self.upgrade(guest, way, stage)
      #expect(try await stage.user(guest.access).json["id"] == id)
      let refreshed = try await stage.rotate(guest.refresh)
      #expect(refreshed.json["user"]?["id"] == id)
      #expect(try refreshed.claims["is_anonymous"] == false)
      #expect(try refreshed.claims["amr"]?.array?.first?["method"] == "anonymous")
      #expect(stage.sandbox.users.count == 1)
    }
  }

  private static func upgrade(_ guest: TestSession, _ way: Upgrade, _ stage: Stage) async throws {
    switch way {
    case .code:
      let mail = try await stage.message("PUT", "/user", ["email": "guest@lab.test"], token: guest.access)
      _ = try TestSession(await stage.verify("email_change", "guest@lab.test", mail.code))
    case .autoconfirm:
      let body: JSON = ["email": "guest@lab.test", "password": "correct horse 9"]
      _ = try await stage.call("PUT", "/user", token: guest.access, body: body)
      _ = try TestSession(await stage.signIn("guest@lab.test"))
    case .provider:
      let browser = Browser(stage: stage)
      let url = try await stage.linkURL("google", token: guest.access)
      let end = try await browser.consent(url, [("action", "allow"), ("account", "anna@example.org")])
      let session = try TestSession(await browser.exchange(end.header("location") ?? ""))
      #expect(try session.claims["session_id"] != guest.claims["session_id"])
    case .idToken:
      let wanted = IDTokenRequest(provider: .google, email: "guest@gmail.test")
      let token = try await stage.sandbox.mintIDToken(wanted)
      let body: JSON = ["provider": "google", "id_token": .string(token), "link_identity": true]
      _ = try TestSession(await stage.call("POST", "/token?grant_type=id_token", token: guest.access, body: body))
    }
  }

  @Test("linking an unverified address to an anonymous user is refused")
  func unverifiedLink() async throws {
    try await withStage({
      $0.anonymousEnabled = true
      $0.manualLinking = true
      $0.autoconfirm = false
    }) { stage in
      let browser = Browser(stage: stage)
      let url = try await stage.linkURL("google", token: try await stage.guest().access)
      let fields = [("action", "allow"), ("account", "anna@example.org"), ("unverified", "yes")]
      let location = try await browser.consent(url, fields).header("location") ?? ""
      #expect(browser.parameter("error_code", of: location) == "email_not_confirmed")
      #expect(browser.parameter("error", of: location) == "server_error")
    }
  }

  @Test("the identity provider's page must be done in 2 minutes; errors end at the Site URL")
  func relayClock() async throws {
    try await withStage({
      $0.ssoDomains = ["example.test"]
      $0.frozenClock = true
    }) { stage in
      let browser = Browser(stage: stage)
      for (seconds, code) in [(110, nil), (125, "saml_relay_state_expired")] {
        let form = try await stage.assertion(try await stage.startSSO("example.test"), email: "anna@example.test")
        stage.sandbox.advanceClock(by: .seconds(seconds))
        let location = try await stage.post(assertion: form)
        #expect(browser.parameter("error_code", of: location) == code)
        #expect(location.hasPrefix(code == nil ? Self.callback : stage.origin))
      }
      let denied = try await stage.assertion(
        try await stage.startSSO("example.test"), email: "anna@example.test", action: "cancel")
      #expect(try await stage.post(assertion: denied).hasPrefix(stage.origin + "?error="))
      let elsewhere = try await stage.startSSO("example.test", redirect: "https://evil.test/")
      let form = try await stage.assertion(elsewhere, email: "anna@example.test")
      #expect(try await stage.post(assertion: form).hasPrefix(stage.origin + "?code="))
    }
  }

  @Test("a CAPTCHA is needed to begin a sign-in, and not for the rest", .stage { $0.providers = ["github"] })
  func captcha() async throws {
    let session = try await stage.session()
    stage.sandbox.configure { $0.captcha = .on }
    for path in ["/signup", "/otp", "/recover", "/resend", "/sso", "/token?grant_type=password", "/token"] {
      #expect(try await stage.call("POST", path, body: [:]).code == "captcha_failed", "\(path)")
    }
    let body: JSON = [
      "email": "gina@lab.test", "password": "correct horse 9",
      "gotrue_meta_security": ["captcha_token": "sandbox-captcha"],
    ]
    _ = try TestSession(await stage.call("POST", "/token?grant_type=password", body: body))
    #expect(try await stage.verify("email", "gina@lab.test", "000000").code == "otp_expired")
    _ = try await stage.rotate(session.refresh)
    #expect(try await stage.call("GET", "/reauthenticate", token: session.access).status == 200)
    _ = try await Browser(stage: stage).session("github", [("email", "kim@lab.test")])
  }

  @Test("the project's own sign-in page is served, with the sandbox's URL and key", .stage)
  func signInPage() async throws {
    #expect(try await stage.api("GET", "/sign-in-page").status == 404)
    stage.sandbox.configure { $0.signInPage = #"<p>https://PROJECT.supabase.co "KEY"</p>"# }
    let page = try await stage.api("GET", "/sign-in-page")
    #expect(page.text == "<p>\(stage.origin) \"\(stage.sandbox.anonKey)\"</p>")
    #expect(page.header("content-security-policy") == "frame-ancestors 'none'")
  }
}
