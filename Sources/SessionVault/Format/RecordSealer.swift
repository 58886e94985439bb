import CSodium
import SystemSupport

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// Reads a file's fields in order. Every read checks that enough bytes remain.
struct ByteReader {
  /// The bytes end within a field.
  struct Truncated: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var remaining: Int { rest.count }

  mutating func bytes(_ count: Int) throws(Truncated) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw Truncated() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws(Truncated) -> Number {
    try bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}

struct Record {
  var name: String
  /// The number of the write, counted from 1 for each name.
  var generation: UInt64
  var content: [UInt8]
}

/// Seals and opens records: `docs/vault-format.md`, "Records". The context binds each record to
/// its vault and its file name, so that a record that was swapped with another one or copied from
/// another vault does not open.
struct RecordSealer {
  private static let frame = VaultFormat.recordMagic.count + 4 + Sodium.nonceLength

  let vaultID: [UInt8]
  private let nameKey: SecretBytes
  private let recordKey: SecretBytes

  init(vaultID: [UInt8], master: SecretBytes) throws(VaultError) {
    self.vaultID = vaultID
    nameKey = try Sodium.subkey(.fileNames, of: master)
    recordKey = try Sodium.subkey(.records, of: master)
  }

  /// Why a key is not locked into RAM; nil if all are.
  var lockError: Int32? { nameKey.lockError ?? recordKey.lockError }

  /// Returns the file name of the record `name`; it reveals nothing without the key.
  func file(for name: String) -> String {
    Sodium.hash(Array(name.utf8), key: nameKey).hexadecimal + VaultFormat.recordSuffix
  }

  /// Returns the sealed content of `file`. A nonce is used only once; only test vectors give one.
  /// The plaintext is written only to the buffer that becomes ciphertext.
  func seal(_ record: Record, for file: String, nonce: [UInt8] = Sodium.random(Sodium.nonceLength)) -> [UInt8] {
    let name = Array(record.name.utf8)
    let plain = 8 + 2 + name.count + 4 + record.content.count
    let padded = (plain / VaultFormat.paddingBlock + 1) * VaultFormat.paddingBlock
    var bytes: [UInt8] = []
    // Reserved first, so that appending never leaves a copy of the plaintext in freed memory.
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

  /// Returns the record sealed in the bytes of `file`.
  func open(_ bytes: [UInt8], from file: String) throws(FormatFault) -> Record {
    let nonce = try nonce(of: bytes)
    var buffer = Array(bytes[Self.frame...])
    defer { Sodium.wipe(&buffer) }
    let context = context(file, version: VaultFormat.recordVersion)
    var plain = 0
    let opened = buffer.withUnsafeMutableBytes { sealed in
      guard Sodium.open(UnsafeRawBufferPointer(sealed), into: sealed, nonce: nonce, context: context, key: recordKey)
      else { return false }
      plain = Self.lengthWithoutPadding(UnsafeRawBufferPointer(rebasing: sealed.dropLast(Sodium.tagLength))) ?? -1
      return plain >= 0
    }
    guard opened else { throw .damaged("its seal does not match its contents, its name or this vault") }
    guard let record = try? parse(buffer[..<plain]), self.file(for: record.name) == file else {
      throw .damaged("its contents are not a record for this file")
    }
    return record
  }

  /// Returns the length of `padded` without the padding of ISO/IEC 7816-4: a byte 0x80 and zeros, within
  /// the last block; nil if it is not padded. sodium_unpad(3) takes several times as long as the
  /// decryption, because it looks at each byte of a block in constant time. That would matter only
  /// for bytes whose seal was not checked before.
  static func lengthWithoutPadding(_ padded: UnsafeRawBufferPointer) -> Int? {
    let block = padded.suffix(VaultFormat.paddingBlock)
    guard let end = block.lastIndex(where: { $0 != 0 }), block[end] == 0x80 else { return nil }
    return end
  }

  /// Calls `body`, during which records open and names are hashed without a change of the
  /// protection of the keys' memory.
  func whileReading<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try nameKey.withBytes { (_) throws(Failure) in try recordKey.withBytes { (_) throws(Failure) in try body() } }
  }

  private func nonce(of bytes: [UInt8]) throws(FormatFault) -> [UInt8] {
    var reader = ByteReader(bytes[...])
    guard let magic = try? reader.bytes(VaultFormat.recordMagic.count), magic.elementsEqual(VaultFormat.recordMagic),
      let version = try? reader.number(UInt32.self), version > 0
    else { throw .damaged("it has no valid record header") }
    guard version == VaultFormat.recordVersion else { throw .newer(version) }
    guard let nonce = try? reader.bytes(Sodium.nonceLength),
      reader.remaining >= VaultFormat.paddingBlock + Sodium.tagLength,
      (reader.remaining - Sodium.tagLength).isMultiple(of: VaultFormat.paddingBlock)
    else { throw .damaged("its length is not valid for a record") }
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

/// The key of a chain of MACs, from a record of the vault.
///
/// The key is in guarded memory, which is wiped when the last copy of this value is released.
/// Thread-safe.
public struct ChainKey: Sendable {
  /// The length of a key in bytes.
  public static let length = Sodium.keyLength
  /// The length of a MAC in bytes.
  public static let macLength = Sodium.hashLength

  private let secret: SecretBytes

  /// Takes the key from `bytes`, `length` of them, which are wiped.
  ///
  /// - Throws: `.damaged` for any other length.
  public init(taking bytes: inout [UInt8]) throws(VaultError) {
    defer { Sodium.wipe(&bytes) }
    guard bytes.count == Self.length else { throw VaultError(.damaged, "a chain key must have \(Self.length) bytes") }
    secret = try SecretBytes(count: Self.length) { memory in memory.copyBytes(from: bytes) }
  }

  /// Returns the keyed BLAKE2b-256 hash (crypto_generichash) of `message`.
  public func mac(_ message: [UInt8]) -> [UInt8] { Sodium.hash(message, key: secret) }
}
