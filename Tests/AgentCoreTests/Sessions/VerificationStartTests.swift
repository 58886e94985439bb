import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// When a verification may start, and what ends it.
@Suite(.timeLimit(.minutes(10))) struct VerificationStartTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  @Test("MF-5: a verification waits for the refresh in flight, and uses its token", .accounts)
  func waitsForARefresh() async throws {
    try await fixture.signIn(with: [.app])
    let refresh = Task { try await fixture.accounts.refresh(nil) }
    let call = try await fixture.server.nextRefresh()
    let caller = fixture.verify()
    try await eventually("it waits") { fixture.accounts.waiters.count == 2 }
    #expect(fixture.factors.requests == [])
    call.answer(.refreshed(.fixture("2", assurance: "aal1", factors: [.app])))
    let sent = try await fixture.factors.nextVerification()
    #expect(sent.text.hasSuffix("access-2"))
    sent.answer(.success(.verified("3")))
    _ = try await caller.value
    _ = try await refresh.value
    #expect(fixture.server.refreshes.count == 1)
  }

  @Test("MF-5: after a refresh of unknown outcome, a refresh comes first", .accounts)
  func settlesAFailedRefresh() async throws {
    try await fixture.signIn(with: [.app])
    fixture.clock.advance(by: .seconds(3400))
    let offline = RefreshOutcome.transient(AuthError(.network, "lost"), retryAfter: nil)
    for _ in 0..<3 { try await fixture.answerNext(offline) }
    try await eventually("it failed") { try await fixture.accounts.status(nil).state == .degraded }
    fixture.clock.advance(by: .seconds(2))
    let refused = fixture.verify()
    try await fixture.server.nextRefresh().answer(offline)
    #expect(await errorOf { try await refused.value }?.kind == .offline)
    #expect(fixture.factors.requests == [])
    fixture.clock.advance(by: .seconds(2))
    let caller = fixture.verify()
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", factors: [.app])))
    try await fixture.factors.nextVerification().answer(.success(.verified("3")))
    _ = try await caller.value
  }

  @Test("MF-5: a code is not sent after its caller has left, for example over a sleep", .accounts)
  func sendsNoOldCode() async throws {
    try await fixture.signIn(with: [.app])
    fixture.factors.holdChallenges()
    let caller = fixture.verify()
    try await eventually("the challenge is sent") { fixture.factors.requests.count == 1 }
    fixture.clock.advance(by: .seconds(61))
    fixture.factors.answerChallenges()
    #expect(await errorOf { try await caller.value }?.kind == .timedOut)
    try await eventually("it has ended") { await fixture.accounts.accounts["default"]?.verification == nil }
    #expect(fixture.factors.sends == 0)
    #expect(try await fixture.stored()?.verification == nil)
  }

  @Test("MF-5: after a start, a refresh comes first: a crash may have lost an answer", .restarts)
  func settlesAStart() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn(with: [.app])
    }
    try await home.start { fixture async throws in
      let caller = fixture.verify()
      try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", factors: [.app])))
      let sent = try await fixture.factors.nextVerification()
      #expect(sent.text.hasSuffix("access-2"))
      sent.answer(.success(.verified("3")))
      _ = try await caller.value
    }
  }

  @Test("MF-5: a token that ends within 2 minutes is refreshed first", .accounts, arguments: [(79, 0), (81, 1)])
  func refreshesAShortToken(age: Int, refreshes: Int) async throws {
    try await fixture.signIn(with: [.app], life: 200)
    fixture.clock.advance(by: .seconds(age))
    let caller = fixture.verify()
    if refreshes > 0 {
      try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", factors: [.app])))
    }
    try await fixture.factors.nextVerification().answer(.success(.verified("3")))
    _ = try await caller.value
    #expect(fixture.server.refreshes.count == refreshes)
  }

  @Test("a fresh token that lives less than 2 minutes is used as it is", .accounts)
  func usesAFreshShortToken() async throws {
    try await fixture.signIn(with: [.app], life: 60)
    let caller = fixture.verify()
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", life: 60, factors: [.app])))
    let sent = try await fixture.factors.nextVerification()
    #expect(sent.text.hasSuffix("access-2"))
    sent.answer(.success(.verified("3")))
    _ = try await caller.value
    #expect(fixture.server.refreshes.count == 1)
  }

  @Test("a sign-out while the challenge is made: nothing is sent", .accounts)
  func sendsNothingAfterASignOut() async throws {
    try await fixture.signIn(with: [.app])
    fixture.factors.holdChallenges()
    let caller = fixture.verify()
    try await eventually("the challenge is asked for") { !fixture.factors.requests.isEmpty }
    _ = try await fixture.accounts.signOut(SessionSignOut.Params())
    fixture.factors.answerChallenges()
    #expect(await errorOf { try await caller.value }?.kind == .signInNeeded)
    #expect(fixture.factors.sends == 0)
  }

  @Test("a rename waits for the end of a verification", .accounts)
  func refusesARename() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    #expect(await errorOf { try await fixture.accounts.rename("default", to: "new") }?.kind == .notReady)
    sent.answer(.success(.verified("2")))
    _ = try await caller.value
  }

  @Test("OP-2: an agent that stops sends no code again; the marker tells the next start", .accounts)
  func repeatsNothingAtAStop() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    let project = try #require(fixture.projects.all.first)
    let counted = try AttemptLimits().begin(
      [.code], address: "user-1", of: project, isKnown: true, maxGuesses: 1, account: "default",
      now: fixture.clock.now)
    let id = try #require(await fixture.accounts.accounts["default"]?.verification?.id)
    var attempt = VerificationAttempt(
      id: id, account: "default", project: project,
      token: BearerToken("access-1"), session: nil, factor: AccountFactor(.app), code: FactorCode("123456"),
      counted: counted,
      handedIn: fixture.clock.now, asked: fixture.clock.now)
    attempt.sends = 1
    let lost = Result<Session, AuthError>.failure(AuthError(.network, "lost"))
    #expect(await fixture.accounts.finish(attempt, lost, isStopping: true) == false)
    #expect(await errorOf { try await caller.value }?.kind == .offline)
    #expect(try await fixture.stored()?.verification != nil)
    sent.lose()
  }
}
