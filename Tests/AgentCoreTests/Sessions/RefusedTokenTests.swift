import AgentProtocol
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// An auth server whose own endpoints refuse the tokens that it issues, such as an instance that does
/// not have the new signing key yet: the session stands, and a token causes one refresh at most.
@Suite(.timeLimit(.minutes(10))) struct RefusedTokenTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  private static let refused = AuthError(.badJWT, "refused", status: 403, serverCode: "bad_jwt")

  /// Signs in. The server refuses the tokens that it issues, and refreshes them.
  private func signInRefused() async throws {
    try await fixture.signIn(with: [.app])
    fixture.server.answerUser(with: .failure(Self.refused))
    fixture.factors.failOthers(with: Self.refused)
    fixture.factors.failChallenges(with: Self.refused)
    let count = Mutexed(1)
    fixture.server.answerRefreshes { _ in
      count.value += 1
      return .refreshed(.fixture("\(count.value)", assurance: "aal1", factors: [.app]))
    }
  }

  /// A request with the access token.
  enum Request: CaseIterable, Sendable {
    case identities, unlink, factors, enroll, remove, verify

    func send(_ fixture: AccountsFixture) async throws {
      let accounts = fixture.accounts
      switch self {
      case .identities: _ = try await IdentityService(accounts: accounts).list(AccountParams(account: nil))
      case .unlink: _ = try await IdentityService(accounts: accounts).unlink(IdentityUnlink.Params(identityID: "x"))
      case .factors: _ = try await accounts.factors(nil)
      case .enroll: _ = try await accounts.enrollFactor(MFAEnroll.Params(type: "totp"))
      case .remove: try await accounts.removeFactor(MFARemove.Params(factor: "app"))
      case .verify: _ = try await accounts.verifyFactor(MFAVerify.Params(code: "123456"))
      }
    }
  }

  @Test(
    "the session stays, the error is temporary, and repeated requests cause one refresh", .accounts,
    arguments: Request.allCases)
  func refreshesOnce(request: Request) async throws {
    try await signInRefused()
    for round in 1...3 {
      let error = await errorOf { try await request.send(fixture) }
      #expect(error?.kind == .serviceUnavailable, "\(round): \(String(describing: error))")
      #expect(error?.kind.facts.exit == .temporary)
      try await eventually("no refresh is in flight") { await !fixture.accounts.isRefreshInFlight }
      // Later than what makes a token too new to be refreshed again.
      fixture.clock.advance(by: .seconds(10))
    }
    #expect(fixture.server.refreshes == ["refresh-1"])
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    #expect(try await fixture.token().accessToken == "access-2")
  }

  @Test("requests of different kinds share the one refresh", .accounts)
  func sharesTheRefresh() async throws {
    try await signInRefused()
    for request in Request.allCases + Request.allCases {
      #expect(await errorOf { try await request.send(fixture) }?.kind == .serviceUnavailable)
      try await eventually("no refresh is in flight") { await !fixture.accounts.isRefreshInFlight }
      fixture.clock.advance(by: .seconds(10))
    }
    #expect(fixture.server.refreshes == ["refresh-1"])
  }

  @Test("a newer token of the planned refresh is tried again; an accepted token may be refused later", .accounts)
  func triesAgainWithSomethingNewer() async throws {
    try await signInRefused()
    _ = await errorOf { try await fixture.accounts.factors(nil) }
    #expect(fixture.server.refreshes.count == 1)
    fixture.clock.advance(by: .seconds(3500))
    try await eventually("the planned refresh") { try await fixture.token().accessToken == "access-3" }
    fixture.clock.advance(by: .seconds(10))
    _ = await errorOf { try await fixture.accounts.factors(nil) }
    #expect(fixture.server.refreshes == ["refresh-1", "refresh-2", "refresh-3"])
    fixture.server.answerUser(with: .success(User(id: "user-1", factors: [.app])))
    _ = try await fixture.accounts.factors(nil)
    fixture.server.answerUser(with: .failure(Self.refused))
    fixture.clock.advance(by: .seconds(10))
    _ = await errorOf { try await fixture.accounts.factors(nil) }
    #expect(fixture.server.refreshes.count == 4)
  }

  @Test("a restart does not refresh a token again that replaced a refused one", .restarts)
  func remembersAcrossARestart() async throws {
    let server = ScriptedAuthServer()
    server.answerUser(with: .failure(Self.refused))
    let count = Mutexed(1)
    server.answerRefreshes { _ in
      count.value += 1
      return .refreshed(.fixture("\(count.value)"))
    }
    try await home.start(server: server) { fixture async throws in
      try await fixture.signIn()
      _ = await errorOf { try await fixture.accounts.factors(nil) }
      #expect(server.refreshes.count == 1)
    }
    for _ in 0..<3 {
      home.clock.advance(by: .seconds(10))
      let asked = server.askedUsers.count
      try await home.start(server: server) { fixture async throws in
        try await eventually("the session is checked") { server.askedUsers.count > asked }
        #expect(try await fixture.accounts.status(nil).state == .authenticated)
      }
    }
    #expect(server.refreshes == ["refresh-1"])
  }

  @Test(
    "a session that the server does not know any more ends", .accounts,
    arguments: [(AuthError.Code.sessionNotFound, "session_not_found"), (.userNotFound, "user_not_found")])
  func ends(code: AuthError.Code, name: String) async throws {
    try await fixture.signIn()
    fixture.server.answerUser(with: .failure(AuthError(code, "gone", status: 403, serverCode: name)))
    fixture.server.answerRefreshes { _ in
      .fatal(.tokenNotFound, AuthError(.refreshTokenNotFound, "gone", status: 400))
    }
    #expect(await errorOf { try await fixture.accounts.factors(nil) }?.kind == .signInNeeded)
    #expect(try await fixture.accounts.status(nil).state == .signInNeeded)
    #expect(fixture.server.refreshes == ["refresh-1"])
  }

  @Test("the retries of a sign-out spend one refresh, also after a restart, and tell the server in the end", .restarts)
  func signsOutWithOneRefresh() async throws {
    let server = ScriptedAuthServer()
    server.failLogouts(with: Self.refused)
    server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    try await home.start(server: server) { fixture async throws in
      try await fixture.signIn()
      #expect(try await fixture.accounts.signOut(SessionSignOut.Params()).pending == ["default"])
      try await eventually("some retries") {
        home.clock.advance(by: .seconds(10))
        return server.logouts.count > 4
      }
      #expect(server.refreshes == ["refresh-1"])
    }
    let before = server.logouts.count
    try await home.start(server: server) { _ async throws in
      try await eventually("some retries") {
        home.clock.advance(by: .seconds(10))
        return server.logouts.count > before + 2
      }
      #expect(server.refreshes == ["refresh-1"])
      server.failLogouts(with: nil)
      let refused = server.logouts.count
      try await eventually("the server is told") {
        home.clock.advance(by: .seconds(10))
        return server.logouts.count > refused
      }
      #expect(server.logouts.last == "access-2 local")
    }
    #expect(server.refreshes == ["refresh-1"])
  }

  @Test("a sign-out with a token that replaced a refused one spends no further refresh", .accounts)
  func signsOutWithoutAnotherRefresh() async throws {
    try await signInRefused()
    _ = await errorOf { try await fixture.accounts.factors(nil) }
    #expect(fixture.server.refreshes.count == 1)
    fixture.server.failLogouts(with: Self.refused)
    #expect(try await fixture.accounts.signOut(SessionSignOut.Params()).pending == ["default"])
    try await eventually("some retries") {
      fixture.clock.advance(by: .seconds(10))
      return fixture.server.logouts.count > 3
    }
    #expect(fixture.server.refreshes.count == 1)
  }
}
