import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine
@testable import SessionVault

/// The ways to unlock, and what survives a restart.
@Suite(.timeLimit(.minutes(10))) struct UnlockTests {
  private var fixture: LockFixture { .current }
  private var home: LockEnvironment { .current }

  @Test("a session lock ends with the session's unlock or a restart; a manual lock takes precedence", .lockEnvironment)
  func locksWithTheSession() async throws {
    try await withLock(home) { fixture async throws in
      try await fixture.signIn()
      _ = try await fixture.access.lock(.session)
      #expect(await errorKind { try await fixture.token() } == .vaultLocked)
      try await fixture.access.sessionUnlocked()
      #expect(try await fixture.token() == "access-1")
      _ = try await fixture.access.lock(.session)
    }
    try await withLock(home) { fixture async throws in
      #expect(try await fixture.token() == "access-1")
      _ = try await fixture.access.lock(.session)
      _ = try await fixture.access.lock(.manual)
      try await fixture.access.sessionUnlocked()
      #expect(await errorKind { try await fixture.token() } == .vaultLocked)
    }
    try await withLock(home) { fixture async throws in
      #expect(await fixture.accounts.lockState.isLocked)
    }
  }

  @Test("one derivation runs, four wait, more are refused; no other request waits", .lock)
  func boundsTheQueue() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    let before = home.derivation.count
    home.derivation.hold()
    let refused = Mutexed(0)
    let tries = (0..<6).map { _ in
      Task {
        let kind = await errorKind { try await fixture.unlock("correct horse") }
        if kind == .tooMany { refused.value += 1 }
      }
    }
    try await eventually("one is refused, one is at work") {
      refused.value == 1 && home.derivation.count > before
    }
    #expect(home.derivation.count == before + 1, "one at a time")
    #expect(try await fixture.token() == "access-1")
    #expect(await errorKind { try await fixture.signIn("other", token: "o") } == nil, "the disk is free")
    home.derivation.release()
    for one in tries { await one.value }
    #expect(refused.value == 1)
  }

  @Test("a manual lock wins over an unlock whose passphrase is being tried", .lock)
  func lockWins() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    _ = try await fixture.access.lock(.idle)
    let before = home.derivation.count
    home.derivation.hold()
    async let kind = errorKind { try await fixture.unlock("correct horse") }
    try await eventually("the passphrase is tried") { home.derivation.count > before }
    async let second = errorKind { try await fixture.unlock("correct horse") }
    async let lock = fixture.access.lock(.manual)
    try await eventually("the lock waits for the derivation") { await fixture.access.generation.isLocking }
    home.derivation.release()
    _ = try await lock
    #expect(await kind == .vaultLocked)
    #expect(await second == .vaultLocked)
    #expect(home.derivation.count == before + 1, "none begins after the lock")
    #expect(await fixture.accounts.lockState.isLocked)
    #expect(try await fixture.access.attached.get().vault.isLocked)
  }

  @Test("a lock waits for a key that is being added, which is stopped before its next derivation", .lock)
  func lockCutsOffKeyWork() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    let before = home.derivation.count
    home.derivation.hold()
    let params = VaultAddKey.Params(
      kind: .passphrase, passphrase: SecretText("another"),
      present: PresentKeys(passphrases: [SecretText("correct horse")]))
    async let added = errorKind { _ = try await fixture.access.addKey(params) }
    try await eventually("the present passphrase is tried") { home.derivation.count > before }
    async let lock = fixture.access.lock(.session)
    try await eventually("the lock waits for it") { await fixture.access.generation.isLocking }
    #expect(try await !fixture.access.attached.get().vault.isLocked)
    home.derivation.release()
    _ = try await lock
    #expect(await added == .vaultLocked)
    #expect(home.derivation.count == before + 1)
    #expect(await !fixture.access.generation.isLocking)
    try await fixture.unlock("correct horse")
    #expect(await errorKind { try await fixture.unlock("another") } == .wrongKey)
  }

  @Test("the end of the agent stops key work before its next derivation", .lock)
  func closeCutsOffKeyWork() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    let (before, begun) = (home.derivation.count, try await fixture.access.generation.begin())
    home.derivation.hold()
    let params = VaultAddKey.Params(
      kind: .passphrase, passphrase: SecretText("another"),
      present: PresentKeys(passphrases: (0..<8).map { SecretText("wrong \($0)") }))
    async let added = errorKind { _ = try await fixture.access.addKey(params) }
    try await eventually("the first passphrase is tried") { home.derivation.count > before }
    async let closed: Void = fixture.access.close()
    try await eventually("the agent ends") { await !fixture.access.generation.isCurrent(begun) }
    home.derivation.release()
    await closed
    #expect(await added != nil)
    #expect(home.derivation.count == before + 1)
  }

  @Test("an idle lock follows the clock, and every token postpones it", .lock(idle: .seconds(600)))
  func locksAfterIdleTime() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    fixture.clock.advance(by: .seconds(590))
    _ = try await fixture.token()
    fixture.clock.advance(by: .seconds(590))
    #expect(await fixture.access.lockIfIdle() == fixture.clock.now.advanced(by: .seconds(10)))
    #expect(await fixture.accounts.lockState.isOpen)
    fixture.clock.advance(by: .seconds(10))
    try await eventually("the lock") { await fixture.accounts.lockState.isLocked }
    try await eventually("the cause") { try await fixture.access.status().lockedBy == "idle" }
    fixture.clock.advance(by: .seconds(7200))
    try await fixture.unlock("correct horse")
    #expect(await fixture.access.lockIfIdle() == fixture.clock.now.advanced(by: .seconds(600)), "an unlock is a use")
  }

  @Test(
    "a caller that gets an error does not keep the vault unlocked", .lock(idle: .seconds(600)),
    arguments: ["nobody", "ended"])
  func errorsAreNoUse(account: String) async throws {
    try await fixture.signIn()
    try await fixture.signIn("ended", user: "user-2", token: "e")
    _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: "ended"))
    try await fixture.usePassphrase("correct horse")
    // The clock advances in small steps, so that the test does not depend on the idle lock's
    // own loop.
    for _ in 0..<11 {
      fixture.clock.advance(by: .seconds(60))
      #expect(await errorKind { try await fixture.token(account) } != nil)
      _ = await fixture.access.lockIfIdle()
    }
    #expect(try await fixture.access.status().lockedBy == "idle")
  }

  @Test("an idle lock that any program could undo is refused, and the status says so", .lock(idle: .seconds(60)))
  func refusesIdleLockWithKeyFile() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3000))
    #expect(await fixture.access.lockIfIdle() == nil)
    #expect(await fixture.accounts.lockState.isOpen)
    #expect(await fixture.access.complaints().contains { $0.hasPrefix("idle_lock has no effect") })
    fixture.idleTime.value = nil
    #expect(await fixture.access.complaints().isEmpty)
  }

  @Test(
    "a missing key file makes the vault unavailable, until the file is back and the vault is unlocked", .lockEnvironment
  )
  func waitsForTheKeyFile() async throws {
    try await withLock(home) { try await $0.signIn() }
    let (key, away) = (home.places.keyFile, home.folder + "/away")
    try FileManager.default.moveItem(atPath: key, toPath: away)
    try FileManager.default.removeItem(atPath: key + ".2")
    try await withLock(home) { fixture async throws in
      #expect(await errorKind { try await fixture.token() } == .wrongKey)
      #expect(await fixture.access.summary().state == "unavailable")
      #expect(await fixture.access.complaints().contains { $0.contains("vault.key is missing") })
      #expect(await errorKind { try await fixture.unlock() } == .wrongKey)
      try FileManager.default.moveItem(atPath: away, toPath: key)
      try await fixture.unlock()
      #expect(try await fixture.token() == "access-1")
      #expect(await fixture.access.complaints().isEmpty)
    }
  }
}
