import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// Days of virtual time with projects that limit sessions.
@Suite(.timeLimit(.minutes(10))) struct SessionRulesTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  private static let day = 86_400
  private static let week = 7 * day

  /// A project with these rules as the server of the fixture, with a session.
  private func signedIn(_ change: (inout RuledProject.Rules) -> Void = { _ in }) async throws -> RuledProject {
    let project = RuledProject(fixture.clock)
    project.change(change)
    project.serve(fixture)
    try await project.signIn(fixture)
    return project
  }

  @Test(
    "SL-1, SL-2: a time-box of a week ends the session, is told, learned, and forgotten once it is raised", .restarts)
  func timebox() async throws {
    let project = RuledProject(home.clock)
    project.change { $0.timebox = Self.week }
    try await home.start { fixture async throws in
      project.serve(fixture)
      try await project.signIn(fixture)
      try await fixture.play(.seconds(Self.week - 4000))
      #expect(try await fixture.accounts.status(nil).state == .authenticated)
      #expect(try await fixture.accounts.status(nil).session?.endsAt == nil)
      try await fixture.play(.seconds(8000))
      let ended = try await fixture.accounts.status(nil)
      #expect(ended.state == .signInNeeded)
      #expect(ended.session?.endReason == .timebox)
      // The next session's end is estimated from this one's.
      try await project.signIn(fixture)
    }
    try await home.start { fixture async throws in
      project.serve(fixture)
      let life = try #require(try await fixture.accounts.status(nil).session)
      let limit = try #require(life.endsAt).unixSeconds - (try #require(life.startedAt)).unixSeconds
      #expect((Int64(Self.week)...Int64(Self.week + 3600)).contains(limit))
      #expect(life.isEstimate == true)
      #expect(try await fixture.accounts.explain(nil).explanation.joined().contains("ends in about 7 d"))
      // A configured limit is exact.
      _ = fixture.projects.apply(try AccountsFixture.configuration(more: "session_limit = \(Self.week)\n"))
      let known = try #require(try await fixture.accounts.status(nil).session)
      #expect(known.endsAt?.unixSeconds == life.startedAt.map { $0.unixSeconds + Int64(Self.week) })
      #expect(known.isEstimate == nil)
      _ = fixture.projects.apply(try AccountsFixture.configuration())
      // The project raises its limit: the session lives longer, and the estimate is gone.
      project.change { $0.timebox = 3 * Self.week }
      try await fixture.play(.seconds(Self.week + 8000))
      #expect(try await fixture.accounts.status(nil).state == .authenticated)
      #expect(try await fixture.accounts.status(nil).session?.endsAt == nil)
    }
  }

  @Test("SL-1: an inactivity limit ends no session of a running agent, and that of a machine that was off", .accounts)
  func inactivity() async throws {
    let project = try await signedIn { $0.inactivity = Self.day }
    try await fixture.play(.seconds(3 * Self.day))
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    fixture.clock.advance(by: .seconds(2 * Self.day))
    try await fixture.play(.seconds(600))
    #expect(try await fixture.accounts.status(nil).session == SessionLife(endReason: .inactivity))
    // The limit depends on the use, not on the start: no end can be foreseen.
    try await project.signIn(fixture)
    #expect(try await fixture.accounts.status(nil).session?.endsAt == nil)
  }

  @Test(
    "SL-1: with single sessions, a newer sign-in for days loses nothing, and the session goes on after it", .accounts)
  func singleSession() async throws {
    let project = try await signedIn()
    try await fixture.play(.seconds(Self.day))
    project.change { $0.hasNewerSession = true }
    let before = project.times.count
    try await fixture.play(.seconds(2 * Self.day))
    #expect(try await fixture.accounts.status(nil).session?.endReason == .newerSignIn)
    #expect(try await fixture.accounts.status(nil).state == .degraded)
    let attempts = project.times.count - before
    #expect((50...150).contains(attempts), "20 to 50 minutes between attempts: \(attempts)")
    #expect(await errorKind { try await fixture.token() } == .signInNeeded)
    project.change { $0.hasNewerSession = false }
    try await fixture.play(.seconds(3000))
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    #expect(try await fixture.accounts.status(nil).session?.endReason == nil)
  }

  @Test(
    "SL-3: planned refreshes of a token that a hook shortens to seconds are 30 s apart; callers get a token", .accounts)
  func shortenedByAHook() async throws {
    let project = try await signedIn { ($0.life, $0.isShortened) = (8, true) }
    try await fixture.play(.seconds(Self.day / 4), step: .seconds(5))
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    let pauses = zip(project.times, project.times.dropFirst()).map { $1 - $0 }
    #expect(pauses.min() ?? 0 >= 30)
    #expect(project.times.count > 500, "a refresh in 40 s at least: \(project.times.count)")
    fixture.clock.advance(by: .seconds(20))
    #expect(try await fixture.token().expiresIn > 0)
  }

  @Test("SL-3: a project whose own lifetime is seconds is refreshed ahead, as before", .accounts)
  func shortByItself() async throws {
    let project = try await signedIn { $0.life = 20 }
    try await fixture.play(.seconds(3600), step: .seconds(1))
    #expect(project.times.count > 180, "about every 14 s: \(project.times.count)")
  }

  @Test("SL-1, SL-3: a life that shrinks to the limit of the second factor causes no loop of refreshes", .accounts)
  func lowAssurance() async throws {
    let project = try await signedIn { $0.lowAssurance = 1800 }
    try await fixture.play(.seconds(1900), step: .seconds(1))
    #expect(try await fixture.accounts.status(nil).session == SessionLife(endReason: .lowAssurance))
    #expect(project.times.count < 20, "\(project.times.count)")
    // The next sign-in tells how long the session has.
    try await project.signIn(fixture)
    let status = try await fixture.accounts.status(nil)
    let start = try #require(status.session?.startedAt).unixSeconds
    let end = try #require(status.session?.endsAt).unixSeconds
    #expect((start + 1800...start + 1900).contains(end))
    #expect(status.session?.isEstimate == true)
    #expect(await fixture.accounts.secondFactorNeed("default")?.endsAt?.unixSeconds == end)
  }
}

