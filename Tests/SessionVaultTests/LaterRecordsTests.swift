import Glibc
import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// `unlock(readsRecords: false)`: each record is opened when it is first needed, and behaves as if it
/// had been opened with the vault.
@Suite(.vault) struct LaterRecordsTests {
  private var fixture: VaultFixture { .current }

  /// Creates a vault with the records `a` to `d`, and opens it without reading them.
  private func opened(_ fixture: VaultFixture, _ storage: MemoryStorage) throws -> Vault {
    let first = try fixture.make(storage)
    for name in ["a", "b", "c", "d"] { try first.save(Array(name.utf8), as: name) }
    first.close()
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource], readsRecords: false)
    storage.reads = []
    return vault
  }

  private func contents(
    _ vault: Vault, later: [String] = [], _ isWanted: (String) -> Bool = { _ in true }
  ) throws -> [String] {
    var found: [String] = []
    try vault.readRecords(isWanted, later: later) { name, content in
      found.append(name + "=" + String(decoding: content, as: UTF8.self))
    }
    return found.sorted()
  }

  @Test func onePassOpensEachRecordOnce() async throws {
    let storage = MemoryStorage()
    let vault = try opened(fixture, storage)
    #expect(try contents(vault, { $0 != "b" }) == ["a=a", "c=c", "d=d"])
    #expect(storage.reads.count == 4)
    #expect(vault.names() == ["a", "b", "c", "d"])
    #expect(storage.reads.count == 4)
    // A second call reads again what it is asked for.
    #expect(try contents(vault, { $0 == "b" }) == ["b=b"])
    #expect(storage.reads.count == 5)
  }

  @Test func aVaultThatWasOpenedAsUsualGivesTheSameRecords() async throws {
    let vault = try fixture.make(MemoryStorage())
    try vault.save([0x61], as: "a")
    try vault.save([0x62], as: "b")
    #expect(try contents(vault, later: ["b"]) == ["a=a", "b=b"])
    vault.lock()
    #expect(throws: VaultError(.locked, "")) { try contents(vault) }
  }

  @Test func laterRecordsAreLeftUntilTheyAreNeeded() async throws {
    let storage = MemoryStorage()
    let vault = try opened(fixture, storage)
    #expect(try contents(vault, later: ["a", "b", "none"]) == ["c=c", "d=d"])
    #expect(storage.reads.count == 2)
    // Its own operations treat it as any record.
    #expect(try vault.text("a") == "a")
    try vault.save([0x32], as: "b")
    #expect(try vault.text("b") == "2")
    vault.lock()
    try vault.unlock(with: [fixture.keySource], readsRecords: false)
    #expect(try contents(vault) == ["a=a", "b=2", "c=c", "d=d"])
    #expect(vault.damaged.isEmpty)
  }

  @Test func aRecordThatWasNotReadIsDeletedComparedAndVerified() async throws {
    let storage = MemoryStorage()
    let vault = try opened(fixture, storage)
    try vault.delete("a")
    #expect(storage.pairs.count == 4)
    storage.files = storage.files.filter { !DoubledFile.isSecond($0.key) }
    #expect(try vault.verify().filter { $0.state == .missing }.count == 4)
    vault.lock()
    try vault.unlock(with: [fixture.keySource], readsRecords: false)
    while vault.compareNextCopies() {}
    #expect(vault.restored.count == 4 && vault.restored.allSatisfy { $0.failure == nil })
    expectPairs(storage)
    #expect(vault.names() == ["b", "c", "d"])
    #expect(try vault.verify().allSatisfy { $0.state == .ok })
  }

  @Test func damageIsFoundWithTheRecordsTurn() async throws {
    let storage = MemoryStorage()
    let vault = try opened(fixture, storage)
    for copy in DoubledFile.copies(of: try #require(storage.pairs.keys.filter(VaultFormat.isRecord).min())) {
      storage.files[copy]?[60] ^= 1
    }
    #expect(vault.damaged.isEmpty)
    #expect(try contents(vault).count == 3)
    #expect(vault.damaged.count == 1 && vault.damaged.first?.setAsideAs != nil)
    #expect(vault.names().count == 3)
  }

  /// An older copy of a record is noticed although the record was not read between two locks.
  @Test func locksRememberWhatWasNotReadInBetween() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    try vault.save([1], as: "a")
    let old = storage.pairs.filter { VaultFormat.isRecord($0.key) }
    try vault.save([2], as: "a")
    for _ in 0..<2 {
      vault.lock()
      try vault.unlock(with: [fixture.keySource], readsRecords: false)
    }
    vault.lock()
    storage.pairs.merge(old) { _, old in old }
    try vault.unlock(with: [fixture.keySource], readsRecords: false)
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .damaged)
    #expect(vault.damaged.count == 1)
  }

  @Test func aRecordThatWasNeverReadSurvivesALock() async throws {
    let vault = try opened(fixture, MemoryStorage())
    vault.lock()
    try vault.unlock(with: [fixture.keySource])
    #expect(vault.names() == ["a", "b", "c", "d"] && vault.damaged.isEmpty)
    try vault.save([0x65], as: "a")
    vault.lock()
    try vault.unlock(with: [fixture.keySource])
    #expect(try vault.text("a") == "e")
  }

  @Test func aRekeyResealsWhatWasNotRead() async throws {
    let storage = MemoryStorage()
    let vault = try opened(fixture, storage)
    let before = Set(storage.pairs.keys.filter(VaultFormat.isRecord))
    try vault.rekey(present: [fixture.keySource])
    #expect(before.isDisjoint(with: storage.pairs.keys))
    #expect(try contents(vault) == ["a=a", "b=b", "c=c", "d=d"])
  }

  /// A file that others may read is refused, and affects no other.
  @Test func aRefusedFileMakesThePassThrowAfterAllOthers() async throws {
    try fixture.save(["a": "1", "b": "2", "c": "3"])
    let vault = try fixture.attach(fixture.storage)
    defer { vault.close() }
    try vault.unlock(with: [fixture.keySource], readsRecords: false)
    chmod(try #require(fixture.recordFiles().first), 0o644)
    let found = Mutex<[String]>([])
    #expect(throws: VaultError(.unsafe, "")) {
      try vault.readRecords({ _ in true }) { name, _ in found.withLock { $0.append(name) } }
    }
    #expect(found.withLock { $0.count } == 2)
    #expect(vault.names().count == 2 && vault.damaged.isEmpty)
  }
}

struct PaddingTests {
  /// ISO/IEC 7816-4, for each place of the padding in the last block. That sodium_pad(3), which seals,
  /// agrees is what every test shows that reads a record.
  @Test func paddingEndsTheLastBlock() {
    let block = VaultFormat.paddingBlock
    for blocks in 1...2 {
      for length in stride(from: (blocks - 1) * block, to: blocks * block, by: 61) + [blocks * block - 1] {
        var bytes = [UInt8](repeating: 7, count: length) + [0x80]
        bytes += [UInt8](repeating: 0, count: blocks * block - bytes.count)
        #expect(RecordSealer.lengthWithoutPadding(bytes) == length)
        bytes[length] = 0x81
        #expect(RecordSealer.lengthWithoutPadding(bytes) == nil)
      }
    }
    var early = [UInt8](repeating: 0, count: 2 * block)
    early[block - 1] = 0x80
    #expect(RecordSealer.lengthWithoutPadding(early) == nil)
    #expect(RecordSealer.lengthWithoutPadding([UInt8](repeating: 0, count: block)) == nil)
  }
}

extension RecordSealer {
  fileprivate static func lengthWithoutPadding(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { lengthWithoutPadding($0) }
  }
}
