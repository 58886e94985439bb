@testable import AuthSandbox

extension Claims {
  private static let byMail: @Sendable (inout SandboxSettings) -> Void = { $0.autoconfirm = false }

  static let anonymous: [String: Claim] = [
    "sign-in": .asIs,
    "add an address": guest(),
    "its code": guest { stage, session in
      let mail = try await stage.message("PUT", "/user", ["email": "guest@lab.test"], token: session.access)
      return Sending(members: ["token": .string(mail.code)])
    },
    "link Google": guest(),
    "link by id_token": guest { stage, session in
      let wanted = IDTokenRequest(provider: .google, email: "guest@gmail.test")
      return Sending(
        token: session.access, members: ["id_token": .string(try await stage.sandbox.mintIDToken(wanted))])
    },
    "anonymous off (POST /signup)": Claim(settings: { $0.anonymousEnabled = false }) { _ in
      // A password alone is no sign-up with a password.
      Sending(members: ["password": "correct horse 9"])
    },
    "sign-up off (POST /signup)": Claim(settings: { $0.signupDisabled = true }) { _ in Sending(members: ["data": [:]])
    },
    "enrol a factor (POST /factors)": guest { _, session in
      Sending(token: session.access, members: Stage.totp("").object ?? [:])
    },
    "reauthenticate (GET /reauthenticate)": guest(),
    "password without address (PUT /user)": guest { _, session in
      Sending(token: session.access, members: ["password": "correct horse 9"])
    },
    "address of another user (PUT /user)": guest { stage, session in
      _ = try await stage.codeSession("ann@lab.test")
      return Sending(token: session.access, members: ["email": "ann@lab.test"])
    },
    "empty body (POST /signup)": .asIs,
    "identity of another user": guest { stage, session in
      let browser = Browser(stage: stage)
      let other = try await browser.authorize("google")
      _ = try await browser.consent(other, [("action", "allow"), ("account", "anna@example.org")])
      let url = try await stage.linkURL("google", token: session.access)
      let page = try await browser.post(
        "/provider/google/consent",
        [("state", browser.parameter("state", of: url) ?? ""), ("action", "allow"), ("account", "anna@example.org")])
      return Sending(path: String(page.header("location")?.dropFirst(stage.origin.count) ?? ""))
    },
  ]

  /// A claim with an anonymous user's session, whose access token is sent.
  private static func guest(
    _ prepare: @escaping @Sendable (Stage, TestSession) async throws -> Sending = { Sending(token: $1.access) }
  ) -> Claim {
    Claim(
      settings: {
        byMail(&$0)
        $0.manualLinking = true
      }, prepare: { stage in try await prepare(stage, try await stage.guest()) })
  }

  private static let domains: @Sendable (inout SandboxSettings) -> Void = {
    $0.ssoDomains = ["example.test", "disabled.test"]
    $0.disabledSSODomains = ["disabled.test"]
  }

  private static func sso(
    _ prepare: @escaping @Sendable (Stage) async throws -> Sending
  ) -> Claim { Claim(settings: domains, prepare: prepare) }

  private static func sso(_ members: [String: JSON]) -> Claim { sso { _ in Sending(members: members) } }

