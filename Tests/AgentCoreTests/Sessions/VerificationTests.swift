import AgentProtocol
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.accounts, .timeLimit(.minutes(10))) struct VerificationTests {
  private var fixture: AccountsFixture { .current }

  @Test("MF-5: the marker is durable before the code is sent, and goes with the answer's tokens in one write")
  func marksBeforeSending() async throws {
    try await fixture.signIn(with: [.app])
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
    let (caller, sent) = try await fixture.verifyUntilSent("123 456")
    #expect(sent.text == "app challenge-1 123456 access-1")
    let marked = try #require(try await fixture.stored())
    #expect(marked.verification?.factor == "app")
    #expect(marked.refreshToken == "refresh-1")
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    #expect(try await fixture.accounts.status(nil).activity == .authenticating)
    sent.answer(.success(.verified("2")))
    let status = try await caller.value
    #expect(status.assurance == AccountAssurance(current: "aal2", possible: "aal2"))
    let stored = try #require(try await fixture.stored())
    #expect(stored.verification == nil)
    #expect(stored.refreshToken == "refresh-2")
    #expect(try await fixture.token().accessToken == "access-2")
    let events = try await subscription.events(2)
    #expect(events.map(\.type) == [.initialSession, .mfaChallengeVerified])
    #expect(events[1].token?.accessToken == "access-2")
    #expect(events[1].status?.assurance?.current == "aal2")
  }

  @Test("MF-5: while a verification runs, nothing refreshes, tokens are served, and callers get the new token")
  func refreshesNothingMeanwhile() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    let refused = Task { try await fixture.token(rejected: fingerprint("access-1")).accessToken }
    let forced = Task { try await fixture.accounts.refresh(nil) }
    try await eventually("both wait") { fixture.accounts.waiters.count == 2 }
    fixture.clock.advance(by: .seconds(10))
    await fixture.accounts.worldChanged(.clock)
    await fixture.accounts.beginSleep()
    await fixture.accounts.wokeUp()
    _ = await fixture.accounts.tick()
    #expect(try await fixture.token().accessToken == "access-1")
    sent.answer(.success(.verified("2")))
    _ = try await caller.value
    #expect(try await refused.value == "access-2")
    _ = try await forced.value
    #expect(fixture.server.refreshes == [])
  }

  @Test("MF-5: a refresh that is due during a verification follows a refused one")
  func refreshesAfterwards() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    fixture.clock.advance(by: .seconds(3590))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes == [])
    sent.refuse(422, "mfa_verification_failed")
    _ = await errorOf { try await caller.value }
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
  }

  @Test("MF-5: one verification of an account at a time")
  func allowsOne() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    let error = await errorOf { try await fixture.verify("222222").value }
    #expect(error?.kind == .flowBusy)
    #expect(fixture.factors.sends == 1)
    sent.answer(.success(.verified("2")))
    _ = try await caller.value
  }

  @Test(
    "MF-5: a verification goes on if its caller disconnects, or has waited for a minute",
    arguments: [ErrorKind.cancelled, .timedOut])
  func outlivesItsCaller(end: ErrorKind) async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    if end == .cancelled { caller.cancel() } else { fixture.clock.advance(by: .seconds(60)) }
    #expect(await errorOf { try await caller.value }?.kind == end)
    sent.answer(.success(.verified("2")))
    try await eventually("the answer is stored") { try await fixture.stored()?.refreshToken == "refresh-2" }
  }

  @Test(
    "MF-5: a definite refusal clears the marker",
    arguments: [
      (422, "mfa_verification_failed"), (422, "mfa_challenge_expired"), (429, "over_request_rate_limit"),
      (404, "mfa_factor_not_found"), (403, "a gateway's"), (400, "validation_failed"),
    ])
  func clearsTheMarker(status: Int, code: String) async throws {
    try await fixture.signIn(with: [.app])
    let caller = fixture.verify()
    try await fixture.factors.nextVerification().refuse(status, code)
    #expect(await errorOf { try await caller.value } != nil)
    #expect(try await fixture.stored()?.verification == nil)
    #expect(try await fixture.stored()?.refreshToken == "refresh-1")
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
    #expect(fixture.factors.sends == 1)
    async let renewed = fixture.accounts.refresh(nil)
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    _ = try await renewed
  }

  @Test("a challenge that fails ends the verification; nothing was marked or sent")
  func endsWithoutAChallenge() async throws {
    try await fixture.signIn(with: [.app])
    fixture.factors.failChallenges(with: AuthError(.network, "not reachable"))
    let writes = fixture.storage.writeCount
    #expect(await errorOf { try await fixture.verify().value }?.kind == .offline)
    #expect(fixture.storage.writeCount == writes)
    #expect(fixture.factors.sends == 0)
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
  }

  @Test("MF-5: a marker that cannot be written ends the verification; nothing was sent", arguments: [false, true])
  func sendsNothingWithoutAMarker(isLasting: Bool) async throws {
    try await fixture.signIn(with: [.app])
    if isLasting {
      fixture.storage.failWrites(with: .diskFull)
    } else {
      fixture.storage.failNextWrite(with: .diskFull)
    }
    #expect(await errorOf { try await fixture.verify().value }?.kind == .storageFull)
    #expect(fixture.factors.sends == 0)
    fixture.storage.failWrites(with: nil)
    try await eventually("the record is written back") {
      fixture.clock.advance(by: .seconds(1))
      return await fixture.accounts.accounts["default"]?.unsaved == nil
    }
    #expect(try await fixture.stored()?.verification == nil)
    try await fixture.completeVerification()
  }

  @Test("MF-5: after a refused verification, no refresh starts before the cleared marker is stored")
  func storesTheClearedMarkerFirst() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    fixture.storage.failWrites(with: .diskFull)
    sent.answer(.failure(AuthError(.badJWT, "refused", status: 403, serverCode: "bad_jwt")))
    #expect(await errorOf { try await caller.value }?.kind == .serviceUnavailable)
    fixture.clock.advance(by: .seconds(2))
    #expect(fixture.server.refreshes.isEmpty)
    fixture.storage.failWrites(with: nil)
    try await eventually("the refresh starts") {
      fixture.clock.advance(by: .seconds(2))
      return !fixture.server.refreshes.isEmpty
    }
    #expect(try await fixture.stored()?.verification == nil)
  }

  @Test("another user's session is refused, and the marker stays")
  func refusesAnotherUser() async throws {
    try await fixture.signIn(with: [.app])
    let caller = fixture.verify()
    try await fixture.factors.nextVerification().answer(.success(.verified("2", user: "user-2")))
    #expect(await errorOf { try await caller.value }?.kind == .serviceUnavailable)
    #expect(try await fixture.stored()?.verification != nil)
    #expect(try await fixture.stored()?.refreshToken == "refresh-1")
    #expect(fixture.server.logouts == [])
  }

  @Test("a hook that rejects ends the session: the project's words, then the server's own answer")
  func reportsARejection() async throws {
    try await fixture.signIn(with: [.app])
    let caller = fixture.verify()
    try await fixture.factors.nextVerification()
      .refuse(403, "mfa_verification_rejected", "Too many\u{1B}[31m wrong codes.")
    let error = await errorOf { try await caller.value }
    #expect(error?.kind == .denied)
    #expect(error?.message.contains(#"Too many\u{1b}[31m wrong codes."#) == true)
    let gone = AuthError(.refreshTokenNotFound, "gone", status: 400)
    try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, gone))
    try await eventually("the session has ended") { try await fixture.accounts.status(nil).state == .signInNeeded }
  }

  @Test("MF-6: after a verification, the user's other sessions without a second factor are checked")
  func checksTheOthers() async throws {
    try await fixture.signIn("main", with: [.app])
    try await fixture.signIn("other", with: [.app], token: "5")
    try await fixture.signIn("foreign", with: [.app], token: "8", user: "user-2")
    #expect(try await fixture.accounts.factors("main").endsAccounts == ["other"])
    let asked = fixture.server.askedUsers.count
    fixture.server.answerUser(with: .failure(AuthError(.sessionNotFound, "gone", status: 403)))
    try await fixture.completeVerification(account: "main")
    try await eventually("the other is checked") {
      fixture.server.askedUsers.dropFirst(asked) == ["access-5"]
    }
    let gone = AuthError(.refreshTokenNotFound, "gone", status: 400)
    let refresh = try await fixture.server.nextRefresh()
    #expect(refresh.token.exposed == "refresh-5")
    refresh.answer(.fatal(.tokenNotFound, gone))
    try await eventually("it has ended") { try await fixture.accounts.status("other").state == .signInNeeded }
  }

  @Test("five codes at once, then one every 12 seconds")
  func limitsTheRate() async throws {
    try await fixture.signIn(with: [.app])
    for _ in 0..<5 {
      let caller = fixture.verify()
      try await fixture.factors.nextVerification().refuse(422, "mfa_verification_failed")
      _ = await errorOf { try await caller.value }
    }
    let error = await errorOf { try await fixture.verify().value }
    #expect(error?.kind == .rateLimited)
    #expect((1...13).contains(error?.data.retryAfter ?? 0))
    fixture.clock.advance(by: .seconds(13))
    try await fixture.completeVerification()
  }

  @Test("what cannot be a code is not sent", arguments: ["", "12345", "12345678901", "12a456", "１２３４５６"])
  func refusesNoCode(text: String) async throws {
    try await fixture.signIn(with: [.app])
    #expect(await errorOf { try await fixture.verify(text).value }?.kind == .invalidParams)
    #expect(fixture.factors.requests == [])
  }
}