/// An auth server with rules for sessions, on the virtual clock, which answers as recorded.
private final class RuledProject: Sendable {
  struct Rules: Sendable {
    var life = 3600
    var isShortened = false
    var timebox: Int?
    var inactivity: Int?
    var lowAssurance: Int?
    var hasNewerSession = false
  }

  private struct State {
    var rules = Rules()
    var number = 0
    var start: Int64 = 0
    var used: Int64 = 0
    var times: [Int64] = []
  }

  private let clock: ManualClock
  private let state = Mutex(State())

  init(_ clock: ManualClock) { self.clock = clock }

  /// The times of the refreshes.
  var times: [Int64] { state.withLock { $0.times } }

  func change(_ body: (inout Rules) -> Void) { state.withLock { body(&$0.rules) } }

  /// Makes this the server of the fixture.
  func serve(_ fixture: AccountsFixture) {
    fixture.server.answerRefreshes { [self] in answer($0) }
    fixture.server.answerUser(with: .success(User(id: "user-1", email: "anna@example.org")))
  }

  func signIn(_ fixture: AccountsFixture) async throws {
    let session = state.withLock { state in
      (state.start, state.used) = (clock.wallSeconds, clock.wallSeconds)
      return next(&state)
    }
    try await fixture.adopt(session)
  }

  private func next(_ state: inout State) -> Session {
    state.number += 1
    let left = state.rules.lowAssurance.map { $0 - Int(clock.wallSeconds - state.start) } ?? .max
    return Session(
      accessToken: BearerToken("access-\(state.number)"), expiresIn: min(state.rules.life, left),
      refreshToken: RefreshToken("refresh-\(state.number)"),
      user: User(
        id: "user-1", email: "anna@example.org", identities: [],
        factors: state.rules.lowAssurance == nil ? [] : [Factor(id: "f-1", type: "totp", isVerified: true)]),
      assurance: "aal1", isShortened: state.rules.isShortened)
  }

  private func answer(_ token: String) -> RefreshOutcome {
    state.withLock { state in
      let now = clock.wallSeconds
      state.times.append(now)
      let rules = state.rules
      if token != "refresh-\(state.number)" { return Self.refusal("refresh_token_already_used", "Already Used") }
      if let limit = rules.timebox, now - state.start > limit { return Self.expired("") }
      if let limit = rules.inactivity, now - state.used > limit { return Self.expired(" (Inactivity)") }
      if let limit = rules.lowAssurance, now - state.start >= limit {
        return Self.expired(" (Low AAL: User Needs MFA Verification)")
      }
      if rules.hasNewerSession { return Self.expired(" (Revoked by Newer Login)") }
      state.used = now
      return .refreshed(next(&state))
    }
  }

  private static func expired(_ cause: String) -> RefreshOutcome {
    refusal("session_expired", "Session Expired" + cause)
  }

  private static func refusal(_ code: String, _ message: String) -> RefreshOutcome {
    let body = #"{"code":400,"error_code":"\#(code)","msg":"Invalid Refresh Token: \#(message)"}"#
    return classifyRefresh(status: 400, headers: [], body: Array(body.utf8))
  }
}

extension AccountsFixture {
  /// Lets virtual time pass. After each step, the refreshes that became due are complete.
  func play(_ time: Duration, step: Duration = .seconds(300)) async throws {
    let end = clock.now.advanced(by: time)
    while clock.now < end {
      clock.advance(by: step)
      _ = await accounts.tick()
      try await eventually("due refreshes are complete") { await accounts.list().allSatisfy { $0.activity == .none } }
    }
  }
}