  static let sso: [String: Claim] = [
    "start": sso([:]),
    "the IdP posts back (browser)": sso { stage in
      Sending(form: try await stage.assertion(try await stage.startSSO("example.test"), email: "anna@example.test"))
    },
    "assertion posted twice": sso { stage in
      let form = try await stage.assertion(try await stage.startSSO("example.test"), email: "anna@example.test")
      _ = try await stage.post(assertion: form)
      return Sending(form: form)
    },
    "exchange": sso { stage in
      .exchange(Browser(stage: stage).parameter("code", of: try await stage.ssoLocation()) ?? "")
    },
    "SAML off (POST /sso)": .after { _ in Sending(members: ["domain": "example.test"]) },
    "no provider for the domain (POST /sso)": sso(["domain": "EXAMPLE.test"]),
    "unknown provider_id (POST /sso)": sso(["provider_id": "11111111-2222-3333-4444-555555555555"]),
    "provider disabled (POST /sso)": sso(["domain": "disabled.test"]),
    "neither domain nor id (POST /sso)": sso(["redirect_to": "http://127.0.0.1:43117/cb"]),
    "id no UUID (POST /sso)": sso(["provider_id": "x"]),
    "bad challenge (POST /sso)": sso([
      "domain": "example.test", "code_challenge": "short", "code_challenge_method": "s256",
    ]),
    "password of an SSO user (PUT /user)": sso { stage in
      Sending(token: try await stage.ssoSession().access, members: ["password": "correct horse 9"])
    },
    "email code for an SSO user (POST /otp)": sso { stage in
      _ = try await stage.ssoSession()
      return Sending(members: ["email": "anna@example.test", "create_user": false])
    },
    "implicit session past the assertion’s end (POST /token)": sso { stage in
      let location = try await stage.ssoLocation(pkce: false)
      let fragment = FormCoding.decode(location.split(separator: "#").last ?? "")
      stage.sandbox.advanceClock(by: .seconds(28801))
      return .refresh(fragment.first { $0.name == "refresh_token" }?.value ?? "")
    },
  ]

  private static let names: @Sendable (inout SandboxSettings) -> Void = {
    $0.providers = ["github", "keycloak", "custom:lab"]
    $0.disabledCustomProviders = ["custom:old"]
  }

  private static func provided(_ path: String? = nil) -> Claim {
    Claim(settings: names) { _ in Sending(path: path) }
  }

  static let providers: [String: Claim] = [
    "github (the others alike)": provided(),
    "keycloak with scopes": provided(),
    "keys that override": provided(),
    "what becomes of a client’s state": provided(),
    "custom:lab (OAuth2)": provided(),
    "exchange of a keycloak login": Claim(settings: names) { stage in
      let location = try await Browser(stage: stage).signIn("keycloak", [("email", "kim@lab.test")])
      return .exchange(Browser(stage: stage).parameter("code", of: location) ?? "")
    },
    "disabled (GET /authorize)": provided("/authorize?provider=gitlab"),
    "unknown name (GET /authorize)": provided("/authorize?provider=banana"),
    "custom unknown (GET /authorize)": Claim.with { _ in }.path("/authorize?provider=custom:lab"),
    "custom disabled (GET /authorize)": Claim.with { $0.disabledCustomProviders = ["custom:lab"] }
      .path("/authorize?provider=custom:lab"),
    "custom providers off (GET /authorize)": Claim.with { $0.customProvidersEnabled = false }
      .path("/authorize?provider=custom:lab"),
    "id_token, custom unknown (POST /token)": .after { stage in
      let token = try await stage.sandbox.mintIDToken(IDTokenRequest(provider: .google, email: nil))
      return Sending(members: ["provider": "custom:lab", "id_token": .string(token)])
    },
    "link, provider disabled (GET /user/identities/authorize)": Claim(settings: { $0.manualLinking = true }) { stage in
      Sending(token: try await stage.session().access, path: "/user/identities/authorize?provider=github")
    },
  ]

  private static func captcha(_ mode: CaptchaMode, token: JSON? = nil) -> Claim {
    Claim(settings: { $0.captcha = mode }) { _ in
      var members: [String: JSON] = ["email": "cap@lab.test", "password": "correct horse 9"]
      members["gotrue_meta_security"] = token.map { ["captcha_token": $0] }
      return Sending(members: members)
    }
  }

  static let captcha: [String: Claim] = [
    "no token": captcha(.on),
    "token refused": .with { $0.captcha = .on },
    "no token (POST /token)": captcha(.on),
    "refused (POST /token)": captcha(.on, token: "bad"),
    "service not reachable (POST /token)": captcha(.down, token: "any"),
    "empty body (POST /otp)": .with { $0.captcha = .on },
  ]

  private static let strict: @Sendable (inout SandboxSettings) -> Void = {
    $0.minimumPasswordLength = 10
    $0.passwordCharacterSets = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"]
  }

