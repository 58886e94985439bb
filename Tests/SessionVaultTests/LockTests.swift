import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// A locked vault keeps its storage, shows what needs no key, and detects files that were
/// replaced meanwhile.
@Suite(.vault) struct LockTests {
  private var fixture: VaultFixture { .current }

  @Test func lockedMeansNoRecordAndNoName() async throws {
    let vault = try fixture.make(fixture.storage)
    try vault.save([1], as: "a")
    let open = vault.condition
    #expect(open.lockState == .open && open.isAuthenticated && !vault.isLocked)
    vault.lock()
    vault.lock()
    #expect(vault.isLocked && vault.names().isEmpty)
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .locked)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .locked)
    #expect(throws: VaultError(.locked, "")) { try vault.update("a") { _ in } }
    #expect(code { () throws(VaultError) in _ = try vault.verify() } == .locked)
    #expect(code { () throws(VaultError) in try vault.adopt() } == .locked)
    let locked = vault.condition
    #expect(locked.lockState == .locked && locked.isAuthenticated)
    #expect(locked.keys == open.keys && locked.generation == open.generation && locked.machine == .this)
    // The storage stays acquired.
    #expect(code { () throws(VaultError) in _ = try fixture.open() } == .inUse)
    try vault.unlock(with: [fixture.keySource])
    #expect(try vault.load("a") == [1])
    vault.close()
    #expect(vault.condition.lockState == .closed)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [fixture.keySource]) } == .locked)
    #expect(try fixture.open().load("a") == [1])
  }

  @Test func anAttachedVaultIsLockedAndUntouched() async throws {
    let storage = MemoryStorage()
    let first = try fixture.make(storage)
    try first.save([1], as: "a")
    first.close()
    let files = storage.pairs
    let vault = try fixture.attach(storage)
    #expect(vault.condition.lockState == .locked && !vault.condition.isAuthenticated)
    #expect(vault.condition.keys.map(\.kind) == [.keyFile])
    #expect(vault.condition.machine == .this)
    #expect(storage.pairs == files)
    #expect(code { () throws(VaultError) in try vault.create(with: fixture.keySource) } == .wrongState)
    try vault.unlock(with: [fixture.keySource])
    #expect(vault.condition.isAuthenticated)
    #expect(try vault.load("a") == [1])
  }

  @Test func anEmptyStorageIsMissingUntilAVaultIsMade() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.attach(storage)
    #expect(vault.condition.lockState == .missing && vault.condition.keys.isEmpty)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [fixture.keySource]) } == .wrongState)
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .wrongState)
    #expect(storage.pairs.isEmpty)
    try vault.create(with: fixture.keySource)
    #expect(vault.condition.lockState == .open)
    #expect(code { () throws(VaultError) in try vault.create(with: fixture.keySource) } == .wrongState)
  }

  @Test func aMissingSourceDoesNotStopTheOthers() async throws {
    let vault = try fixture.make(MemoryStorage())
    vault.lock()
    let none = KeySource.credential(path: fixture.folder + "/none/ritual-agent.vault-key")
    #expect(code { () throws(VaultError) in try vault.unlock(with: [none]) } == .keyMissing)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [none, passphrase("x")]) } == .wrongKey)
    try makeFolder(fixture.folder + "/bad")
    try writePrivate("no key", to: fixture.folder + "/bad/key")
    let bad = KeySource.keyFile(path: fixture.folder + "/bad/key", createIfMissing: false)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [none, bad]) } == .damaged)
    #expect(try vault.unlock(with: [none, bad, fixture.keySource]).kind == .keyFile)
  }

  @Test func anOlderRecordPutBackWhileLockedIsNoticed() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    try vault.save([1], as: "a")
    try vault.save([9], as: "deleted")
    let old = storage.pairs
    try vault.save([2], as: "a")
    try vault.delete("deleted")
    try vault.save([3], as: "b")
    vault.lock()
    storage.pairs.merge(old) { _, old in old }
    try vault.unlock(with: [fixture.keySource])
    #expect(vault.names() == ["b"])
    #expect(vault.damaged.count == 2 && vault.damaged.allSatisfy { $0.setAsideAs != nil })
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .damaged)
    vault.lock()
    #expect(vault.damaged.count == 2)
  }

  /// Otherwise a removed key could be restored.
  @Test func anOlderHeaderPutBackIsNoticed() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    let file = vault.condition.keys[0].id
    let old = try #require(storage.pairs["header"])
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    try vault.removeKey(file, present: [passphrase("words")])
    let new = storage.pairs["header"]
    storage.pairs["header"] = old
    #expect(throws: VaultError(.damaged, "")) { try vault.addKey(passphrase("x"), present: [fixture.keySource]) }
    #expect(code { () throws(VaultError) in try vault.adopt() } == .damaged)
    vault.lock()
    #expect(code { () throws(VaultError) in try vault.unlock(with: [fixture.keySource]) } == .damaged)
    #expect(storage.pairs["header"] == old)
    storage.pairs["header"] = new
    try vault.unlock(with: [passphrase("words")])
  }

  @Test func writesThatFailedBeforeTheLockAreNotTakenForDamage() async throws {
    let storage = FaultyStorage(MemoryStorage())
    let vault = try fixture.make(storage)
    try vault.save([1], as: "a")
    storage.failsAfterWriting.store(true, ordering: .relaxed)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .io)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "new") } == .io)
    #expect(try vault.load("a") == [2])
    vault.lock()
    storage.failsAfterWriting.store(false, ordering: .relaxed)
    try vault.unlock(with: [fixture.keySource])
    #expect(try vault.load("a") == [2])
    #expect(try vault.load("new") == [2])
    #expect(vault.damaged.isEmpty)
    try vault.save([3], as: "a")
    #expect(try vault.load("a") == [3])
  }
}
