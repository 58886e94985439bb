import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import SessionVault

/// VA-9: a fault of any one file loses no record and no key, and is repaired, so that the next
/// fault loses none either.
struct SingleFaultTests {
  private var fixture: VaultFixture { .current }

  enum Fault: Sendable, CustomStringConvertible {
    case flipped(Int)
    case cut(Int)
    case deleted

    var description: String {
      switch self {
      case .flipped(let offset): "byte \(offset) flipped"
      case .cut(let length): "cut to \(length) bytes"
      case .deleted: "deleted"
      }
    }

    func apply(to bytes: [UInt8]) -> [UInt8]? {
      switch self {
      case .deleted: return nil
      case .cut(let length): return Array(bytes[..<length])
      case .flipped(let offset):
        var bytes = bytes
        bytes[offset] ^= 1 << UInt8(offset % 8)
        return bytes
      }
    }

    static func all(of bytes: [UInt8], flippingEach step: Int) -> [Fault] {
      let flips = bytes.indices.filter { $0 < 40 || $0.isMultiple(of: step) || $0 == bytes.count - 1 }
      return flips.map { .flipped($0) } + [.cut(0), .cut(bytes.count / 2), .cut(bytes.count - 1), .deleted]
    }
  }

  private func key(_ fixture: VaultFixture) -> KeySource {
    .keyFile(path: fixture.keyFile, createIfMissing: true, isDoubled: true)
  }

