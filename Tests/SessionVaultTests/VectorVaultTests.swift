import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import SessionVault

/// Complete vaults of each version, with their keys and contents (`Vectors`), and a vault
/// created by this run for other programs to read.
struct VectorVaultTests {
  private var fixture: VaultFixture { .current }

  /// The `expected.json` of a vector, in the format that script/vault-reader-check.py reads.
  struct Expected: Codable, Equatable {
    var keys: [String: String]
    var machineID: String
    var records: [String: String]

    var contents: [String: [UInt8]] { records.mapValues { Hexadecimal.bytes(of: $0.lowercased().utf8) ?? [] } }
  }

  private static let vectors = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

  /// Copies a vector and sets the modes that a checkout does not keep.
  private func copy(_ name: String, to fixture: VaultFixture) throws -> Expected {
    let source = Self.vectors.appending(path: name)
    for file in try FileManager.default.subpathsOfDirectory(atPath: source.path) {
      let target = fixture.folder + "/" + file
      var isFolder = false
      guard FileManager.default.fileExists(atPath: source.path + "/" + file, isDirectory: &isFolder) else { continue }
      if isFolder {
        try makeFolder(target)
      } else {
        try makeFolder(URL(filePath: target).deletingLastPathComponent().path)
        try writePrivate(try bytes(of: source.path + "/" + file), to: target)
      }
    }
    return try JSONDecoder().decode(Expected.self, from: Data(try bytes(of: fixture.folder + "/expected.json")))
  }

  private func source(_ kind: String, _ file: String, _ fixture: VaultFixture) throws -> KeySource {
    let path = fixture.folder + "/" + file
    return switch kind {
    case "key file": .keyFile(path: path, createIfMissing: false)
    case "passphrase": try passphrase(String(decoding: try bytes(of: path), as: UTF8.self))
    default: .credential(path: path)
    }
  }

