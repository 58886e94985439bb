import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct DirectSignInTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static func params(_ email: String = "anna@example.org", account: String? = nil) -> PasswordParams {
    PasswordParams(account: account, project: nil, email: email, password: "correct horse")
  }

  @Test("SI-6: a password signs in, and the account is stored", .signIn)
  func signsInByPassword() async throws {
    let result = try await fixture.service.password(Self.params(account: "work"))
    #expect(result.outcome == .signedIn)
    #expect(result.account?.name == "work")
    #expect(result.account?.state == .authenticated)
    #expect(result.account?.activity == AccountActivity.none)
    #expect(fixture.server.read(\.passwords) == ["in anna@example.org correct horse"])
  }

  @Test("SI-6: a sign-up that needs confirmation by email stores nothing", .signIn)
  func waitsForTheMail() async throws {
    fixture.server.set { $0.passwordAnswer = .success(.confirmationSent) }
    let result = try await fixture.service.signUp(Self.params())
    #expect(result == SignInResult(.confirmationSent))
    #expect(await fixture.accounts.list().isEmpty)
    fixture.server.set { $0.passwordAnswer = .success(.session(.fixture("1"))) }
    #expect(try await fixture.service.signUp(Self.params()).outcome == .signedIn, "the account is free again")
  }

  @Test("SI-13: ten attempts an hour for an email address; further ones are not sent", .signIn)
  func limitsAttempts() async throws {
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
    for number in 0..<10 {
      #expect(
        await errorKind {
          try await fixture.service.password(
            Self.params(number.isMultiple(of: 2) ? "anna@example.org" : "Anna@Example.org"))
        } == .invalidCredentials)
      fixture.clock.advance(by: .seconds(60))
    }
    let error = await errorOf { try await fixture.service.password(Self.params()) }
    #expect(error?.kind == .rateLimited && error?.data.retryAfter == 3000)
    #expect(await errorKind { try await fixture.service.signUp(Self.params()) } == .rateLimited, "sign-up counts too")
    #expect(fixture.server.read(\.passwords).count == 10)
    #expect(
      await errorKind { try await fixture.service.password(Self.params("bert@example.org")) } == .invalidCredentials)
    fixture.clock.advance(by: .seconds(3000))
    #expect(await errorKind { try await fixture.service.password(Self.params()) } == .invalidCredentials)
  }

  @Test(
    "SI-13: an attempt that the server did not judge does not count, and a success resets the count",
    .signIn(attempts: 2))
  func countsWhatWasJudged() async throws {
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.network, "not reachable")) }
    for _ in 0..<5 { #expect(await errorKind { try await fixture.service.password(Self.params()) } == .offline) }
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
    #expect(await errorKind { try await fixture.service.password(Self.params()) } == .invalidCredentials)
    fixture.server.set { $0.passwordAnswer = .success(.session(.fixture("1"))) }
    _ = try await fixture.service.password(Self.params())
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
    for _ in 0..<2 {
      #expect(await errorKind { try await fixture.service.password(Self.params()) } == .invalidCredentials)
    }
    #expect(await errorKind { try await fixture.service.password(Self.params()) } == .rateLimited)
  }

  @Test(
    "an invalid email address is not sent", .signIn,
    arguments: ["", "anna", "anna @example.org", "anna@example.org\n", String(repeating: "a", count: 320) + "@b"])
  func refusesAddresses(email: String) async throws {
    #expect(await errorKind { try await fixture.service.password(Self.params(email)) } == .invalidParams)
    #expect(fixture.server.read(\.passwords).isEmpty)
  }

  // MARK: - Identity tokens

  private static func token(nonce: String?) -> String {
    let claims =
      nonce.map { "{\"iss\":\"https://appleid.apple.com\",\"nonce\":\"\($0)\"}" }
      ?? "{\"iss\":\"https://appleid.apple.com\"}"
    return "\(Base64URL.encode("{}".utf8)).\(Base64URL.encode(claims.utf8)).c2ln"
  }

  private static func params(_ provider: String = "apple", token: String, nonce: String?) -> SignInIDToken.Params {
    SignInIDToken.Params(account: nil, provider: provider, idToken: token, nonce: nonce)
  }

  @Test("SI-3: the agent's nonce has 32 characters, its hash goes to Apple, and it is valid once", .signIn)
  func spendsItsNonces() async throws {
    let nonce = await fixture.service.nonce()
    #expect(nonce.nonce.utf8.count == 32)
    #expect(nonce.hashed == fingerprint(nonce.nonce))
    let params = Self.params(token: Self.token(nonce: nonce.hashed), nonce: nonce.nonce)
    #expect(try await fixture.service.idToken(params).user?.provider == "apple")
    #expect(await errorKind { try await fixture.service.idToken(params) } == .callbackInvalid)
    #expect(fixture.server.read(\.idTokens) == ["apple \(nonce.nonce)"])
  }

  @Test("SI-3: the agent's nonce expires after ten minutes, or when too many others are outstanding", .signIn)
  func expiresItsNonces() async throws {
    let old = await fixture.service.nonce()
    fixture.clock.advance(by: .seconds(600))
    let first = await fixture.service.nonce()
    for _ in 0..<SignInLimits.maxOutstandingNonces { _ = await fixture.service.nonce() }
    for nonce in [old, first] {
      let params = Self.params(token: Self.token(nonce: nonce.hashed), nonce: nonce.nonce)
      #expect(await errorKind { try await fixture.service.idToken(params) } == .callbackInvalid)
    }
    #expect(fixture.server.read(\.idTokens).isEmpty)
  }

  @Test("SI-3: rejects a token with another nonce or without one, before anything is sent", .signIn)
  func refusesForeignNonces() async throws {
    let cases: [SignInIDToken.Params] = [
      Self.params(token: Self.token(nonce: fingerprint("other")), nonce: "raw"),
      Self.params(token: Self.token(nonce: "raw"), nonce: "raw"),
      Self.params(token: Self.token(nonce: nil), nonce: "raw"),
      Self.params(token: Self.token(nonce: fingerprint("raw")), nonce: nil),
      Self.params(token: Self.token(nonce: nil), nonce: nil),
      Self.params("google", token: Self.token(nonce: fingerprint("other")), nonce: "raw"),
      Self.params("google", token: Self.token(nonce: "x"), nonce: nil), Self.params(token: "no.token", nonce: "raw"),
      Self.params(token: "a.b!.c", nonce: "raw"),
    ]
    for params in cases { #expect(await errorKind { try await fixture.service.idToken(params) } == .callbackInvalid) }
    #expect(
      await errorKind {
        try await fixture.service.idToken(Self.params("github", token: Self.token(nonce: nil), nonce: nil))
      } == .invalidParams)
    #expect(fixture.server.read(\.idTokens).isEmpty)
  }

  @Test("SI-3: accepts a caller's own nonce, and a Google token without one", .signIn)
  func acceptsTheCallersNonce() async throws {
    _ = try await fixture.service.idToken(Self.params(token: Self.token(nonce: fingerprint("raw")), nonce: "raw"))
    _ = try await fixture.service.idToken(Self.params("google", token: Self.token(nonce: nil), nonce: nil))
    #expect(fixture.server.read(\.idTokens) == ["apple raw", "google -"])
  }

  // MARK: - Imported sessions

  @Test("SI-14: an imported session is checked by one refresh, then stored", .signIn)
  func importsASession() async throws {
    let params = SignInImportSession.Params(account: "work", refreshToken: "brought-along")
    let status = try await fixture.service.importSession(params)
    #expect(status.name == "work")
    #expect(status.tokenUsable)
    #expect(fixture.server.read(\.refreshes) == ["brought-along"])
  }

  @Test(
    "SI-14: a failed refresh is reported, and nothing is stored", .signIn,
    arguments: [
      (
        RefreshOutcome.fatal(.tokenNotFound, AuthError(.refreshTokenNotFound, "gone", status: 400)),
        ErrorKind.signInNeeded
      ),
      (.transient(AuthError(.network, "not reachable"), retryAfter: nil), .offline),
      (.misconfigured(AuthError(.gatewayRefused, "no key", status: 401)), .misconfigured),
      (.banned(AuthError(.userBanned, "banned", status: 403)), .denied),
    ])
  func refusesDeadSessions(outcome: RefreshOutcome, kind: ErrorKind) async throws {
    fixture.server.set { $0.refreshAnswer = outcome }
    let params = SignInImportSession.Params(account: nil, refreshToken: "dead")
    #expect(await errorKind { try await fixture.service.importSession(params) } == kind)
    #expect(await fixture.accounts.list().isEmpty)
    #expect(await errorKind { try await fixture.start(redirect: "manual") } == nil, "the account is free again")
  }

  @Test("an invalid refresh token is not sent", .signIn, arguments: ["", "two words", "line\n", "é"])
  func refusesTokens(token: String) async throws {
    let params = SignInImportSession.Params(account: nil, refreshToken: token)
    #expect(await errorKind { try await fixture.service.importSession(params) } == .invalidParams)
    #expect(fixture.server.read(\.refreshes).isEmpty)
  }

  // MARK: - Methods

  @Test("SI-1, SI-12, WS-1: lists the enabled methods, Apple first; reports offline without network", .signIn)
  func listsMethods() async throws {
    #expect(await errorKind { try await fixture.service.methods(SignInMethods.Params()) } == .offline)
    let on = ["github", "google", "email", "anonymous_users", "phone", "bitbucket", "apple"]
    let external = Dictionary(uniqueKeysWithValues: (on + ["azure"]).map { (Provider(rawValue: $0), $0 != "azure") })
    fixture.server.set { $0.settings = .success(ProjectSettings(external: external, samlEnabled: true)) }
    let names = ["apple", "google", "bitbucket", "github", "email", "phone", "sso", "anonymous"]
    #expect(
      try await fixture.service.methods(SignInMethods.Params()) == SignInMethods.Result(methods: names, signUp: true))
    fixture.server.set {
      $0.settings = .success(ProjectSettings(external: [.email: true, .google: false], disableSignup: true))
    }
    #expect(
      try await fixture.service.methods(SignInMethods.Params())
        == SignInMethods.Result(methods: ["email"], signUp: false))
  }
}
