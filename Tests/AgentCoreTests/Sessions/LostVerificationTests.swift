import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.accounts, .timeLimit(.minutes(10))) struct LostVerificationTests {
  private var fixture: AccountsFixture { .current }

  /// Errors after which the server may have rotated the tokens.
  static let unknown: [AuthError] = [
    AuthError(.network, ""), AuthError(.timeout, ""), AuthError(.unreadable, "", status: 200),
    AuthError(.serverUnavailable, "", status: 500), AuthError(.timeout, "", status: 408),
    AuthError(.conflict, "", status: 409, serverCode: "conflict"), AuthError(.cancelled, ""),
    AuthError(.server("mfa_ip_address_mismatch"), "", status: 422, serverCode: "mfa_ip_address_mismatch"),
    AuthError(.gatewayRefused, "", status: 302), AuthError(.tooLarge, ""), AuthError(.projectPaused, "", status: 540),
  ]

  @Test(
    "MF-5: after an unknown outcome the marker stands, the session is kept, and nothing refreshes",
    arguments: unknown)
  func keepsTheMarker(error: AuthError) async throws {
    try await fixture.signIn(with: [.app])
    let caller = fixture.verify()
    let sends = error.code == .cancelled ? 1 : 3
    for _ in 0..<sends { try await fixture.factors.nextVerification().answer(.failure(error)) }
    let told = try #require(await errorOf { try await caller.value })
    #expect(told.kind == AgentError.from(error).kind)
    #expect(told.message.contains("new code"))
    #expect(told.data.hint == "ritualctl mfa verify --account default")
    #expect(!told.data.retryable)
    #expect(try await fixture.stored()?.verification != nil)
    let status = try await fixture.accounts.status(nil)
    #expect(status.state == .degraded)
    #expect(status.tokenUsable)
    #expect(status.refresh?.lastError?.message.contains("unknown") == true)
    let why = try await fixture.accounts.explain(nil).explanation.joined(separator: " ")
    #expect(why.contains("ritualctl mfa verify --account default"))
    try await expectNoRefresh(fixture)
  }

  /// Everything that causes refreshes.
  private func expectNoRefresh(_ fixture: AccountsFixture) async throws {
    #expect(await errorOf { try await fixture.token(rejected: fingerprint("access-1")) }?.kind == .mfaNeeded)
    #expect(await errorOf { try await fixture.token(minTTL: 3601) }?.kind == .mfaNeeded)
    #expect(await errorOf { try await fixture.accounts.refresh(nil) }?.kind == .mfaNeeded)
    await fixture.accounts.worldChanged(.clock)
    await fixture.accounts.worldChanged(.network)
    await fixture.accounts.configurationChanged()
    await fixture.accounts.beginSleep()
    await fixture.accounts.wokeUp()
    fixture.clock.advance(by: .seconds(3400))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes == [])
    #expect(try await fixture.token().accessToken == "access-1")
  }

  @Test("MF-5: after a lost answer the same code is sent again with a new challenge, three times at most")
  func repeatsTheCode() async throws {
    try await fixture.signIn(with: [.app])
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    let caller = fixture.verify()
    try await fixture.factors.nextVerification().lose()
    let second = try await fixture.factors.nextVerification()
    #expect(second.text == "app challenge-2 123456 access-1")
    second.answer(.success(.verified("3")))
    #expect(try await caller.value.assurance?.current == "aal2")
    #expect(try await fixture.token().accessToken == "access-3")
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    let told = try await subscription.events(3)
    #expect(told.map(\.type) == [.initialSession, .stateChanged, .mfaChallengeVerified])
    #expect(told.map(\.status?.state) == [.authenticated, .degraded, .authenticated])
  }

  @Test("a code is sent again for 30 seconds only")
  func endsWithTheCode() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    fixture.clock.advance(by: .seconds(30))
    sent.lose()
    #expect(await errorOf { try await caller.value }?.kind == .offline)
    #expect(fixture.factors.sends == 1)
  }

  @Test("MF-5: a new code with the old access token settles an unknown outcome")
  func settlesWithANewCode() async throws {
    try await fixture.signIn(with: [.app])
    #expect(try await fixture.loseVerification()?.kind == .offline)
    fixture.clock.advance(by: .seconds(3300))
    let (caller, sent) = try await fixture.verifyUntilSent("222222")
    #expect(sent.text == "app challenge-4 222222 access-1")
    sent.answer(.success(.verified("2")))
    #expect(try await caller.value.state == .authenticated)
    #expect(try await fixture.stored()?.verification == nil)
    #expect(fixture.server.refreshes == [])
  }

  @Test("MF-5: a wrong code after a lost answer keeps the marker", arguments: [false, true])
  func keepsTheMarkerAfterAWrongCode(isLater: Bool) async throws {
    try await fixture.signIn(with: [.app])
    if isLater { _ = try await fixture.loseVerification() }
    let caller = fixture.verify("222222")
    if !isLater { try await fixture.factors.nextVerification().lose() }
    try await fixture.factors.nextVerification().refuse(422, "mfa_verification_failed")
    let error = await errorOf { try await caller.value }
    #expect(error?.kind == .codeInvalid)
    #expect(error?.message.contains("unknown") == true)
    #expect(try await fixture.stored()?.verification != nil)
    #expect(try await fixture.accounts.status(nil).state == .degraded)
    try await expectNoRefresh(fixture)
  }

  @Test("a challenge that fails after a lost answer keeps the marker")
  func keepsTheMarkerWithoutAChallenge() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    fixture.factors.failChallenges(with: AuthError(.network, "not reachable"))
    sent.lose()
    #expect(await errorOf { try await caller.value }?.message.contains("unknown") == true)
    #expect(try await fixture.stored()?.verification != nil)
    try await expectNoRefresh(fixture)
  }

  @Test("MF-5: shortly before the access token ends, a refresh is the last resort, and clears the marker")
  func refreshesAtLast() async throws {
    try await fixture.signIn(with: [.app])
    _ = try await fixture.loseVerification()
    fixture.clock.advance(by: .seconds(3509))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes == [])
    fixture.clock.advance(by: .seconds(1))
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    try await fixture.server.nextRefresh().answer(.refreshed(.verified("2")))
    let events = try await subscription.events(2)
    // The older rotation algorithm returns the tokens of the lost answer.
    #expect(events[1].type == .mfaChallengeVerified)
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    #expect(try await fixture.stored()?.verification == nil)
  }

  @Test("MF-5: if the last refresh finds the lost answer's tokens gone, the reason says so")
  func saysWhyTheSessionEnded() async throws {
    try await fixture.signIn(with: [.app])
    _ = try await fixture.loseVerification()
    fixture.clock.advance(by: .seconds(3520))
    let used = AuthError(.refreshTokenAlreadyUsed, "used", status: 400)
    try await fixture.server.nextRefresh().answer(.fatal(.tokenAlreadyUsed, used))
    try await eventually("the session has ended") { try await fixture.accounts.status(nil).state == .signInNeeded }
    let reason = try await fixture.accounts.status(nil).ended?.reason
    #expect(reason == "the answer to a second factor's verification was lost")
  }

  @Test("half the life of a short token is left to a new code")
  func leavesHalfAShortLife() async throws {
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2", life: 60, factors: [.app])) }
    try await fixture.signIn(with: [.app], life: 60)
    let caller = fixture.verify()
    for _ in 0..<3 { try await fixture.factors.nextVerification().lose() }
    _ = await errorOf { try await caller.value }
    let before = fixture.server.refreshes.count
    fixture.clock.advance(by: .seconds(29))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes.count == before)
    fixture.clock.advance(by: .seconds(2))
    try await eventually("the last resort") { fixture.server.refreshes.count == before + 1 }
  }

  @Test("a phone's code is sent once")
  func sendsAPhoneCodeOnce() async throws {
    try await fixture.signIn(with: [.phone])
    let none = await errorOf { try await fixture.verify().value }
    #expect(none?.kind == .invalidParams)
    #expect(fixture.factors.requests == [])
    let challenge = try await fixture.accounts.challengeFactor(MFAChallenge.Params())
    #expect(challenge.factor == "phone")
    #expect(challenge.expiresAt == Timestamp(unixSeconds: fixture.clock.wallSeconds + 300))
    let wrong = fixture.verify("000000")
    try await fixture.factors.nextVerification().refuse(422, "mfa_verification_failed")
    #expect(await errorOf { try await wrong.value }?.kind == .codeInvalid)
    let (caller, sent) = try await fixture.verifyUntilSent()
    #expect(sent.text == "phone challenge-1 123456 access-1")
    sent.lose()
    #expect(await errorOf { try await caller.value }?.kind == .offline)
    #expect(await errorOf { try await fixture.verify().value }?.kind == .invalidParams)
    #expect(fixture.factors.sends == 2)
  }

  @Test("the code that was sent to a phone expires")
  func forgetsAPhoneCode() async throws {
    try await fixture.signIn(with: [.phone])
    _ = try await fixture.accounts.challengeFactor(MFAChallenge.Params())
    fixture.clock.advance(by: .seconds(300))
    #expect(await errorOf { try await fixture.verify().value }?.kind == .invalidParams)
  }
}
