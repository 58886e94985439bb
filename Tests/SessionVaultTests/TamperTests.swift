import TestKit
import Testing

@testable import SessionVault

/// VA-5: a damaged file is detected, reported and kept, and does not affect other records.
@Suite(.vault) struct TamperTests {
  private var fixture: VaultFixture { .current }

  /// Creates a vault with two records, and returns its files and the file name of "a".
  private func twoRecords(_ fixture: VaultFixture) throws -> (files: [String: [UInt8]], file: String) {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    try vault.save(Array("first".utf8), as: "a")
    let file = try #require(storage.pairs.keys.first(where: VaultFormat.isRecord))
    try vault.save(Array("second".utf8), as: "b")
    vault.close()
    return (storage.pairs, file)
  }

  /// Opens a vault with `bytes` in place of `file`, and checks that "a" is reported and kept, and
  /// that "b" is intact.
  private func expectSetAside(
    _ fixture: VaultFixture, _ original: (files: [String: [UInt8]], file: String), _ bytes: [UInt8]
  ) throws {
    let storage = MemoryStorage()
    storage.pairs = original.files
    storage.pairs[original.file] = bytes
    let vault = try fixture.open(storage)
    #expect(vault.names() == ["b"])
    #expect(try vault.text("b") == "second")
    #expect(vault.damaged.map(\.file) == [original.file])
    if vault.damaged.first?.setAsideAs == nil {
      #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .formatTooNew)
      #expect(code { () throws(VaultError) in try vault.save([1], as: "a") } == .formatTooNew)
      #expect(code { () throws(VaultError) in try vault.delete("a") } == .formatTooNew)
      #expect(storage.pairs[original.file] == bytes)
    } else {
      #expect(storage.pairs[original.file + ".damaged-1"] == bytes)
      #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .damaged)
      try vault.save([1], as: "a")
      #expect(try vault.load("a") == [1])
      #expect(storage.pairs[original.file + ".damaged-1"] == bytes)
    }
  }

  @Test func eachFlippedByteOfARecordIsNoticed() async throws {
    let original = try twoRecords(fixture)
    let record = try #require(original.files[original.file])
    for position in record.indices {
      var bytes = record
      bytes[position] ^= 1 << UInt8(position % 8)
      try expectSetAside(fixture, original, bytes)
    }
  }

  @Test func eachTruncationOfARecordIsNoticed() async throws {
    let original = try twoRecords(fixture)
    let record = try #require(original.files[original.file])
    // Complete vaults for every length of the frame, near the end, and at intervals; the parser
    // alone for every length.
    for length in record.indices where length < 60 || length > record.count - 40 || length.isMultiple(of: 97) {
      try expectSetAside(fixture, original, Array(record[..<length]))
    }
    try expectSetAside(fixture, original, record + [0])
    let master = try SecretBytes.random(count: 32)
    let sealer = try RecordSealer(vaultID: [UInt8](repeating: 1, count: 16), master: master)
    let file = sealer.file(for: "a")
    let sealed = sealer.seal(Record(name: "a", generation: 1, content: [1]), for: file)
    #expect(try sealer.open(sealed, from: file).content == [1])
    for length in sealed.indices {
      #expect(throws: FormatFault.self) { try sealer.open(Array(sealed[..<length]), from: file) }
    }
  }

  @Test func eachFlippedBitOfTheHeaderIsRefused() async throws {
    let original = try twoRecords(fixture)
    let header = try #require(original.files["header"])
    for position in header.indices {
      for bit in 0..<8 as Range<UInt8> {
        var bytes = header
        bytes[position] ^= 1 << bit
        let expected: [VaultError.Code] = (8..<12).contains(position) ? [.damaged, .formatTooNew] : [.damaged]
        try expectRefused(fixture, original.files, header: bytes, expected)
      }
    }
    for length in header.indices {
      try expectRefused(fixture, original.files, header: Array(header[..<length]), [.damaged])
    }
  }

  /// An attacker who changes the header can correct its checksum, but not its seal.
  @Test func aForgedHeaderIsRefused() async throws {
    let original = try twoRecords(fixture)
    let body = try #require(original.files["header"]).dropLast(Sodium.hashLength)
    for position in body.indices {
      var bytes = Array(body)
      bytes[position] ^= 1
      try expectRefused(
        fixture, original.files, header: bytes + Sodium.hash(bytes), [.damaged, .formatTooNew, .wrongKey])
    }
    // An additional slot, inserted before the sealed part.
    var grown = Array(body)
    grown[68] += 1
    grown.insert(contentsOf: [9] + [UInt8](repeating: 0, count: 18), at: grown.count - 73)
    try expectRefused(fixture, original.files, header: grown + Sodium.hash(grown), [.damaged])
  }

