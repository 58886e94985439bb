import SystemSupport
import Testing

@testable import SessionVault

/// The bytes of `docs/vault-format.md`. The vectors were created by another program (Python
/// and libsodium) that was written from that document alone.
struct FormatVectorTests {
  /// Returns ascending bytes, as in the vectors' keys and nonces.
  private func counting(_ range: Range<UInt8>) -> [UInt8] { Array(range) }

  private func secret(_ range: Range<UInt8>) throws -> SecretBytes {
    try SecretBytes(count: range.count) { $0.copyBytes(from: range) }
  }

  private static let oldHeader =
    "5249545641554c5401000000404142434445464748494a4b4c4d4e4f010000000000000001000150515253545556"
    + "5758595a5b5c5d5e5f4800707172737475767778797a7b7c7d7e7f808182838485868799e38dc14e19255b66d170"
    + "1c24684ae8ddf2e25cb1dea0bb3439074b95d2f738693ac302ca1d2f989204edaf19cb0ee688898a8b8c8d8e8f90"
    + "9192939495969798999a9b9c9d9e9f9221fc2b1e1d71df698fd1525a6be5733c1b8261069dba1c0ec5fe8375b124"
    + "4311043780c13971b86853eb4e279b4190ac7e8177354857704137c869386f0a81"

  /// A slot of each kind. The passphrase is "correct horse battery staple", at libsodium's minimum
  /// cost.
  private static let header =
    "5249545641554c5402000000404142434445464748494a4b4c4d4e4f0500000000000000cf132592a0b163116ca9"
    + "34c5e7a100e5470ec791c26d905ced9bbf28b5c5aff2030001505152535455565758595a5b5c5d5e5f4800707172"
    + "737475767778797a7b7c7d7e7f808182838485868799e38dc14e19255b66d1701c24684ae8ddf2e25cb1dea0bb34"
    + "39074b95d2f738693ac302ca1d2f989204edaf19cb0ee6025152535455565758595a5b5c5d5e5f60650002010000"
    + "000020000000000000c8c9cacbcccdcecfd0d1d2d3d4d5d6d77172737475767778797a7b7c7d7e7f808182838485"
    + "868788d2222648c39068b1e9755de3f54e73028abd7576a42c64985925a888f6cf1dc577f6e794b374fccb70c754"
    + "eeaa0555330352535455565758595a5b5c5d5e5f6061480072737475767778797a7b7c7d7e7f8081828384858687"
    + "888959dd009cf78d8aa4c6aca2ccecd2d6becc09ae342cb61df927d96c5f31e32a2c188238fdf5af477969d7c851"
    + "572f5f5c88898a8b8c8d8e8f909192939495969798999a9b9c9d9e9ff2409e487a7817b801e6bb3936068b1c6827"
    + "1869a10acd1abd2b33df2d13c8f2f4c6a8f863f601c2ef305001119c15394af5a1402bd839bdca52ff79205c4d7c"
    + "e841934d632e782271050b3c5d70b0a674"

  /// The hash of the same header during a rekey.
  private static let rekeyingHeaderHash = "ac3a8ed78e69b89b7975da784a7f770bd7dee8262bd4d422c9fbf1915b4703d3"

  private static let recordFile = "2e836294bc04e15e749325670908c35f265845e9a2fe42f84ba8b64628dea569.record"
  private static let recordStart =
    "524954524543524401000000a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7431a316b6ab368ebc0a8"
    + "19363a989e30a32d2419710e95b607d547de4c34a0e6ab4c35d6b0cf95b25044710dbdcf079d21fea2f1622da2a8"
    + "e9b3b960da03aa34"
  private static let recordHash = "79c2f4149c26594d70da7011dfe901b80e0098a18a6da28e25dd3640715b7b7a"

