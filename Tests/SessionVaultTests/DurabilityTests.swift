import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// VA-5: a crash, a full disk or a failed write leaves the old or the new record intact.
@Suite(.vault) struct DurabilityTests {
  private var fixture: VaultFixture { .current }

  @Test func aFailedWriteIsReportedAndTheNextOneServes() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    try vault.save([1], as: "a")
    storage.failNextWrite(with: .diskFull)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .diskFull)
    #expect(try vault.load("a") == [1])
    storage.failWrites(with: .io)
    #expect(code { () throws(VaultError) in try vault.save([3], as: "a") } == .io)
    #expect(code { () throws(VaultError) in try vault.save([3], as: "new") } == .io)
    #expect(vault.names() == ["a"])
    storage.failWrites(with: nil)
    let before = storage.writeCount
    try vault.save([4], as: "a")
    #expect(storage.writeCount == before + 1)
    vault.close()
    let again = try fixture.open(storage)
    #expect(try again.load("a") == [4])
    #expect(again.damaged.isEmpty)
  }

  @Test func aFailedFirstWriteMakesNoVault() async throws {
    let storage = MemoryStorage()
    storage.failNextWrite(with: .noPermission)
    #expect(code { () throws(VaultError) in _ = try fixture.open(storage) } == .noPermission)
    #expect(storage.pairs.isEmpty)
    try fixture.open(storage).close()
    #expect(Set(storage.pairs.keys) == ["header"])
  }

  @Test func aRecordThatCannotBeRemovedStays() async throws {
    let storage = FaultyStorage(MemoryStorage())
    let vault = try fixture.open(storage)
    try vault.save([1], as: "a")
    storage.failsNextRemoving.store(true, ordering: .relaxed)
    #expect(code { () throws(VaultError) in try vault.delete("a") } == .io)
    #expect(try vault.load("a") == [1])
    try vault.delete("a")
    #expect(vault.names().isEmpty)
  }

  @Test func aRecordThatCannotBeReadJustNowIsLeftInPlace() async throws {
    let memory = MemoryStorage()
    let storage = FaultyStorage(memory)
    let first = try fixture.open(storage)
    try first.save([1], as: "a")
    first.close()
    let files = memory.pairs
    storage.failsReadingRecords.store(true, ordering: .relaxed)
    let vault = try fixture.open(storage)
    #expect(vault.names().isEmpty)
    #expect(vault.damaged.count == 1 && vault.damaged[0].setAsideAs == nil)
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .io)
    #expect(memory.pairs == files)
    storage.failsReadingRecords.store(false, ordering: .relaxed)
    #expect(try vault.load("a") == [1])
    #expect(vault.names() == ["a"])
  }

  @Test func whatCanBeReadAgainAfterALockIsSavedAsEver() async throws {
    let storage = FaultyStorage(MemoryStorage())
    let first = try fixture.open(storage)
    try first.save([1], as: "a")
    first.close()
    storage.failsReadingRecords.store(true, ordering: .relaxed)
    let vault = try fixture.open(storage)
    vault.lock()
    storage.failsReadingRecords.store(false, ordering: .relaxed)
    try vault.unlock(with: [fixture.keySource])
    #expect(try vault.load("a") == [1])
    try vault.save([2], as: "a")
    #expect(try vault.load("a") == [2])
  }

  @Test func whatCouldNotBeReadIsKeptWhenItIsSavedAnew() async throws {
    let memory = MemoryStorage()
    let storage = FaultyStorage(memory)
    let first = try fixture.open(storage)
    try first.save([1], as: "a")
    first.close()
    let file = try #require(memory.pairs.first { VaultFormat.isRecord($0.key) })
    storage.failsReadingRecords.store(true, ordering: .relaxed)
    let vault = try fixture.open(storage)
    try vault.save([2], as: "a")
    #expect(memory.pairs[file.key + ".damaged-1"] == file.value)
    storage.failsReadingRecords.store(false, ordering: .relaxed)
    #expect(try vault.load("a") == [2])
  }

  @Test func aFileLargerThanAnyRecordIsSetAside() async throws {
    try fixture.save(["a": "x"])
    let file = try #require(try fixture.recordFiles().first)
    try fixture.removeSecondCopies()
    #expect(truncateFile(file, to: VaultFormat.maxFileSize + 1))
    let vault = try fixture.open()
    #expect(vault.damaged.map(\.reason) == ["it is too large for a vault file"])
    #expect(access(file + ".damaged-1", F_OK) == 0)
  }

  @Test func aFolderThatWentAwayIsNoMissingRecord() async throws {
    let vault = try fixture.open()
    try FileManager.default.removeItem(atPath: fixture.vault)
    #expect(code { () throws(VaultError) in try vault.save([1], as: "a") } == .io)
  }
}