  private func expectOpen(_ vault: Vault, _ expected: Expected) throws {
    #expect(vault.names() == expected.records.keys.sorted())
    for (name, content) in expected.contents { #expect(try vault.load(name) == content) }
    #expect(vault.damaged.isEmpty)
  }

  @Test(.vault, arguments: ["version-1", "version-2", "version-2-rekeying", "version-3", "version-3-rekeying"])
  func aVaultOfThisVersionOpensByEachOfItsKeys(name: String) async throws {
    let expected = try copy(name, to: fixture)
    let machine = MachineID(bytes: Hexadecimal.bytes(of: expected.machineID.lowercased().utf8) ?? [])
    #expect(!expected.keys.isEmpty)
    for (kind, file) in expected.keys.sorted(by: { $0.key < $1.key }) {
      let vault = try Vault.attach(fixture.storage, machine, .argon2id)
      #expect(try vault.unlock(with: [source(kind, file, fixture)]).kind.description == kind)
      try expectOpen(vault, expected)
      #expect(vault.condition.machine == .this && vault.condition.headerVersion == 3)
      #expect(!vault.condition.isRekeying)
      #expect(try vault.verify().allSatisfy { $0.state == .ok || $0.file == "lock" })
      vault.close()
    }
  }

  @Test(.vault) func anOldVaultIsBroughtUpToDateOnlyOnceItOpens() async throws {
    let expected = try copy("version-1", to: fixture)
    let header = fixture.vault + "/header"
    let old = try bytes(of: header)
    let before = try bytesOfRecords(fixture)
    let machine = MachineID(bytes: Hexadecimal.bytes(of: expected.machineID.lowercased().utf8) ?? [])
    let vault = try Vault.attach(fixture.storage, machine, .argon2id)
    #expect(vault.condition.headerVersion == 1 && vault.condition.machine == .unknown)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("wrong")]) } == .wrongKey)
    #expect(try bytes(of: header) == old)
    try vault.unlock(with: [.keyFile(path: fixture.folder + "/vault.key", createIfMissing: false)])
    let new = try SealedHeader(bytes(of: header))
    #expect(new.version == 3 && new.generation == 2)
    #expect(try new.slots == SealedHeader(old).slots)
    #expect(try bytesOfRecords(fixture) == before)
    vault.close()
    // A vault copied to another machine before this program first opened it is also detected.
    try writePrivate(old, to: header)
    let copied = try Vault.attach(fixture.storage, VaultFixture.thisMachine, .argon2id)
    try copied.unlock(with: [.keyFile(path: fixture.folder + "/vault.key", createIfMissing: false)])
    #expect(copied.condition.machine == .other)
  }

  private func bytesOfRecords(_ fixture: VaultFixture) throws -> [[UInt8]] {
    try fixture.recordFiles().map { try bytes(of: $0) }
  }

  /// The header is written last, after the second copies of all records.
  @Test(.vault, arguments: 0..<5, CrashingStorage.Part.allCases)
  func aMigrationThatFailsLeavesAVaultThatOpens(changes: Int, part: CrashingStorage.Part) async throws {
    let expected = try copy("version-1", to: fixture)
    let memory = MemoryStorage()
    for file in ["header"] + (try fixture.recordFiles().map { String($0.dropFirst(fixture.vault.count + 1)) }) {
      memory.files[file] = try bytes(of: fixture.vault + "/" + file)
    }
    let key = KeySource.keyFile(path: fixture.folder + "/vault.key", createIfMissing: false)
    let old = memory.files["header"]
    let storage = CrashingStorage(memory, after: changes, part, failsOnce: true)
    let vault = try Vault.open(storage: storage, key: key)
    #expect(storage.isSpent == (changes < 4))
    #expect((memory.files["header"] == old) == (changes < 3 || (changes == 3 && part == .nothing)))
    // The vault is still usable; the next opening upgrades it.
    try expectOpen(vault, expected)
    #expect(vault.condition.headerVersion == (changes < 4 ? 1 : 3))
    vault.close()
    if memory.files["header"] != old, part != .half { expectPairs(memory) }
    let again = try Vault.open(storage: memory, key: key)
    try expectOpen(again, expected)
    #expect(again.condition.headerVersion == 3)
    while again.compareNextCopies() {}
    expectPairs(memory)
  }

  @Test(.vault) func aNewerVaultIsRefusedUntouched() async throws {
    _ = try copy("version-2", to: fixture)
    let header = fixture.vault + "/header"
    var newer = try bytes(of: header)
    newer[8] = 4
    newer = Array(newer.dropLast(Sodium.hashLength))
    newer += Sodium.hash(newer)
    try writePrivate(newer, to: header)
    let before = try bytesOfRecords(fixture)
    #expect(code { () throws(VaultError) in _ = try Vault.attach(storage: fixture.storage) } == .formatTooNew)
    #expect(try bytes(of: header) == newer)
    #expect(try bytesOfRecords(fixture) == before)
  }

  /// Writes a vault for a reader that was written from the format document alone.
  /// script/vault-reader-check sets the directory.
  @Test func aSampleForOtherReadersIsWritten() async throws {
    try await withVaultFixture { scratch in
      let asked = ProcessInfo.processInfo.environment["RITUAL_VAULT_SAMPLES"]
      for isRekeying in [false, true] {
        let folder = (asked ?? scratch.folder) + (isRekeying ? "/rekeying" : "/settled")
        try makeFolder(folder)
        let expected = try Self.writeSample(VaultFixture(folder: folder), isRekeying: isRekeying)
        let header = try SealedHeader(bytes(of: folder + "/vault/header"))
        #expect(header.slots.map(\.kind) == [.keyFile, .passphrase, .credential])
        #expect(try VaultFixture(folder: folder).recordFiles().count >= expected.records.count)
      }
    }
  }

  private static func writeSample(_ fixture: VaultFixture, isRekeying: Bool) throws -> Expected {
    try fixture.writeCredential(Array("32 bytes at least, with a newline\n".utf8))
    try writePrivate("correct horse, bättery staple", to: fixture.folder + "/passphrase")
    let words = try passphrase("correct horse, bättery staple")
    let records = MemoryStorage()
    let vault = try fixture.make(records)
    try vault.addKey(words, present: [fixture.keySource])
    try vault.addKey(fixture.credential, present: [words])
    let contents: [String: [UInt8]] = [
      "account/default": Array(#"{"refresh_token":"v1.sample"}"#.utf8), "empty": [],
      "größer": Array(repeating: 9, count: 9000),
    ]
    for (name, content) in contents { try vault.save([0], as: name); try vault.save(content, as: name) }
    vault.close()
    if isRekeying { try cutOffRekey(records, fixture, words) }
    try makeFolder(fixture.vault)
    for (file, bytes) in records.files { try writePrivate(bytes, to: fixture.vault + "/" + file) }
    let expected = Expected(
      keys: [
        "key file": "keys/vault.key", "passphrase": "passphrase",
        "systemd credential": "credentials/ritual-agent.vault-key",
      ],
      machineID: VaultFixture.thisMachine.bytes.hexadecimal, records: contents.mapValues(\.hexadecimal))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try writePrivate(Array(try encoder.encode(expected)), to: fixture.folder + "/expected.json")
    return expected
  }

  /// Interrupts a rekey when one record is resealed, another one has both its files, and the third
  /// is unchanged.
  private static func cutOffRekey(_ records: MemoryStorage, _ fixture: VaultFixture, _ words: KeySource) throws {
    let vault = try fixture.attach(CrashingStorage(records, after: 4, .nothing))
    try vault.unlock(with: [fixture.keySource])
    _ = try? vault.rekey(present: [fixture.keySource, words, fixture.credential])
    vault.close()
    #expect(records.pairs.count == 5)
  }
}
