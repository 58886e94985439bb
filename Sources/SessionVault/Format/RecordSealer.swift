import CSodium
import SystemSupport

/// A record as it was before sealing.
struct Record {
  var name: String
  /// Rises by one with every write of the name, from 1.
  var generation: UInt64
  var content: [UInt8]
}

/// Seals records and opens them: `docs/vault-format.md`, "A record". The context ties each one to its vault and its
/// file's name, so that files exchanged with each other, or taken from another vault, do not open.
struct RecordSealer {
  private static let frame = VaultFormat.recordMagic.count + 4 + Sodium.nonceLength

  let vaultID: [UInt8]
  private let nameKey: SecretBytes
  private let recordKey: SecretBytes
  private let chainsKey: SecretBytes

  init(vaultID: [UInt8], master: SecretBytes) throws(VaultError) {
    self.vaultID = vaultID
    nameKey = try Sodium.subkey(.fileNames, of: master)
    recordKey = try Sodium.subkey(.records, of: master)
    chainsKey = try Sodium.subkey(.chains, of: master)
  }

  /// Whether the keys are locked into RAM.
  var isLocked: Bool { nameKey.isLocked && recordKey.isLocked && chainsKey.isLocked }

  /// The first key of the chain `id`.
  func firstChainKey(_ id: [UInt8]) throws(VaultError) -> ChainKey { try ChainKey(chainsKey).following(id) }

  /// The file of the record `name`: tells nothing without the key.
  func file(for name: String) -> String {
    Sodium.hash(Array(name.utf8), key: nameKey).hexadecimal + VaultFormat.recordSuffix
  }

  /// The bytes of `file`. A nonce is used once; only test vectors give one. The plaintext stands in no buffer but the
  /// one in which it becomes ciphertext.
  func seal(_ record: Record, for file: String, nonce: [UInt8] = Sodium.random(Sodium.nonceLength)) -> [UInt8] {
    let name = Array(record.name.utf8)
    let plain = 8 + 2 + name.count + 4 + record.content.count
    let padded = (plain / VaultFormat.paddingBlock + 1) * VaultFormat.paddingBlock
    var bytes: [UInt8] = []
    // Reserved first, so that appending never leaves a copy behind in freed memory.
    bytes.reserveCapacity(Self.frame + padded + Sodium.tagLength)
    bytes += VaultFormat.recordMagic
    bytes.append(littleEndian: VaultFormat.recordVersion)
    bytes += nonce
    bytes.append(littleEndian: record.generation)
    bytes.append(littleEndian: UInt16(name.count))
    bytes += name
    bytes.append(littleEndian: UInt32(record.content.count))
    bytes += record.content
    bytes += [UInt8](repeating: 0, count: padded - plain + Sodium.tagLength)
    let context = context(file, version: VaultFormat.recordVersion)
    bytes.withUnsafeMutableBytes { all in
      let sealed = UnsafeMutableRawBufferPointer(rebasing: all[Self.frame...])
      sodium_pad(nil, sealed.bytes, plain, VaultFormat.paddingBlock, padded)
      Sodium.seal(sealed, nonce: nonce, context: context, key: recordKey)
    }
    return bytes
  }

  /// The record in the bytes of `file`.
  func open(_ bytes: [UInt8], from file: String) throws(FormatFault) -> Record {
    let nonce = try nonce(of: bytes)
    var buffer = Array(bytes[Self.frame...])
    defer { Sodium.wipe(&buffer) }
    let context = context(file, version: VaultFormat.recordVersion)
    var plain = 0
    let opened = buffer.withUnsafeMutableBytes { sealed in
      Sodium.open(UnsafeRawBufferPointer(sealed), into: sealed, nonce: nonce, context: context, key: recordKey)
        && sodium_unpad(&plain, sealed.bytes, sealed.count - Sodium.tagLength, VaultFormat.paddingBlock) == 0
    }
    guard opened else { throw .damaged("its seal does not fit its bytes, its name or this vault") }
    guard let record = try? parse(buffer[..<plain]), self.file(for: record.name) == file else {
      throw .damaged("its sealed content is not a record of that file")
    }
    return record
  }

  private func nonce(of bytes: [UInt8]) throws(FormatFault) -> [UInt8] {
    var reader = ByteReader(bytes[...])
    guard let magic = try? reader.bytes(VaultFormat.recordMagic.count), magic.elementsEqual(VaultFormat.recordMagic),
      let version = try? reader.number(UInt32.self), version > 0
    else { throw .damaged("it does not begin like a record") }
    guard version == VaultFormat.recordVersion else { throw .newer(version) }
    guard let nonce = try? reader.bytes(Sodium.nonceLength),
      reader.remaining >= VaultFormat.paddingBlock + Sodium.tagLength,
      (reader.remaining - Sodium.tagLength).isMultiple(of: VaultFormat.paddingBlock)
    else { throw .damaged("its length is not that of a record") }
    return Array(nonce)
  }

  private func parse(_ plain: ArraySlice<UInt8>) throws -> Record? {
    var reader = ByteReader(plain)
    let generation = try reader.number(UInt64.self)
    let name = try reader.bytes(Int(reader.number(UInt16.self)))
    let content = try reader.bytes(Int(reader.number(UInt32.self)))
    guard reader.remaining == 0, let name = String(validating: name, as: UTF8.self) else { return nil }
    return Record(name: name, generation: generation, content: Array(content))
  }

  private func context(_ file: String, version: UInt32) -> [UInt8] {
    var context = VaultFormat.recordMagic
    context.append(littleEndian: version)
    return context + vaultID + Array(file.utf8)
  }
}