  private func keys() throws -> [WrappingKey] {
    let parameters = PassphraseParameters(cost: PassphraseCost(passes: 1, memory: 8192), salt: counting(200..<216))
    return [
      try WrappingKey(keyFile: secret(32..<64)),
      try WrappingKey(Passphrase("correct horse battery staple"), parameters, by: .argon2id),
      try WrappingKey(credential: Sodium.hash(secret(0..<40))),
    ]
  }

  @Test func theHeaderIsAsThePageSays() throws {
    let vaultID = counting(64..<80)
    let master = try secret(0..<32)
    let slots = try keys().enumerated().map { index, key in
      let shift = UInt8(index)
      return KeySlot.wrapping(
        master, with: key, vaultID: vaultID, id: counting(80 + shift..<96 + shift),
        nonce: counting(112 + shift..<136 + shift))
    }
    let machine = MachineTag(MachineID(bytes: counting(96..<112)), vaultID: vaultID)
    var header = VaultHeader(vaultID: vaultID, generation: 5, machine: machine, slots: slots)
    let key = try Sodium.subkey(.header, of: master)
    #expect(header.sealed(under: key, version: 2, nonce: counting(136..<160)).hexadecimal == Self.header)
    header.previousMaster = try secret(160..<192)
    let older = header.sealed(under: key, version: 2, nonce: counting(136..<160))
    #expect(Sodium.hash(older).hexadecimal == Self.rekeyingHeaderHash)
    // Version 3 has the same fields, but the version is part of the sealed part's context.
    let rekeying = header.sealed(under: key, nonce: counting(136..<160))
    #expect(
      Sodium.hash(rekeying).hexadecimal == "f61f499f1e6f4ee4dad389dd3f10d7ed3a77dcbd04efdcecb0c414641b394f81")
    let opened = try #require(try SealedHeader(rekeying).open(with: key))
    #expect(opened.previousMaster?.withBytes { Array($0) } == counting(160..<192))
  }

  @Test func theHeaderOfThePageOpens() throws {
    let sealed = try SealedHeader(try #require(Hexadecimal.bytes(of: Self.header.lowercased().utf8)))
    for (slot, key) in zip(sealed.slots, try keys()) {
      let master = try #require(try slot.unwrap(with: key, vaultID: sealed.vaultID))
      #expect(master.withBytes { Array($0) } == counting(0..<32))
      let header = try #require(try sealed.open(with: Sodium.subkey(.header, of: master)))
      #expect(header.generation == 5 && header.slots == sealed.slots && header.previousMaster == nil)
      #expect(header.machine == MachineTag(MachineID(bytes: counting(96..<112)), vaultID: sealed.vaultID))
    }
    let other = try WrappingKey(keyFile: secret(33..<65))
    #expect(try sealed.slots[0].unwrap(with: other, vaultID: sealed.vaultID) == nil)
  }

  @Test func theHeaderOfVersion1Opens() throws {
    let sealed = try SealedHeader(try #require(Hexadecimal.bytes(of: Self.oldHeader.lowercased().utf8)))
    #expect(sealed.version == 1 && sealed.machine == nil)
    let key = try WrappingKey(keyFile: secret(32..<64))
    let master = try #require(try sealed.slots[0].unwrap(with: key, vaultID: sealed.vaultID))
    let header = try #require(try sealed.open(with: Sodium.subkey(.header, of: master)))
    #expect(header.generation == 1)
    #expect(header.machine == MachineTag(MachineID(bytes: counting(96..<112)), vaultID: sealed.vaultID))
  }

  @Test func aRecordIsAsThePageSays() throws {
    let sealer = try RecordSealer(vaultID: counting(64..<80), master: secret(0..<32))
    #expect(sealer.file(for: "account/default") == Self.recordFile)
    let content = Array(#"{"refresh_token":"v1.example"}"#.utf8)
    let record = Record(name: "account/default", generation: 7, content: content)
    let bytes = sealer.seal(record, for: Self.recordFile, nonce: counting(160..<184))
    #expect(bytes.count == 4148)
    #expect(Array(bytes.prefix(100)).hexadecimal == Self.recordStart)
    #expect(Sodium.hash(bytes).hexadecimal == Self.recordHash)
    let opened = try sealer.open(bytes, from: Self.recordFile)
    #expect(opened.name == record.name && opened.generation == 7 && opened.content == content)
  }

  @Test func theKeyFileOfThePageOpens() async throws {
    let line = "RITVAULT-KEY-1:202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
    try await withVaultFixture { fixture in
      for text in [line + "\n", line, "RITVAULT-KEY-1:" + line.dropFirst(15).uppercased() + "\n"] {
        let path = fixture.folder + "/vector.key"
        try writePrivate(text, to: path)
        let key = try #require(try KeyFile.read(path))
        #expect(key.withBytes { Array($0) } == counting(32..<64))
      }
      _ = try KeyFile.create(fixture.keyFile)
      let made = String(decoding: try bytes(of: fixture.keyFile), as: UTF8.self)
      #expect(made.wholeMatch(of: /RITVAULT-KEY-1:[0-9a-f]{64}\n/) != nil)
    }
  }

  @Test func newerVersionsAreNewer() throws {
    var header = try #require(Hexadecimal.bytes(of: Self.header.lowercased().utf8))
    header[8] = 4
    #expect(throws: FormatFault.damaged("its checksum does not match")) { try SealedHeader(header) }
    let body = Array(header.dropLast(Sodium.hashLength))
    #expect(throws: FormatFault.newer(4)) { try SealedHeader(body + Sodium.hash(body)) }
    header[8] = 0
    #expect(throws: FormatFault.damaged("it is not a vault header")) { try SealedHeader(header) }
  }

  @Test func moreSlotsThanTheBoundAreRefused() throws {
    let bounds = [
      (KeySlotKind(rawValue: 200), VaultFormat.maxSlots, true),
      (.init(rawValue: 200), VaultFormat.maxSlots + 1, false),
      (.passphrase, VaultFormat.maxPassphraseSlots, true), (.passphrase, VaultFormat.maxPassphraseSlots + 1, false),
    ]
    for (kind, count, opens) in bounds {
      let slots = [KeySlot](repeating: KeySlot(kind: kind, id: counting(0..<16), payload: []), count: count)
      let machine = MachineTag(MachineID(bytes: []), vaultID: counting(0..<16))
      let header = VaultHeader(vaultID: counting(0..<16), generation: 1, machine: machine, slots: slots)
      let bytes = header.sealed(under: try secret(0..<32))
      #expect((try? SealedHeader(bytes).slots.count) == (opens ? count : nil))
    }
  }

  @Test func aRecordUnderAnotherNamesFileIsRefused() throws {
    let sealer = try RecordSealer(vaultID: counting(64..<80), master: secret(0..<32))
    let file = sealer.file(for: "a")
    let bytes = sealer.seal(Record(name: "b", generation: 1, content: [1]), for: file)
    #expect(throws: FormatFault.damaged("its contents are not a record for this file")) {
      try sealer.open(bytes, from: file)
    }
  }
}

extension FormatFault: Equatable {
  static func == (left: FormatFault, right: FormatFault) -> Bool {
    switch (left, right) {
    case (.newer(let left), .newer(let right)): left == right
    case (.damaged(let left), .damaged(let right)): left == right
    default: false
    }
  }
}

@Suite struct ChainKeyTests {
  /// Python: hashlib.blake2b(b"abc", key=bytes(range(32)), digest_size=32).hexdigest().
  @Test func isKeyedBLAKE2b() throws {
    var bytes = Array(UInt8(0)..<32)
    let key = try ChainKey(taking: &bytes)
    #expect(bytes == [UInt8](repeating: 0, count: 32), "what was given is wiped")
    #expect(
      key.mac(Array("abc".utf8)).hexadecimal == "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f")
  }

  @Test func takesKeysOfItsLengthOnly() {
    var bytes = [UInt8](repeating: 1, count: 31)
    #expect(throws: VaultError(.damaged, "")) { try ChainKey(taking: &bytes) }
  }
}