  /// Sends a new password in a session, after a preparation.
  private static func newPassword(
    _ password: String = "another horse 10",
    _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    _ prepare: @escaping @Sendable (Stage, TestSession) async throws -> [String: JSON] = { _, _ in [:] }
  ) -> Claim {
    Claim(settings: settings) { stage in
      let session = try await stage.session()
      let extra = try await prepare(stage, session)
      return Sending(
        token: session.access, members: extra.merging(["password": .string(password)]) { old, _ in old })
    }
  }

  /// A new password needs a code, and tokens outlive the day after which it does.
  private static let careful: @Sendable (inout SandboxSettings) -> Void = {
    $0.passwordNeedsReauthentication = true
    $0.tokenLifetime = 200_000
  }

  static let passwords: [String: Claim] = [
    "weak, two reasons": .with(strict),
    "reauthenticate": .after { stage in Sending(token: try await stage.session().access) },
    "same password (PUT /user)": newPassword("correct horse 9"),
    "weak (PUT /user)": newPassword("abc"),
    "too long (PUT /user)": newPassword(String(repeating: "a", count: 73)),
    "reauthenticate again at once (GET /reauthenticate)": Claim(settings: { $0.emailInterval = 2 }) { stage in
      let session = try await stage.session()
      try await stage.message("GET", "/reauthenticate", nil, token: session.access)
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending(token: session.access)
    },
    "older session, no nonce (PUT /user)": newPassword("another horse 10", careful) { stage, _ in
      stage.sandbox.advanceClock(by: .seconds(86500))
      return [:]
    },
    "wrong nonce (PUT /user)": newPassword("another horse 10", careful) { stage, session in
      let code = try await stage.nonce(session)
      return ["nonce": code == "000000" ? "000001" : "000000"]
    },
    "nonce after same_password (PUT /user)": newPassword("another horse 10", careful) { stage, session in
      let code = try await stage.nonce(session)
      let body: JSON = ["password": "correct horse 9", "nonce": .string(code)]
      _ = try await stage.call("PUT", "/user", token: session.access, body: body)
      return ["nonce": .string(code)]
    },
    "nonce used twice (PUT /user)": newPassword("another horse 11", careful) { stage, session in
      let code = try await stage.nonce(session)
      let body: JSON = ["password": "another horse 10", "nonce": .string(code)]
      _ = try await stage.call("PUT", "/user", token: session.access, body: body)
      return ["nonce": .string(code)]
    },
    "current password missing (PUT /user)": newPassword("another horse 10") { $0.passwordNeedsCurrent = true },
    "current password wrong (PUT /user)": newPassword(
      "another horse 10", { $0.passwordNeedsCurrent = true }
    ) { _, _ in ["current_password": "wrong horse"] },
    "other session after the change (POST /token)": .after { stage in
      let first = try await stage.session()
      let second = try TestSession(await stage.signIn())
      _ = try await stage.call("PUT", "/user", token: first.access, body: ["password": "another horse 10"])
      return .refresh(second.refresh)
    },
  ]
}

extension Claim {
  /// The same claim with another path.
  fileprivate func path(_ path: String) -> Claim {
    Claim(settings: settings) { stage in
      var sending = try await prepare(stage)
      sending.path = path
      return sending
    }
  }
}

extension Stage {
  /// The code for a new password, in a session that has become older than a day.
  fileprivate func nonce(_ session: TestSession) async throws -> String {
    sandbox.advanceClock(by: .seconds(86500))
    return try await message("GET", "/reauthenticate", nil, token: session.access).code
  }

  /// The provider's URL for linking.
  func linkURL(_ provider: String, token: String) async throws -> String {
    let path =
      "/user/identities/authorize?provider=\(provider)&skip_http_redirect=true&redirect_to=http://127.0.0.1:43117/cb"
      + "&code_challenge=\(Browser.challenge)&code_challenge_method=s256"
    let answer = try await call("GET", path, token: token)
    guard let url = try answer.json["url"]?.string else { throw NoSession(answer: answer.text) }
    return url
  }
}
