import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct SessionEndTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  private static let ends: [(FatalReason, SessionEndReason)] = [
    (.tokenNotFound, .endedElsewhere), (.tokenAlreadyUsed, .endedElsewhere), (.sessionNotFound, .endedElsewhere),
    (.timebox, .timebox), (.inactivity, .inactivity), (.lowAssurance, .lowAssurance), (.userNotFound, .userGone),
    (.sessionExpired, .unknown), (.tokenInvalid, .unknown),
  ]

  @Test("SL-1: state, event, why and the vault tell why a session ended", .restarts, arguments: ends)
  func tells(reason: FatalReason, end: SessionEndReason) async throws {
    try await home.start { fixture async throws in
      let started = try await fixture.signIn().session
      #expect(started == SessionLife(startedAt: home.clock.wall))
      let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
      home.clock.advance(by: .seconds(3400))
      try await fixture.server.nextRefresh().answer(.fatal(reason, AuthError(.sessionExpired, "over")))
      for await event in subscription.events where event.type == .signedOut {
        #expect(event.status?.session == SessionLife(endReason: end))
        #expect(event.reason == reason.shortDescription)
        break
      }
      let why = try await fixture.accounts.explain(nil)
      #expect(why.explanation.first?.contains(reason.shortDescription) == true)
      #expect(why.explanation.last == "Sign in again: ritualctl sign-in --account default")
    }
    try await home.start { fixture async throws in
      #expect(try await fixture.accounts.status(nil).session == SessionLife(endReason: end))
      #expect(try await fixture.accounts.status(nil).ended?.reason == reason.shortDescription)
    }
  }

  @Test("every reason has its own words")
  func hasWords() {
    #expect(Set(FatalReason.allCases.map(\.shortDescription)).count == FatalReason.allCases.count)
    #expect(Set(Self.ends.map(\.0)) == Set(FatalReason.allCases))
  }

  @Test("SL-1: an end that an older version stored has no known reason", .restarts)
  func readsAnOlderRecord() async throws {
    try await home.start { fixture async throws in
      var record = StoredAccount(name: "default", project: "prod")
      record.ended = StoredEnd(at: home.clock.wall, reason: "ended elsewhere", userID: "user-1")
      try await fixture.store.save(record)
    }
    try await home.start { fixture async throws in
      #expect(try await fixture.accounts.status("default").session == SessionLife(endReason: .unknown))
    }
  }

  @Test("SL-1: a sign-out here is told apart from an end elsewhere", .accounts)
  func signsOut() async throws {
    try await fixture.signIn()
    _ = try await fixture.accounts.signOut(SessionSignOut.Params())
    #expect(try await fixture.accounts.status(nil).session == SessionLife(endReason: .signedOut))
  }

  @Test("SL-1: a user whom the server no longer has is told apart from a session that ended elsewhere", .restarts)
  func tellsADeletedUser() async throws {
    let missing = AuthError(.userNotFound, "gone", status: 403)
    try await home.start { try await $0.signIn() }
    let server = ScriptedAuthServer()
    server.answerUser(with: .failure(missing))
    try await home.start(server: server) { fixture async throws in
      try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, missing))
      try await eventually("the end shows") { try await fixture.accounts.status(nil).state == .signInNeeded }
      #expect(try await fixture.accounts.status(nil).session?.endReason == .userGone)
    }
  }

  @Test("SL-1: the next sign-in tells of a second factor elsewhere that probably ended the session", .accounts)
  func tellsASecondFactorElsewhere() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(2000))
    let verified = fixture.clock.wall
    fixture.clock.advance(by: .seconds(1400))
    let gone = AuthError(.refreshTokenNotFound, "gone", status: 400)
    try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, gone))
    try await eventually("the end shows") { try await fixture.accounts.status(nil).state == .signInNeeded }
    let factor = Factor(
      id: "f-1", type: "totp", isVerified: true,
      lastChallengedAt: Date(timeIntervalSince1970: Double(verified.unixSeconds)))
    for (number, expected) in [(10, verified), (11, nil)] {
      let session = Session(
        accessToken: BearerToken("access-\(number)"), expiresIn: 3600,
        refreshToken: RefreshToken("refresh-\(number)"),
        user: User(id: "user-1", email: "anna@example.org", factors: [factor]), assurance: "aal1")
      // The second sign-in replaces a session that has not ended.
      #expect(try await fixture.adopt(session).mfa?.verifiedElsewhereAt == expected)
    }
  }

  // MARK: - Not final

  @Test("SL-1: a newer sign-in does not end the session; it works again once the newer one is gone", .accounts)
  func survivesANewerSignIn() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3400))
    let revoked = AuthError(.newerSignIn, "newer", status: 400)
    try await fixture.server.nextRefresh().answer(.refused(revoked))
    try await eventually("it shows") { try await fixture.accounts.status(nil).session?.endReason == .newerSignIn }
    #expect(try await fixture.accounts.status(nil).state == .degraded)
    #expect(try await fixture.token().accessToken == "access-1", "the access token is still valid")
    fixture.server.answerRefreshes { _ in .refused(revoked) }
    fixture.clock.advance(by: .seconds(170))
    #expect(try await fixture.token().accessToken == "access-1", "30 s are left")
    fixture.clock.advance(by: .seconds(31))
    let error = try #require(await errorOf { try await fixture.token() })
    #expect(error.kind == .signInNeeded)
    #expect(error.message.contains("newer sign-in"))
    #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
    #expect(try await fixture.accounts.explain(nil).explanation.joined().contains("newer sign-in"))
    fixture.server.answerRefreshes { _ in .transient(AuthError(.rateLimited, "later"), retryAfter: .seconds(5)) }
    fixture.clock.advance(by: .seconds(2))
    #expect(await errorKind { try await fixture.token() } == .rateLimited)
    #expect(try await fixture.accounts.status(nil).session?.endReason == .newerSignIn, "nothing else is known")
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    fixture.clock.advance(by: .seconds(10))
    #expect(try await fixture.token().accessToken == "access-2")
    #expect(try await fixture.accounts.status(nil).session?.endReason == nil)
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
  }

  @Test("SL-1: a hook's refusal does not end the session, and its words are shown", .accounts)
  func survivesAHook() async throws {
    try await fixture.signIn()
    let blocked = AuthError(
      .hookRefused, "no", status: 403, serverCode: "unknown", serverMessage: "You are on the block list.")
    fixture.server.answerRefreshes { _ in .refused(blocked) }
    fixture.clock.advance(by: .seconds(3400))
    try await eventually("it shows") { try await fixture.accounts.status(nil).state == .degraded }
    #expect(try await fixture.accounts.status(nil).session?.endReason == nil)
    fixture.clock.advance(by: .seconds(300))
    let error = try #require(await errorOf { try await fixture.token() })
    #expect(error.kind == .denied)
    #expect(error.message.contains("\"You are on the block list.\""))
    #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    fixture.clock.advance(by: .seconds(2))
    #expect(try await fixture.token().accessToken == "access-2")
  }

  @Test("SL-1: an account that was already degraded tells subscribers of a newer sign-in", .accounts)
  func announcesANewerSignIn() async throws {
    try await fixture.signIn()
    let gateway = AuthError(.gatewayRefused, "no", status: 403)
    fixture.clock.advance(by: .seconds(3400))
    try await fixture.server.nextRefresh().answer(.misconfigured(gateway))
    try await eventually("degraded") { try await fixture.accounts.status(nil).state == .degraded }
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    fixture.clock.advance(by: .seconds(2))
    let refresh = Task { try await fixture.accounts.refresh(nil) }
    try await fixture.server.nextRefresh().answer(.refused(AuthError(.newerSignIn, "newer", status: 400)))
    for await event in subscription.events where event.type == .stateChanged {
      #expect(event.status?.session?.endReason == .newerSignIn)
      #expect(event.reason?.contains("newer sign-in") == true)
      break
    }
    _ = await refresh.result
  }
}
