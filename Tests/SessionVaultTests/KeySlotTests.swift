import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// VA-3: any single key unlocks the vault; keys are added and removed without changing a record.
@Suite(.vault) struct KeySlotTests {
  private var fixture: VaultFixture { .current }

  @Test func anyOneKeyOpens() async throws {
    try fixture.writeCredential()
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    try vault.save([7], as: "a")
    let records = storage.pairs.filter { VaultFormat.isRecord($0.key) }
    try vault.addKey(passphrase("one"), present: [fixture.keySource])
    try vault.addKey(fixture.credential, present: [passphrase("one")])
    try vault.addKey(passphrase("two"), present: [fixture.credential])
    #expect(vault.condition.keys.map(\.kind) == [.keyFile, .passphrase, .credential, .passphrase])
    #expect(vault.condition.keys.map { $0.cost != nil } == [false, true, false, true])
    #expect(vault.condition.generation == 4)
    #expect(storage.pairs.filter { VaultFormat.isRecord($0.key) } == records)
    vault.close()
    for source in [fixture.keySource, try passphrase("one"), fixture.credential, try passphrase("two")] {
      let again = try fixture.attach(storage)
      #expect(try again.unlock(with: [source]).kind == source.kind)
      #expect(try again.load("a") == [7])
      again.close()
    }
  }

