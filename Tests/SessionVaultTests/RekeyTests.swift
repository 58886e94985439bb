import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// VA-3: a rekey keeps all keys, and the vault is complete at every moment.
@Suite(.vault) struct RekeyTests {
  private var fixture: VaultFixture { .current }

  private static let records: [String: [UInt8]] = [
    "a": [1], "b": [2, 2], "größer": [UInt8](repeating: 3, count: 5000),
  ]
  /// A header, three records that are each written and removed, and a header.
  private static let changes = 1 + 2 * records.count + 1

  private func keys(_ fixture: VaultFixture) throws(VaultError) -> [KeySource] {
    [fixture.keySource, try passphrase("words")]
  }

  /// Creates a closed vault with two keys and three records.
  private func filled(_ fixture: VaultFixture) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    for (name, content) in Self.records { try vault.save(content, as: name) }
    vault.close()
    return storage
  }

  private func expectWhole(_ vault: Vault) throws {
    #expect(vault.names() == Self.records.keys.sorted())
    for (name, content) in Self.records { #expect(try vault.load(name) == content) }
    #expect(vault.damaged.isEmpty)
  }

  @Test func everythingIsUnderTheNewKeyAndTheKeysStay() async throws {
    let storage = try filled(fixture)
    let before = storage.pairs
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    let slots = vault.condition.keys
    try vault.rekey(present: keys(fixture))
    try expectWhole(vault)
    #expect(vault.condition.keys == slots && !vault.condition.isRekeying)
    #expect(storage.pairs.count == before.count)
    #expect(Set(storage.pairs.keys).intersection(before.keys) == ["header"])
    #expect(try vault.verify().map(\.state) == Array(repeating: .ok, count: 8))
    let new = storage.pairs
    vault.close()
    for source in try keys(fixture) {
      let again = try fixture.attach(storage)
      try again.unlock(with: [source])
      try expectWhole(again)
      again.close()
    }
    // An older header reveals the old master key, which opens no record written since.
    storage.pairs = new.merging(["header": before["header"]!]) { _, old in old }
    let old = try fixture.attach(storage)
    try old.unlock(with: [fixture.keySource])
    #expect(old.names().isEmpty)
    #expect(old.damaged.count == Self.records.count)
  }

  @Test func everySlotsKeyIsNeeded() async throws {
    let storage = try filled(fixture)
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    let before = storage.pairs
    let missing = #expect(throws: VaultError.self) { try vault.rekey(present: [fixture.keySource]) }
    #expect(missing?.code == .keysNeeded)
    #expect(missing?.message.contains("passphrase " + vault.condition.keys[1].id) == true)
    #expect(missing?.message.contains(vault.condition.keys[0].id) == false)
    let other = code { () throws(VaultError) in try vault.rekey(present: [passphrase("words")]) }
    #expect(other == .keysNeeded)
    // A key source that the agent adds on its own may be missing.
    let none = KeySource.credential(path: fixture.folder + "/none/key")
    #expect(storage.pairs == before)
    try vault.rekey(present: [none] + keys(fixture))
    try expectWhole(vault)
  }

  /// The process is killed at each change on the disk, and again while the next process continues.
  @Test(arguments: 0..<changes, CrashingStorage.Part.allCases)
  func aCrashAnywhereLeavesAWholeVault(changes: Int, part: CrashingStorage.Part) async throws {
    let memory = try filled(fixture)
    try crash(fixture, memory, after: changes, part) { vault in
      try? vault.rekey(present: keys(fixture))
    }
    for second in 0..<Self.changes {
      let storage = MemoryStorage()
      storage.pairs = memory.pairs
      try crash(fixture, storage, after: second, part) { _ in }
      for source in try keys(fixture) {
        let vault = try fixture.attach(storage)
        try vault.unlock(with: [source])
        try expectWhole(vault)
        #expect(!vault.condition.isRekeying)
        while vault.compareNextCopies() {}
        expectPairs(storage)
        #expect(try vault.verify().count == 2 * (1 + Self.records.count))
        vault.close()
      }
    }
  }

  /// Opens the vault, runs `body`, and simulates a crash at a change.
  private func crash(
    _ fixture: VaultFixture, _ memory: MemoryStorage, after changes: Int, _ part: CrashingStorage.Part,
    _ body: (Vault) throws -> Void
  ) throws {
    let dying = CrashingStorage(memory, after: changes, part)
    let vault = try fixture.attach(dying)
    do {
      try vault.unlock(with: [fixture.keySource])
      try body(vault)
    } catch {
      #expect(dying.isSpent, "\(error)")
    }
    vault.close()
  }

  /// After one disk failure the same process continues with all its data, and a second attempt
  /// completes the rekey.
  @Test(arguments: 0..<changes, CrashingStorage.Part.allCases)
  func aFailureAnywhereCanBeRepeated(changes: Int, part: CrashingStorage.Part) async throws {
    let memory = try filled(fixture)
    let storage = CrashingStorage(memory, after: changes, part, failsOnce: true)
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    let result = code { () throws(VaultError) in try vault.rekey(present: keys(fixture)) }
    #expect(storage.isSpent)
    #expect(result == .io || !vault.condition.isRekeying)
    try expectWhole(vault)
    try vault.save([7], as: "a")
    try vault.save([8], as: "new")
    try vault.delete("b")
    #expect(try vault.verify().allSatisfy { $0.state == .ok })
    try vault.rekey(present: keys(fixture))
    #expect(try vault.load("a") == [7] && vault.load("new") == [8])
    #expect(vault.names() == ["a", "größer", "new"])
    #expect(vault.damaged.isEmpty)
    #expect(memory.pairs.count == 4)
    vault.close()
    let again = try fixture.attach(memory)
    try again.unlock(with: [passphrase("words")])
    #expect(again.names() == ["a", "größer", "new"])
  }

  /// A lock interrupts the rekey; the generations of remaining records are known under both master
  /// keys.
  @Test func aRekeyThatWasCutOffGoesOnAfterALock() async throws {
    let memory = try filled(fixture)
    let storage = CrashingStorage(memory, after: 3, .nothing, failsOnce: true)
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    #expect(code { () throws(VaultError) in try vault.rekey(present: keys(fixture)) } == .io)
    #expect(vault.condition.isRekeying)
    vault.lock()
    try vault.unlock(with: [passphrase("words")])
    #expect(!vault.condition.isRekeying)
    try expectWhole(vault)
  }

  @Test func aRecordThatCannotBeReadStopsItBeforeAnythingIsChanged() async throws {
    let memory = try filled(fixture)
    let storage = FaultyStorage(memory)
    storage.failsReadingRecords.store(true, ordering: .relaxed)
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    let before = memory.pairs
    #expect(code { () throws(VaultError) in try vault.rekey(present: keys(fixture)) } == .io)
    #expect(memory.pairs == before)
    vault.close()
    let file = try #require(memory.pairs.keys.first(where: VaultFormat.isRecord))
    memory.pairs[file]?[8] = 2
    let newer = try fixture.attach(memory)
    try newer.unlock(with: [fixture.keySource])
    #expect(code { () throws(VaultError) in try newer.rekey(present: keys(fixture)) } == .formatTooNew)
    #expect(try SealedHeader(try #require(memory.pairs["header"])).generation == 2)
  }

  @Test func othersGetTheirTurnBetweenTwoRecords() async throws {
    let vault = try fixture.make(fixture.storage)
    for number in 0..<40 { try vault.save([UInt8(number)], as: "\(number)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try vault.rekey(present: [fixture.keySource]) }
      group.addTask {
        for round in 0..<20 { try vault.update("0") { $0 = ($0 ?? []) + [UInt8(round)] } }
        for number in 20..<30 { try vault.delete("\(number)") }
        try vault.save([1], as: "more")
      }
      try await group.waitForAll()
    }
    #expect(try vault.load("0").count == 21)
    #expect(vault.names().count == 31 && vault.damaged.isEmpty)
    vault.close()
    let again = try fixture.open()
    #expect(again.names().count == 31 && again.damaged.isEmpty)
  }
}