  /// A forged header with a slot of each kind is refused with each of the keys and at each length.
  @Test func aForgedSlotIsRefused() async throws {
    try fixture.writeCredential()
    let sources = [fixture.keySource, try passphrase("words"), fixture.credential]
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    for source in sources.dropFirst() { try vault.addKey(source, present: [fixture.keySource]) }
    vault.close()
    let header = try #require(storage.pairs["header"])
    let body = Array(header.dropLast(Sodium.hashLength))
    for position in body.indices {
      var bytes = body
      bytes[position] ^= 1
      let forged = bytes + Sodium.hash(bytes)
      for source in sources { try expectRefused(fixture, forged, source) }
    }
    for length in header.indices {
      try expectRefused(fixture, Array(header[..<length]), fixture.keySource)
      let mended = Array(body.prefix(length))
      try expectRefused(fixture, mended == body ? [] : mended + Sodium.hash(mended), fixture.keySource)
    }
  }

  private func expectRefused(_ fixture: VaultFixture, _ header: [UInt8], _ source: KeySource) throws {
    let storage = MemoryStorage()
    storage.pairs = ["header": header]
    let result = code { () throws(VaultError) in
      let vault = try fixture.attach(storage)
      defer { vault.close() }
      try vault.unlock(with: [source])
    }
    let expected: [VaultError.Code] = [.damaged, .formatTooNew, .wrongKey, .costRefused]
    #expect(result.map(expected.contains) == true, "\(String(describing: result))")
    #expect(storage.pairs == ["header": header])
  }

  private func expectRefused(
    _ fixture: VaultFixture, _ files: [String: [UInt8]], header: [UInt8], _ expected: [VaultError.Code]
  ) throws {
    let storage = MemoryStorage()
    storage.pairs = files
    storage.pairs["header"] = header
    let before = storage.pairs
    let result = code { () throws(VaultError) in _ = try fixture.open(storage) }
    #expect(result.map(expected.contains) == true, "\(String(describing: result))")
    #expect(storage.pairs == before)
  }

  @Test func swappedFilesAreNoticed() async throws {
    let original = try twoRecords(fixture)
    let other = try #require(original.files.keys.first { VaultFormat.isRecord($0) && $0 != original.file })
    let storage = MemoryStorage()
    storage.pairs = original.files
    storage.pairs[original.file] = original.files[other]
    storage.pairs[other] = original.files[original.file]
    let vault = try fixture.open(storage)
    #expect(vault.names().isEmpty)
    #expect(Set(vault.damaged.map(\.file)) == [original.file, other])
  }

  @Test func aRecordOfAnotherVaultDoesNotOpen() async throws {
    let original = try twoRecords(fixture)
    let storage = MemoryStorage()
    try fixture.open(storage).close()
    storage.pairs[original.file] = original.files[original.file]
    let vault = try fixture.open(storage)
    #expect(vault.names().isEmpty)
    #expect(vault.damaged.map(\.file) == [original.file])
  }

  @Test func anOlderCopyIsNoticedWhileTheVaultIsOpen() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    try vault.save([1], as: "a")
    let old = storage.pairs
    try vault.save([2], as: "a")
    storage.pairs = old
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .damaged)
    #expect(throws: VaultError(.damaged, "")) { try vault.update("a") { $0 = [3] } }
    #expect(vault.damaged.count == 1)
    try vault.save([3], as: "a")
    #expect(try vault.load("a") == [3])
  }

  @Test func damageIsNumberedAndNothingIsOverwritten() async throws {
    try fixture.save(["a": "x"])
    let file = try #require(try fixture.recordFiles().first)
    for number in 1...3 {
      try fixture.removeSecondCopies()
      #expect(truncateFile(file, to: 100 + number))
      let vault = try fixture.open()
      #expect(vault.damaged.first?.setAsideAs?.hasSuffix(".damaged-\(number)") == true)
      try vault.save([1], as: "a")
      vault.close()
    }
    #expect(try (1...3).map { try bytes(of: file + ".damaged-\($0)").count } == [101, 102, 103])
  }
}
