import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

/// The same calls against the sandbox, which has its own definition of the wire format.
@Suite struct SandboxTests {
  private func withSandbox(
    _ settings: SandboxSettings = SandboxSettings(), _ body: (SupabaseAuthClient, AuthSandbox) async throws -> Void
  ) async throws {
    let sandbox = try await AuthSandbox.start(settings)
    sandbox.addUser(email: "anna@example.org", password: "correct horse")
    let endpoint = try ProjectEndpoint(url: sandbox.url, anonKey: sandbox.anonKey)
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "ritual-test/1", limits: .generous)
    let result = await outcome { try await body(client, sandbox) }
    await client.shutdown()
    await sandbox.stop()
    try result.get()
  }

  private func signIn(_ client: SupabaseAuthClient) async throws -> Session {
    try await client.signIn(email: "anna@example.org", password: Password("correct horse"))
  }

  private func refreshed(_ client: SupabaseAuthClient, _ token: RefreshToken) async throws -> Session {
    let outcome = await client.refresh(token)
    guard case .refreshed(let session) = outcome else {
      throw AuthError(.unexpected, ClassifyRefreshTests.text(outcome))
    }
    return session
  }

  @Test(arguments: [RefreshAlgorithm.v1, .v2]) func aSessionFromSignInToSignOut(algorithm: RefreshAlgorithm)
    async throws
  {
    var settings = SandboxSettings()
    settings.refreshAlgorithm = algorithm
    try await withSandbox(settings) { client, sandbox in
      let first = try await signIn(client)
      #expect(first.expiresIn == 3600 && first.user.email == "anna@example.org")
      #expect(first.sessionID != nil && first.serverDate != nil)
      let second = try await refreshed(client, first.refreshToken)
      #expect(second.refreshToken != first.refreshToken && second.sessionID == first.sessionID)
      let again = try await refreshed(client, first.refreshToken)
      #expect(again.refreshToken == second.refreshToken, "the parent of the active token is answered again")
      #expect(try await client.user(second.accessToken).id == first.user.id)
      try await client.logout(second.accessToken, scope: .local)
      try await client.logout(second.accessToken, scope: .local)
      let end = await client.refresh(second.refreshToken)
      #expect(ClassifyRefreshTests.text(end) == "fatal tokenNotFound refreshTokenNotFound")
    }
  }

  @Test func reuseEndsTheSession() async throws {
    try await withSandbox { client, sandbox in
      let first = try await signIn(client)
      let second = try await refreshed(client, first.refreshToken)
      _ = try await refreshed(client, second.refreshToken)
      sandbox.advanceClock(by: .seconds(60))
      let end = await client.refresh(first.refreshToken)
      #expect(ClassifyRefreshTests.text(end) == "fatal tokenAlreadyUsed refreshTokenAlreadyUsed")
    }
  }

  @Test("SL-1: the limits of a project for sessions are told apart")
  func limits() async throws {
    try await withSandbox { client, sandbox in
      func end(_ change: @escaping @Sendable (inout SandboxSettings) -> Void) async throws -> String {
        let session = try await signIn(client)
        sandbox.configure(change)
        sandbox.advanceClock(by: .seconds(2000))
        let text = ClassifyRefreshTests.text(await client.refresh(session.refreshToken))
        sandbox.configure { ($0.sessionTimebox, $0.inactivityTimeout, $0.lowAssuranceLimit) = (nil, nil, nil) }
        return text
      }
      #expect(try await end { $0.sessionTimebox = 1000 } == "fatal timebox sessionExpired")
      #expect(try await end { $0.inactivityTimeout = 1000 } == "fatal inactivity sessionExpired")
      try sandbox.addFactor(to: "anna@example.org")
      #expect(try await end { $0.lowAssuranceLimit = 1000 } == "fatal lowAssurance sessionExpired")
    }
  }

  @Test("SL-1: a newer sign-in and a hook end no session")
  func refusedForNow() async throws {
    try await withSandbox { client, sandbox in
      let first = try await signIn(client)
      sandbox.configure { $0.singleSession = true }
      sandbox.advanceClock(by: .seconds(60))
      let second = try await signIn(client)
      let revoked = await client.refresh(first.refreshToken)
      #expect(ClassifyRefreshTests.text(revoked) == "refused newerSignIn")
      try await client.logout(second.accessToken, scope: .local)
      let renewed = try await refreshed(client, first.refreshToken)
      sandbox.configure { $0.accessTokenHook = .refuses }
      let blocked = await client.refresh(renewed.refreshToken)
      #expect(ClassifyRefreshTests.text(blocked) == "refused hookRefused")
      sandbox.configure { ($0.accessTokenHook, $0.hookTokenLifetime) = (.off, 90) }
      let shortened = try await refreshed(client, renewed.refreshToken)
      #expect(shortened.expiresIn == 90 && shortened.isShortened)
    }
  }

  @Test func refusals() async throws {
    try await withSandbox { client, sandbox in
      let wrong = try await authError {
        try await client.signIn(email: "anna@example.org", password: Password("wrong"))
      }
      #expect(wrong.code == .invalidCredentials && wrong.serverCode == "invalid_credentials")
      let code = try await authError { try await client.exchange(code: "made-up", verifier: "v") }
      #expect(code.code == .flowStateNotFound)
      let token = try await authError { try await client.user(BearerToken("garbage")) }
      #expect(token.code == .badJWT && token.status == 403)
      let known = try await authError {
        try await client.signUp(email: "anna@example.org", password: Password("correct horse"))
      }
      #expect(known.code == .userExists)
      let garbage = await client.refresh(RefreshToken(""))
      #expect(ClassifyRefreshTests.text(garbage) == "fatal tokenInvalid validationFailed")
      try sandbox.banUser("anna@example.org")
      let banned = try await authError { try await signIn(client) }
      #expect(banned.code == .userBanned)
    }
  }

  @Test func anIDToken() async throws {
    try await withSandbox { client, sandbox in
      let token = try await sandbox.mintIDToken(IDTokenRequest(provider: .google, email: "gina@example.org"))
      let session = try await client.signIn(provider: .google, idToken: token, nonce: nil, accessToken: nil)
      #expect(session.user.identities?.map(\.provider) == [.google])
      let refused = try await authError {
        try await client.signIn(provider: .google, idToken: token, nonce: "unexpected", accessToken: nil)
      }
      #expect(refused.code == .idTokenRefused)
    }
  }

  @Test func theProject() async throws {
    try await withSandbox { client, sandbox in
      #expect(try await client.settings().isOn(.apple))
      #expect(try await client.health().name == "GoTrue")
      #expect(try await client.signingKeys().first?.members["kty"] == "EC")
      let endpoint = try ProjectEndpoint(url: sandbox.url, anonKey: "another-key")
      let stranger = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
      let outcome = await stranger.refresh(RefreshToken("t"))
      #expect(ClassifyRefreshTests.text(outcome) == "misconfigured gatewayRefused")
      await stranger.shutdown()
    }
  }

  @Test func aMailIsSentWhereTheProjectConfirms() async throws {
    var settings = SandboxSettings()
    settings.autoconfirm = false
    try await withSandbox(settings) { client, _ in
      for email in ["new@example.org", "anna@example.org"] {
        guard case .confirmationSent = try await client.signUp(email: email, password: Password("correct horse")) else {
          Issue.record("no confirmation for \(email)")
          return
        }
      }
    }
  }
}
