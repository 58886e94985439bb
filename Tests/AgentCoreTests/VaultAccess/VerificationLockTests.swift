import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

@Suite(.lock, .timeLimit(.minutes(10))) struct VerificationLockTests {
  private var fixture: LockFixture { .current }

  @Test("a lock waits for the answer and stores it")
  func waitsForTheAnswer() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    async let lock = fixture.access.lock(.manual)
    try await eventually("the lock begins") { await fixture.accounts.lockState.isOpen == false }
    #expect(await fixture.accounts.lockState.isLocked == false, "it waits for the answer")
    sent.answer(.success(.verified("2")))
    #expect(try await caller.value.assurance?.current == "aal2")
    _ = try await lock
    try await fixture.unlock()
    #expect(try await fixture.token() == "access-2")
    #expect(try await fixture.accounts.status(nil).assurance?.current == "aal2")
    #expect(fixture.server.refreshes == [])
  }

  @Test("MF-5: after a lock that did not wait, the marker stands; a late answer changes nothing and ends no session")
  func keepsTheMarker() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    let lock = Task { try await fixture.access.lock(.manual) }
    try await eventually("locked") {
      if await fixture.accounts.lockState.isOpen == false { fixture.clock.advance(by: .milliseconds(500)) }
      return await fixture.accounts.lockState.isLocked
    }
    _ = try await lock.value
    #expect(await errorOf { try await caller.value }?.kind == .vaultLocked)
    sent.answer(.success(.verified("2")))
    try await fixture.unlock()
    #expect(try await fixture.accounts.status(nil).state == .degraded)
    #expect(try await fixture.token() == "access-1")
    fixture.clock.advance(by: .seconds(3300))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes == [])
    #expect(fixture.server.logouts == [])
    let (again, next) = try await fixture.verifyUntilSent("222222")
    #expect(next.text.hasSuffix("222222 access-1"))
    next.answer(.success(.verified("3")))
    #expect(try await again.value.state == .authenticated)
  }

  @Test("a lock while the challenge is made: nothing is sent or marked")
  func sendsNothing() async throws {
    try await fixture.signIn(with: [.app])
    fixture.factors.holdChallenges()
    let caller = fixture.verify()
    try await eventually("the challenge is asked for") { !fixture.factors.requests.isEmpty }
    async let lock = fixture.access.lock(.manual)
    try await eventually("the lock begins") { await fixture.accounts.lockState.isOpen == false }
    fixture.factors.answerChallenges()
    #expect(await errorOf { try await caller.value }?.kind == .vaultLocked)
    _ = try await lock
    #expect(fixture.factors.sends == 0)
    try await fixture.unlock()
    #expect(try await fixture.accounts.status(nil).state == .authenticated)
  }

  @Test("sleep is delayed until the answer to a verification is stored")
  func delaysSleep() async throws {
    try await fixture.signIn(with: [.app])
    let (caller, sent) = try await fixture.verifyUntilSent()
    await fixture.accounts.beginSleep()
    let isReady = Mutexed(false)
    let sleep = Task {
      await fixture.accounts.waitUntilReadyForSleep()
      isReady.value = true
    }
    try await eventually("sleep waits") { !fixture.accounts.landingWaiters.isEmpty }
    sent.answer(.success(.verified("2")))
    _ = try await caller.value
    await sleep.value
    #expect(isReady.value)
    #expect(fixture.server.refreshes == [])
  }
}