  @Test func aRemovedKeyOpensNoMore() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    try vault.save([7], as: "a")
    let file = vault.condition.keys[0].id
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    try vault.removeKey(file, present: [passphrase("words")])
    #expect(vault.condition.keys.map(\.kind) == [.passphrase])
    vault.lock()
    #expect(code { () throws(VaultError) in try vault.unlock(with: [fixture.keySource]) } == .wrongKey)
    try vault.unlock(with: [passphrase("words")])
    #expect(try vault.load("a") == [7])
  }

  @Test func theLastKeyStays() async throws {
    let vault = try fixture.make(MemoryStorage())
    let id = vault.condition.keys[0].id
    #expect(code { () throws(VaultError) in try vault.removeKey(id, present: [fixture.keySource]) } == .keyLimit)
    #expect(vault.condition.keys.map(\.id) == [id])
    let unknown = String(repeating: "0", count: 32)
    for id in [unknown, "", "no hex"] {
      #expect(code { () throws(VaultError) in try vault.removeKey(id, present: [fixture.keySource]) } == .noSuchKey)
    }
  }

  @Test func aChangedPassphraseTakesTheSlotsPlace() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    let old = try vault.addKey(passphrase("old"), present: [fixture.keySource])
    let writes = storage.writeCount
    let new = try vault.replaceKey(old.id, with: passphrase("new"), present: [passphrase("old")])
    #expect(storage.writeCount == writes + 1)
    #expect(new.id != old.id)
    #expect(vault.condition.keys.map(\.id).last == new.id)
    vault.lock()
    #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("old")]) } == .wrongKey)
    #expect(try vault.unlock(with: [passphrase("new")]) == new)
    let file = vault.condition.keys[0].id
    #expect(throws: VaultError(.invalidKey, "")) {
      try vault.replaceKey(file, with: passphrase("x"), present: [passphrase("new")])
    }
  }

  /// An open vault does not prove possession of a key.
  @Test func everyChangeNeedsAPresentKey() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    let slot = try vault.addKey(passphrase("words"), present: [fixture.keySource])
    let before = storage.pairs
    let wrong = [try passphrase("Words")]
    #expect(code { () throws(VaultError) in try vault.addKey(passphrase("x"), present: wrong) } == .wrongKey)
    #expect(code { () throws(VaultError) in try vault.removeKey(slot.id, present: wrong) } == .wrongKey)
    #expect(
      code { () throws(VaultError) in try vault.replaceKey(slot.id, with: passphrase("x"), present: wrong) }
        == .wrongKey)
    #expect(code { () throws(VaultError) in try vault.rekey(present: wrong) } == .wrongKey)
    #expect(code { () throws(VaultError) in try vault.addKey(passphrase("x"), present: []) } == .wrongKey)
    let missing = [KeySource.keyFile(path: fixture.folder + "/none.key", createIfMissing: true)]
    #expect(code { () throws(VaultError) in try vault.removeKey(slot.id, present: missing) } == .keyMissing)
    #expect(storage.pairs == before)
    vault.lock()
    #expect(
      code { () throws(VaultError) in try vault.addKey(passphrase("x"), present: [fixture.keySource]) } == .locked)
    #expect(code { () throws(VaultError) in try vault.rekey(present: [fixture.keySource]) } == .locked)
  }

  @Test func aKeyFileIsOnlyMadeForWhoHasAKey() async throws {
    let vault = try fixture.attach(MemoryStorage())
    try vault.create(with: passphrase("words"))
    #expect(throws: VaultError(.wrongKey, "")) { try vault.addKey(fixture.keySource, present: [passphrase("wrong")]) }
    #expect(!fileExists(fixture.keyFile))
    try vault.addKey(fixture.keySource, present: [passphrase("words")])
    #expect(fileExists(fixture.keyFile))
    vault.lock()
    #expect(try vault.unlock(with: [fixture.keySource]).kind == .keyFile)
  }

  @Test func aKeyThatIsThereIsNotAddedTwice() async throws {
    let vault = try fixture.make(MemoryStorage())
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    for source in [fixture.keySource, try passphrase("words")] {
      #expect(code { () throws(VaultError) in try vault.addKey(source, present: [fixture.keySource]) } == .keyKnown)
    }
  }

  @Test func thereIsABoundOnKeys() async throws {
    let vault = try fixture.make(MemoryStorage())
    for number in 1...VaultFormat.maxPassphraseSlots {
      try vault.addKey(passphrase("words \(number)"), present: [fixture.keySource])
    }
    #expect(throws: VaultError(.keyLimit, "")) {
      try vault.addKey(passphrase("one more"), present: [fixture.keySource])
    }
    #expect(vault.condition.keys.count == 5)
  }

  @Test func aFailedChangeLeavesTheKeysAsTheyWere() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    let files = storage.pairs
    storage.failNextWrite(with: .diskFull)
    #expect(throws: VaultError(.diskFull, "")) { try vault.addKey(passphrase("words"), present: [fixture.keySource]) }
    #expect(storage.pairs == files)
    #expect(vault.condition.keys.count == 1)
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    // The generation of the failed write is not reused.
    #expect(vault.condition.generation == 3)
  }

  /// The rename succeeded and a later step failed: the header on the disk is still accepted.
  @Test func aChangeThatFailedAfterItsRenameIsOurs() async throws {
    let storage = FaultyStorage(MemoryStorage())
    let vault = try fixture.make(storage)
    storage.failsAfterWriting.store(true, ordering: .relaxed)
    #expect(throws: VaultError(.io, "")) { try vault.addKey(passphrase("words"), present: [fixture.keySource]) }
    vault.lock()
    try vault.unlock(with: [fixture.keySource])
    storage.failsAfterWriting.store(false, ordering: .relaxed)
    #expect(vault.condition.keys.map(\.kind) == [.keyFile, .passphrase])
    #expect(try vault.verify().allSatisfy { $0.state == .ok })
  }

  @Test func slotsOfUnknownKindsAreKept() async throws {
    let storage = MemoryStorage()
    let unknown = KeySlot(kind: KeySlotKind(rawValue: 200), id: Sodium.random(16), payload: [1, 2, 3])
    let vaultID = Sodium.random(16)
    let master = try SecretBytes.random(count: 32)
    let ours = KeySlot.wrapping(
      master, with: try WrappingKey(keyFile: KeyFile.create(fixture.keyFile)), vaultID: vaultID)
    let header = VaultHeader(
      vaultID: vaultID, generation: 1, machine: MachineTag(MachineID(bytes: []), vaultID: vaultID),
      slots: [unknown, ours])
    storage.pairs["header"] = header.sealed(under: try Sodium.subkey(.header, of: master))
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    #expect(try SealedHeader(try #require(storage.pairs["header"])).slots.first == unknown)
    #expect(vault.condition.keys.map(\.kind.description).first == "key of unknown kind 200")
    // The key of the unknown slot is not available, so the new master key cannot be wrapped for
    // it.
    let keys = [fixture.keySource, try passphrase("words")]
    #expect(code { () throws(VaultError) in try vault.rekey(present: keys) } == .keysNeeded)
  }
}