  private func filled(_ fixture: VaultFixture) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let vault = try Vault.open(storage: storage, key: key(fixture))
    try vault.save(Array("first".utf8), as: "a")
    try vault.save(Array("second".utf8), as: "b")
    vault.close()
    return storage
  }

  /// Opens the vault and checks that both records exist and that all pairs are complete after the
  /// comparison. Returns the restored files.
  private func expectWhole(_ fixture: VaultFixture, _ storage: MemoryStorage, _ place: Comment) throws -> [String] {
    let vault = try Vault.open(storage: storage, key: key(fixture))
    defer { vault.close() }
    #expect(vault.names() == ["a", "b"], place)
    #expect(try vault.text("a") == "first" && vault.text("b") == "second", place)
    #expect(vault.damaged.isEmpty, place)
    while vault.compareNextCopies() {}
    try vault.compareKeyFile(fixture.keyFile)
    expectPairs(storage)
    #expect(try bytes(of: fixture.keyFile) == bytes(of: fixture.keyFile + ".2"), place)
    #expect(try vault.verify().allSatisfy { $0.state == .ok || $0.state == .setAside }, place)
    #expect(vault.restored.allSatisfy { $0.failure == nil }, place)
    return vault.restored.map(\.file)
  }

  @Test(.vault) func eachFaultOfAFileOfTheVaultIsMended() async throws {
    let storage = try filled(fixture)
    let original = storage.files
    #expect(original.count == 6)
    for (file, bytes) in original.sorted(by: { $0.key < $1.key }) {
      for fault in Fault.all(of: bytes, flippingEach: DoubledFile.name(of: file) == "header" ? 1 : 499) {
        storage.files = original
        storage.files[file] = fault.apply(to: bytes)
        #expect(try expectWhole(fixture, storage, "\(file) \(fault)") == [file], "\(file) \(fault)")
        // The next fault affects the other copy.
        let other = DoubledFile.copies(of: DoubledFile.name(of: file)).first { $0 != file } ?? ""
        storage.files[other] = nil
        #expect(try expectWhole(fixture, storage, "\(file) \(fault), then \(other)") == [other])
      }
    }
  }

  @Test(.vault) func eachFaultOfTheKeyFileIsMended() async throws {
    let storage = try filled(fixture)
    let original = try bytes(of: fixture.keyFile)
    for file in [fixture.keyFile, fixture.keyFile + ".2"] {
      for fault in Fault.all(of: original, flippingEach: 1) {
        for copy in [fixture.keyFile, fixture.keyFile + ".2"] { try writePrivate(original, to: copy) }
        if let bytes = fault.apply(to: original) { try writePrivate(bytes, to: file) } else { unlink(file) }
        let name = URL(filePath: file).lastPathComponent
        #expect(try expectWhole(fixture, storage, "\(file) \(fault)") == [name], "\(file) \(fault)")
        #expect(try bytes(of: file) == original, "\(file) \(fault)")
        let other = file.hasSuffix(".2") ? fixture.keyFile : fixture.keyFile + ".2"
        unlink(other)
        let restored = try expectWhole(fixture, storage, "\(file) \(fault), then the other")
        #expect(restored == [URL(filePath: other).lastPathComponent])
      }
    }
  }

  /// A key file that others may read is refused, although its second copy is safe.
  @Test(.vault) func anUnsafeKeyFileIsRefusedInSpiteOfItsSecondCopy() async throws {
    let storage = try filled(fixture)
    chmod(fixture.keyFile, 0o644)
    let result = code { () throws(VaultError) in _ = try Vault.open(storage: storage, key: key(fixture)) }
    #expect(result == .unsafe)
    #expect(mode(of: fixture.keyFile) == 0o644)
  }

  @Test(.vault) func faultsOfBothCopiesSetTheRecordAside() async throws {
    let storage = try filled(fixture)
    let file = try #require(storage.files.keys.filter(VaultFormat.isRecord).min())
    let copies = DoubledFile.copies(of: file)
    for copy in copies { storage.files[copy]?[50] ^= 1 }
    let damaged = storage.files[file]
    let vault = try Vault.open(storage: storage, key: key(fixture))
    #expect(vault.names().count == 1)
    #expect(vault.damaged.map(\.file) == [file] && vault.damaged.first?.setAsideAs == file + ".damaged-1")
    for copy in copies { #expect(storage.files[copy] == nil && storage.files[copy + ".damaged-1"] == damaged) }
  }

  @Test(.vault) func faultsOfBothHeadersAreToldAndChangeNothing() async throws {
    let storage = try filled(fixture)
    for copy in ["header", "header.2"] { storage.files[copy]?[8] ^= 4 }
    let before = storage.files
    #expect(code { () throws(VaultError) in _ = try Vault.open(storage: storage, key: key(fixture)) } == .damaged)
    #expect(storage.files == before)
    for copy in ["header", "header.2"] { storage.files[copy] = nil }
    #expect(code { () throws(VaultError) in _ = try Vault.open(storage: storage, key: key(fixture)) } == .damaged)
  }

  /// A header's checksum covers its version; a record has no checksum.
  @Test(.vault) func aNewerFormatIsBelievedWhereItIsCertain() async throws {
    let storage = try filled(fixture)
    let original = storage.files
    var newer = Array(try #require(original["header"]).dropLast(Sodium.hashLength))
    newer[8] = 9
    storage.files["header"] = newer + Sodium.hash(newer)
    let refused = code { () throws(VaultError) in _ = try Vault.open(storage: storage, key: key(fixture)) }
    #expect(refused == .formatTooNew)
    storage.files = original
    let file = try #require(original.keys.filter(VaultFormat.isRecord).min())
    for copy in DoubledFile.copies(of: file) { storage.files[copy]?[8] = 9 }
    let before = storage.files
    let vault = try Vault.open(storage: storage, key: key(fixture))
    while vault.compareNextCopies() {}
    #expect(vault.names().count == 1 && vault.damaged.map(\.setAsideAs) == [nil])
    #expect(storage.files == before)
  }

  /// The header of a locked vault is repaired without a key.
  @Test(.vault) func aLockedVaultMendsItsHeader() async throws {
    let storage = try filled(fixture)
    let header = storage.files["header"]
    storage.files["header"]?[30] ^= 1
    let vault = try fixture.attach(storage)
    while vault.compareNextCopies() {}
    #expect(vault.restored.map(\.file) == ["header"])
    #expect(storage.files["header"] == header)
    try vault.unlock(with: [key(fixture)])
    #expect(vault.restored.map(\.file) == ["header"])
  }

  /// A lock between the opening and the comparison leaves the header to be compared.
  @Test(.vault) func aVaultThatWasLockedTooEarlyStillMendsItsHeader() async throws {
    let storage = try filled(fixture)
    let header = storage.files["header"]
    storage.files["header.2"] = nil
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [key(fixture)])
    vault.lock()
    while vault.compareNextCopies() {}
    #expect(vault.restored.map(\.file) == ["header.2"] && storage.files["header.2"] == header)
    #expect(!vault.compareNextCopies())
  }

  /// Damage is detected before a write would hide it.
  @Test(.vault) func aWriteThatComesBeforeTheComparisonTellsOfTheDamage() async throws {
    let storage = try filled(fixture)
    let second = try #require(storage.files.keys.filter { $0.hasSuffix(".record.2") }.min())
    storage.files[second]?[50] ^= 1
    let vault = try Vault.open(storage: storage, key: key(fixture))
    for name in ["a", "b"] { try vault.save([1], as: name) }
    #expect(vault.restored.map(\.file) == [second])
  }

  // MARK: - Older copies

  /// A removed key cannot be restored through the second header, which is used only if the first
  /// one is lost.
  @Test(.vault) func aSecondHeaderThatIsOlderDoesNotCount() async throws {
    try fixture.writeCredential()
    let storage = try filled(fixture)
    let vault = try Vault.open(storage: storage, key: key(fixture))
    let added = try vault.addKey(fixture.credential, present: [key(fixture)])
    let old = storage.files["header"]
    try vault.removeKey(added.id, present: [key(fixture)])
    vault.close()
    storage.files["header.2"] = old
    let again = try fixture.attach(storage)
    #expect(code { () throws(VaultError) in try again.unlock(with: [fixture.credential]) } == .wrongKey)
    while again.compareNextCopies() {}
    #expect(storage.files["header.2"] == storage.files["header"] && storage.files["header"] != old)
  }

  enum KeyChange: CaseIterable {
    case add, remove, replace, rekey
  }

  /// After each change of keys no older header is left, whether intact, as a second copy or set
  /// aside.
  @Test(.vault, arguments: KeyChange.allCases, [false, true])
  func aChangeOfKeysLeavesNoOlderHeader(change: KeyChange, isFirstDamaged: Bool) async throws {
    try fixture.writeCredential()
    let storage = try filled(fixture)
    let vault = try Vault.open(storage: storage, key: key(fixture))
    let words = try passphrase("words")
    let slot = try vault.addKey(words, present: [key(fixture)])
    let old = try #require(storage.files["header"])
    storage.files["header.damaged-1"] = old
    storage.files["header.2.damaged-3"] = old
    if isFirstDamaged { storage.files["header"]?[100] ^= 1 } else { storage.files["header.2"]?[100] ^= 1 }
    switch change {
    case .add: try vault.addKey(fixture.credential, present: [words])
    case .remove: try vault.removeKey(slot.id, present: [words])
    case .replace: try vault.replaceKey(slot.id, with: try passphrase("other words"), present: [words])
    case .rekey: try vault.rekey(present: [key(fixture), words])
    }
    let headers = storage.files.filter { $0.value.starts(with: VaultFormat.headerMagic) }
    #expect(Set(headers.keys) == ["header", "header.2"])
    #expect(headers["header"] == headers["header.2"] && headers["header"] != old)
    vault.close()
    expectPairs(storage)
  }

  /// If a write is interrupted between the copies, the new record is used, and the old one does not
  /// return.
  @Test(.vault, arguments: [false, true])
  func aWriteOrDeletionThatWasCutOffIsNotUndone(isDeletion: Bool) async throws {
    let storage = try filled(fixture)
    let dying = CrashingStorage(storage, after: 0, .half)
    let vault = try Vault.open(storage: dying, key: key(fixture))
    #expect(throws: VaultError(.io, "")) {
      if isDeletion { try vault.delete("a") } else { try vault.save(Array("new".utf8), as: "a") }
    }
    vault.close()
    let again = try Vault.open(storage: storage, key: key(fixture))
    #expect(try again.text("a") == (isDeletion ? "first" : "new"))
    while again.compareNextCopies() {}
    expectPairs(storage)
    try again.delete("a")
    #expect(storage.files.count == 4)
  }

  /// Second copies of a vault before header version 3 may be left over from an interrupted
  /// migration, and stale.
  @Test(.vault) func secondCopiesBeforeTheirHeaderDoNotCount() async throws {
    let storage = try filled(fixture)
    let vault = try Vault.open(storage: storage, key: key(fixture))
    let old = storage.files
    try vault.save(Array("newer".utf8), as: "a")
    vault.close()
    let changed = try #require(
      storage.files.keys.filter { VaultFormat.isRecord($0) && old[$0] != storage.files[$0] }.first)
    let deleted = try #require(storage.files.keys.filter { VaultFormat.isRecord($0) && $0 != changed }.first)
    try makeOlder(storage, fixture)
    storage.files[changed + ".2"] = old[changed]
    storage.files[deleted] = nil
    let again = try Vault.open(storage: storage, key: key(fixture))
    #expect(again.names() == ["a"] && again.condition.headerVersion == 3)
    #expect(try again.text("a") == "newer")
    expectPairs(storage)
    #expect(storage.files.count == 4 && again.restored.isEmpty)
  }

  /// Writes a header of version 2, as the previous release did.
  private func makeOlder(_ storage: MemoryStorage, _ fixture: VaultFixture) throws {
    let bytes = try #require(storage.files["header"])
    let sealed = try SealedHeader(bytes)
    let prover = KeyProver(slots: sealed.slots, vaultID: sealed.vaultID, derivation: .argon2id, place: "")
    let header = try #require(
      try sealed.open(with: Sodium.subkey(.header, of: prover.first(of: [key(fixture)]).master)))
    let key = try Sodium.subkey(.header, of: prover.first(of: [key(fixture)]).master)
    storage.files["header"] = header.sealed(under: key, version: 2)
    storage.files["header.2"] = nil
  }

  @Test(.vault) func aVaultThatLostAllSecondCopiesOpensAndGetsThemBack() async throws {
    let storage = try filled(fixture)
    storage.files = storage.files.filter { !DoubledFile.isSecond($0.key) }
    unlink(fixture.keyFile + ".2")
    #expect(try expectWhole(fixture, storage, "one copy").count == 4)
  }
}
