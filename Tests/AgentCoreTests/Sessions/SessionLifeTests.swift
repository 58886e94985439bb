import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct SessionLifeTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  @Test("TK-8: after a reboot a plausible wall clock decides; otherwise a refresh follows", .restarts)
  func survivesAReboot() async throws {
    try await home.start { try await $0.signIn() }
    home.clock.reboot(after: .seconds(600))
    try await home.start { fixture async throws in
      #expect(try await fixture.token().expiresIn == 3000)
    }
    home.clock.jumpWall(by: .seconds(-7200))
    try await home.start { fixture async throws in
      let call = try await fixture.server.nextRefresh()
      call.answer(.refreshed(.fixture("2")))
      try await eventually("the refreshed token") { (try? await fixture.token().accessToken) == "access-2" }
    }
  }

  @Test("TK-8: a wall clock that is set after a reboot takes no token away at a reload", .restarts)
  func keepsTheTokenAtAReload() async throws {
    try await home.start { try await $0.signIn() }
    home.clock.reboot(after: .seconds(600))
    try await home.start { fixture async throws in
      home.clock.jumpWall(by: .seconds(36_000))
      await fixture.accounts.configurationChanged()
      #expect(
        fixture.accounts.tokens.freshest(account: "default", rejected: nil, now: home.clock.now)?.result.expiresIn
          == 3000)
    }
  }

  @Test("SE-3: a restored session is checked with the server in the background; a refusal causes a refresh", .restarts)
  func asksTheServer() async throws {
    let refusal = AuthError(.sessionNotFound, "gone", status: 403)
    try await home.start { try await $0.signIn() }
    let server = ScriptedAuthServer()
    server.answerUser(with: .failure(refusal))
    try await home.start(server: server) { fixture async throws in
      #expect(try await fixture.token().accessToken == "access-1")
      try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, refusal))
      try await eventually("the end shows") { try await fixture.accounts.status(nil).state == .signInNeeded }
    }
  }

  @Test("SE-4: a revocation whose access token has expired is refreshed first", .restarts)
  func refreshesBeforeALateLogout() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn()
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      _ = try await fixture.accounts.signOut(SessionSignOut.Params())
    }
    home.clock.advance(by: .seconds(4000))
    try await home.start { fixture async throws in
      let call = try await fixture.server.nextRefresh()
      #expect(call.token.exposed == "refresh-1")
      call.answer(.refreshed(.fixture("2")))
      #expect(try await fixture.server.nextLogout() == "access-2")
    }
  }

  @Test("SE-4: a logout that is refused for an old token is repeated with a new one", .accounts)
  func renewsWhatTheServerTakesForOld() async throws {
    try await fixture.signIn()
    fixture.server.failLogouts(with: AuthError(.badJWT, "too old"))
    let out = Task { try await fixture.accounts.signOut(SessionSignOut.Params()) }
    let call = try await fixture.server.nextRefresh()
    fixture.server.failLogouts(with: nil)
    call.answer(.refreshed(.fixture("2")))
    #expect(try await out.value.pending.isEmpty)
    #expect(fixture.server.logouts == ["access-1 local", "access-2 local"])
  }

  @Test(
    "the end of a session that a sign-in is about to replace is kept when a copied vault is adopted meanwhile",
    .accounts)
  func keepsAReplacedSessionsEnd() async throws {
    try await fixture.signIn()
    var record = try await fixture.store.load("default")
    record.session?.id = "session-1"
    try await fixture.store.save(record)
    try await fixture.store.save(Self.revocation("1", isReplaced: true, fixture.clock))
    try await fixture.revocations.restore()
    #expect(try await fixture.store.loadAll().revocations.map(\.id) == ["1"])
    try await fixture.revocations.restore(fixture.store.loadAll())
    #expect(try await fixture.store.loadAll().revocations.isEmpty)
    #expect(fixture.server.logouts.isEmpty)
  }

  @Test("a session that a failed sign-in was to replace, and that was signed out since, ends once", .accounts)
  func endsOnce() async throws {
    for (id, isReplaced) in [("1", true), ("2", false)] {
      try await fixture.store.save(Self.revocation(id, isReplaced: isReplaced, fixture.clock))
    }
    try await fixture.revocations.restore(fixture.store.loadAll())
    #expect(try await fixture.server.nextLogout() == "access-1")
    try await eventually("nothing is left") { try await fixture.store.loadAll().revocations.isEmpty }
    #expect(fixture.server.logouts == ["access-1 local"])
  }

  private static func revocation(_ id: String, isReplaced: Bool, _ clock: ManualClock) -> Revocation {
    Revocation(
      id: id, account: "default", project: "prod", origin: AccountsFixture.origin, accessToken: "access-1",
      refreshToken: "refresh-1", received: Receipt(clock), expiresIn: 3600, scope: "local", since: clock.wall,
      session: "session-1", isReplaced: isReplaced ? true : nil)
  }

  @Test("the new session of a sign-in that could not be stored is ended also after a crash", .restarts)
  func endsAnUnstoredSession() async throws {
    let left = Mutexed<[String: [UInt8]]>([:])
    try await home.start { fixture async throws in
      fixture.server.failLogouts(with: AuthError(.network, "off"))
      fixture.storage.failNextWrite(with: .io)
      await #expect(throws: AgentError.self) { try await fixture.signIn() }
      #expect(try await fixture.store.loadAll().revocations.map(\.accessToken) == ["access-1"])
      left.value = fixture.storage.files
    }
    home.storage.files = left.value
    try await home.start { fixture async throws in
      try await eventually("nothing is left to end") { try await fixture.store.loadAll().revocations.isEmpty }
      #expect(fixture.server.logouts == ["access-1 local"])
    }
  }

  @Test("a token's lifetime starts with the request: the answer may have waited during a suspend", .accounts)
  func countsFromTheRequest() async throws {
    let call = try await fixture.signInUntilRefresh()
    fixture.clock.advance(by: .seconds(3599))
    call.answer(.refreshed(.fixture("2")))
    let next = try await fixture.server.nextRefresh()
    #expect(next.token.exposed == "refresh-2")
    next.answer(.refreshed(.fixture("3")))
  }

  @Test("a session that is stored late is refreshed by the age of its token", .accounts)
  func countsFromTheReceipt() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3400))
    fixture.storage.failWrites(with: .diskFull)
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    try await eventually("the failure shows") { try await fixture.accounts.status(nil).state == .degraded }
    fixture.clock.advance(by: .seconds(7200))
    fixture.storage.failWrites(with: nil)
    let call = try await fixture.nextRefresh()
    #expect(call.token.exposed == "refresh-2")
    call.answer(.refreshed(.fixture("3")))
  }

  /// Returns the token of the next logout, advancing the clock until it is sent.
  private func nextLogout(_ fixture: AccountsFixture) async throws -> String {
    let before = fixture.server.logouts.count
    async let token = fixture.server.nextLogout()
    try await eventually("the next logout") {
      if fixture.server.logouts.count == before { fixture.clock.advance(by: .seconds(1)) }
      return fixture.server.logouts.count > before
    }
    return try await token
  }

  @Test("SE-4: other sessions are revoked with this session's token, if need be later and after a restart", .restarts)
  func endsTheOthersLater() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn()
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      let result = try await fixture.accounts.signOut(SessionSignOut.Params(scope: .others))
      #expect(result.pending == ["default"])
      #expect(try await fixture.token().accessToken == "access-1", "this session stays")
    }
    home.clock.advance(by: .seconds(3700))
    try await home.start { fixture async throws in
      try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
      try await eventually("the server is told") { fixture.server.logouts.last == "access-2 others" }
      try await eventually("the queue is empty") { try await fixture.store.loadAll().revocations.isEmpty }
      #expect(fixture.server.refreshes == ["refresh-1"], "the queue refreshes no session that goes on")
    }
  }

  @Test(
    "SE-4: a sign-out while a revocation of others is pending ends all sessions, but not another person's", .accounts)
  func turnsOthersIntoGlobal() async throws {
    try await fixture.signIn("work")
    try await fixture.signIn("home", user: "user-2", token: "7")
    fixture.server.failLogouts(with: AuthError(.network, "no"))
    for name in ["work", "home"] {
      _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: name, scope: .others))
    }
    fixture.server.failLogouts(with: nil)
    _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: "work"))
    #expect(fixture.server.logouts.contains("access-1 global"))
    try await fixture.signIn("home", user: "user-3", token: "9", replace: true)
    try await eventually("the queue is empty") {
      fixture.clock.advance(by: .seconds(10))
      return await fixture.revocations.count == 0
    }
    #expect(!fixture.server.logouts.contains("access-9 others"))
  }

  @Test("SE-4: a sign-out is given up after a week of attempts, and this is reported", .accounts)
  func givesUpHonestly() async throws {
    try await fixture.signIn()
    fixture.server.failLogouts(with: AuthError(.network, "no"))
    fixture.server.answerRefreshes { _ in .transient(AuthError(.network, "no"), retryAfter: nil) }
    _ = try await fixture.accounts.signOut(SessionSignOut.Params())
    fixture.clock.jumpWall(by: .seconds(10_000_000))
    #expect(await fixture.revocations.count == 1, "a wrong clock gives nothing up")
    try await eventually("it is given up") {
      fixture.clock.advance(by: .seconds(900))
      return await fixture.revocations.count == 0
    }
    #expect(await fixture.revocations.complaints.first?.contains("default") == true)
    #expect(try await fixture.store.loadAll().revocations.isEmpty)
  }

  @Test("a sign-in that cannot be stored leaves the old session unchanged", .accounts)
  func keepsTheOldSessionWhenTheDiskIsFull() async throws {
    try await fixture.signIn()
    fixture.storage.failWrites(with: .diskFull)
    #expect(await errorKind { try await fixture.signIn(token: "9") } == .storageFull)
    fixture.storage.failWrites(with: nil)
    #expect(try await nextLogout(fixture) == "access-9")
    #expect(try await fixture.token().accessToken == "access-1")
    #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
  }

  @Test("without an account, the next step is to sign in, or to configure a project if there is none", .accounts)
  func nextStepWithoutAccount() async throws {
    func hint() async -> String? { await errorOf { try await fixture.token() }?.data.hint }
    #expect(await hint() == "ritualctl sign-in")
    _ = fixture.projects.apply(Configuration())
    #expect(await hint() == "ritualctl init")
  }
}
