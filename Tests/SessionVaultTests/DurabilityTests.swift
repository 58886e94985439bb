import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// VA-5: a crash, a full disk or a failed write leaves the old or the new record intact.
struct DurabilityTests {
  @Test func whatACrashLeftIsSweptAtOpening() async throws {
    try await withVaultFixture { fixture in
      try fixture.save(["a": "x"])
      let left = fixture.vault + "/" + DirectoryStorage.stagedPrefix + "0011223344556677"
      #expect(FileManager.default.createFile(atPath: left, contents: Data("half a rec".utf8)))
      chmod(left, 0o600)
      #expect(try fixture.open().text("a") == "x")
      #expect(access(left, F_OK) == -1)
    }
  }

  @Test func aKillBetweenWriteAndRenameKeepsTheOldRecord() async throws {
    try await withVaultFixture { fixture in
      try fixture.save(["a": "old"])
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = fixture.folder as String] in
        let fixture = VaultFixture(folder: folder)
        let vault = try fixture.open()
        let checked = try CheckedDirectory(fixture.vault, .ours, creating: false)
        let staged = try Array("new".utf8).withUnsafeBytes { bytes in
          try StagedFile(bytes, in: checked, prefix: DirectoryStorage.stagedPrefix)
        }
        withExtendedLifetime((vault, staged)) { _ = kill(getpid(), SIGKILL) }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: fixture.vault)
      #expect(names.contains { $0.hasPrefix(DirectoryStorage.stagedPrefix) })
      #expect(try fixture.open().text("a") == "old")
      let after = try FileManager.default.contentsOfDirectory(atPath: fixture.vault)
      #expect(!after.contains { $0.hasPrefix(DirectoryStorage.stagedPrefix) })
    }
  }

  /// The process is killed at an arbitrary instruction.
  @Test(arguments: [1, 3, 7, 12, 20])
  func aKillAmidstSavesLeavesAWholeRecord(saves: Int) async throws {
    try await withVaultFixture { fixture in
      try fixture.save(["a": "start"])
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = fixture.folder as String, saves = saves as Int] in
        try await saveUntilKilled(folder, after: saves)
      }
      let vault = try fixture.open()
      #expect(vault.damaged.isEmpty)
      let content = try vault.load("a")
      #expect(content.count == 9000 || content == Array("start".utf8))
      #expect(content.count != 9000 || Set(content).count == 1)
    }
  }

  @Test(.enabled(if: isRoot, "only root can mount a small file system"))
  func aFullDiskKeepsTheOldRecord() async throws {
    try await withVaultFixture { fixture in
      let disk = fixture.folder + "/disk"
      #expect(mkdir(disk, 0o700) == 0)
      try await onSmallDisk(at: disk, bytes: 128 << 10) {
        let vault = try Vault.open(
          storage: DirectoryStorage(path: disk + "/vault"), key: .keyFile(path: fixture.keyFile, createIfMissing: true))
        try vault.save([1], as: "a")
        let large = [UInt8](repeating: 2, count: 200 << 10)
        #expect(code { () throws(VaultError) in try vault.save(large, as: "a") } == .diskFull)
        #expect(try vault.load("a") == [1])
        let names = try FileManager.default.contentsOfDirectory(atPath: disk + "/vault")
        #expect(!names.contains { $0.hasPrefix(DirectoryStorage.stagedPrefix) })
        try vault.save([3], as: "a")
        vault.close()
        let again = try Vault.open(
          storage: DirectoryStorage(path: disk + "/vault"), key: .keyFile(path: fixture.keyFile, createIfMissing: false)
        )
        #expect(try again.load("a") == [3])
        again.close()
        try remountReadOnly(disk)
        let kept = code { () throws(VaultError) in
          _ = try Vault.open(
            storage: DirectoryStorage(path: disk + "/vault"),
            key: .keyFile(path: fixture.keyFile, createIfMissing: false))
        }
        #expect(kept == .readOnly)
      }
    }
  }

  @Test func aFailedWriteIsReportedAndTheNextOneServes() async throws {
    try await withVaultFixture { fixture in
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
  }

  @Test func aFailedFirstWriteMakesNoVault() async throws {
    try await withVaultFixture { fixture in
      let storage = MemoryStorage()
      storage.failNextWrite(with: .noPermission)
      #expect(code { () throws(VaultError) in _ = try fixture.open(storage) } == .noPermission)
      #expect(storage.pairs.isEmpty)
      try fixture.open(storage).close()
      #expect(Set(storage.pairs.keys) == ["header"])
    }
  }

  /// The rename succeeded and a later step failed: both generations are valid.
  @Test func aWriteThatFailedAfterItsRenameIsNotTakenForDamage() async throws {
    try await withVaultFixture { fixture in
      let memory = MemoryStorage()
      let storage = FaultyStorage(memory)
      let vault = try fixture.open(storage)
      try vault.save([1], as: "a")
      storage.failsAfterWriting.store(true, ordering: .relaxed)
      #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .io)
      #expect(try vault.load("a") == [2])
      storage.failsAfterWriting.store(false, ordering: .relaxed)
      try vault.save([3], as: "a")
      #expect(try vault.load("a") == [3])
      #expect(vault.damaged.isEmpty)
    }
  }

  @Test func aRecordThatCannotBeRemovedStays() async throws {
    try await withVaultFixture { fixture in
      let storage = FaultyStorage(MemoryStorage())
      let vault = try fixture.open(storage)
      try vault.save([1], as: "a")
      storage.failsNextRemoving.store(true, ordering: .relaxed)
      #expect(code { () throws(VaultError) in try vault.delete("a") } == .io)
      #expect(try vault.load("a") == [1])
      try vault.delete("a")
      #expect(vault.names().isEmpty)
    }
  }

  @Test func aRecordThatCannotBeReadJustNowIsLeftInPlace() async throws {
    try await withVaultFixture { fixture in
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
  }

  @Test func whatCanBeReadAgainAfterALockIsSavedAsEver() async throws {
    try await withVaultFixture { fixture in
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
  }

  @Test func whatCouldNotBeReadIsKeptWhenItIsSavedAnew() async throws {
    try await withVaultFixture { fixture in
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
  }

  @Test func aFileLargerThanAnyRecordIsSetAside() async throws {
    try await withVaultFixture { fixture in
      try fixture.save(["a": "x"])
      let file = try #require(try fixture.recordFiles().first)
      try fixture.removeSecondCopies()
      #expect(truncateFile(file, to: VaultFormat.maxFileSize + 1))
      let vault = try fixture.open()
      #expect(vault.damaged.map(\.reason) == ["it is too large for a vault file"])
      #expect(access(file + ".damaged-1", F_OK) == 0)
    }
  }

  @Test func aFolderThatWentAwayIsNoMissingRecord() async throws {
    try await withVaultFixture { fixture in
      let vault = try fixture.open()
      try FileManager.default.removeItem(atPath: fixture.vault)
      #expect(code { () throws(VaultError) in try vault.save([1], as: "a") } == .io)
    }
  }
}

/// Saves in a loop until another thread sees that `saves` saves have begun, and kills the process.
private func saveUntilKilled(_ folder: String, after saves: Int) async throws {
  let vault = try VaultFixture(folder: folder).open()
  let begun = Counter()
  await withTaskGroup(of: Void.self) { group in
    group.addTask {
      while begun.value.load(ordering: .relaxed) < saves { sched_yield() }
      kill(getpid(), SIGKILL)
    }
    group.addTask {
      while true {
        let round = begun.value.wrappingAdd(1, ordering: .relaxed).newValue
        try? vault.save([UInt8](repeating: UInt8(round & 255), count: 9000), as: "a")
      }
    }
  }
}

private final class Counter: Sendable {
  let value = Atomic(0)
}
