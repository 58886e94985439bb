/// The constants of the format, as defined in `docs/vault-format.md`.
package enum VaultFormat {
  /// The header version that this program writes. It also reads versions 1 and 2, and upgrades
  /// them.
  static let headerVersion: UInt32 = 3
  /// The first header version whose vaults have a second copy of every file. In an older vault a
  /// second copy is left over from an interrupted migration, and an older program may have changed
  /// the first copy since.
  static let firstDoubledVersion: UInt32 = 3
  /// The only record version so far.
  static let recordVersion: UInt32 = 1
  /// The version of a slot, part of the context of its wrapped key. Unchanged since header version
  /// 1, so that slots survive a migration, which has only the key of one slot.
  static let slotVersion: UInt32 = 1
  static let headerFile = "header"
  static let headerMagic = Array("RITVAULT".utf8)
  static let recordMagic = Array("RITRECRD".utf8)
  /// The suffix of a record's file name, after the keyed hash of the record's name in hexadecimal.
  static let recordSuffix = ".record"
  static let identifierLength = 16

  /// Records are padded to multiples of this size: the usual block size of a file system, so
  /// padding costs no space, and a session (2 to 4 KiB of JSON) reveals neither its provider nor
  /// the length of an email address.
  static let paddingBlock = 4096
  /// The maximum length of a record's name: 255 bytes, as for a file name. An account's name has at
  /// most 32 bytes, which leaves room for a prefix.
  static let maxNameLength = 255
  /// 1 MiB, at least 250 times the size of a session. Prevents a mistake from exhausting memory.
  static let maxContentSize = 1 << 20
  /// The maximum content plus name, padding and framing, in bytes.
  static let maxFileSize = maxContentSize + 2 * paddingBlock
  /// The maximum number of slots. One slot for each kind of key would be three; the limit leaves
  /// room and bounds the effect of a forged header.
  static let maxSlots = 32
  /// The maximum number of passphrase slots. A wrong passphrase costs one derivation for each of
  /// them, so that an answer still takes only seconds with one passphrase for every person or
  /// device.
  static let maxPassphraseSlots = 4

  /// Returns whether `file` is the name of a record's first copy.
  static func isRecord(_ file: String) -> Bool {
    file.hasSuffix(recordSuffix) && file.utf8.count == 2 * Sodium.hashLength + recordSuffix.utf8.count
  }

  /// Returns whether `file` was found damaged and set aside.
  static func isSetAside(_ file: String) -> Bool { file.contains(".damaged-") }

  /// Returns the name to which a damaged file is renamed.
  package static func asideName(_ file: String, _ number: Int) -> String { "\(file).damaged-\(number)" }
}

/// Why a file or the content of a record cannot be used, before the fault is mapped to a `VaultError`.
public enum FormatFault: Error {
  /// A newer program wrote it with this version.
  case newer(UInt32)
  /// It is not what this program writes; the value is a description.
  case damaged(String)
}

/// The vault's header: its identity, the slots with the wrapped master key, and a part sealed under
/// the master key. The context of the sealed part is everything before it, so that nothing in the
/// header can be changed, added or removed without the master key.
struct VaultHeader {
  let vaultID: [UInt8]
  /// The number of the header, counted from 1 and incremented with every new header.
  var generation: UInt64
  /// The machine that the vault was created on or adopted by.
  var machine: MachineTag
  var slots: [KeySlot]
  /// During a rekey, the master key that seals the records not yet resealed; nil otherwise.
  var previousMaster: SecretBytes?

  /// Returns the header's bytes. A nonce is used only once; only test vectors give a nonce or an
  /// older version. The previous master key is written only to the buffer that becomes ciphertext.
  func sealed(
    under headerKey: SecretBytes, version: UInt32 = VaultFormat.headerVersion,
    nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) -> [UInt8] {
    let context = openPart(version)
    var sealed = [UInt8](repeating: 0, count: SealedHeader.plainLength + Sodium.tagLength)
    sealed.withUnsafeMutableBytes { buffer in
      previousMaster?.withBytes { master in
        buffer[0] = 1
        UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: master)
      }
      Sodium.seal(buffer, nonce: nonce, context: context, key: headerKey)
    }
    let bytes = context + nonce + sealed
    return bytes + Sodium.hash(bytes)
  }

  private func openPart(_ version: UInt32) -> [UInt8] {
    var bytes = VaultFormat.headerMagic
    bytes.append(littleEndian: version)
    bytes += vaultID
    bytes.append(littleEndian: generation)
    bytes += machine.bytes
    bytes.append(littleEndian: UInt16(slots.count))
    for slot in slots {
      bytes.append(slot.kind.rawValue)
      bytes += slot.id
      bytes.append(littleEndian: UInt16(slot.payload.count))
      bytes += slot.payload
    }
    return bytes
  }
}

/// A header whose checksum is correct. Nothing in it is authenticated before `open`. Reads versions
/// 1 to 3. Versions 2 and 3 have the same fields; version 3 means that second copies exist.
struct SealedHeader: Sendable {
  /// The length of the sealed part from version 2: a byte that is 1 during a rekey, and the
  /// previous master key.
  static let plainLength = 1 + Sodium.keyLength

  let version: UInt32
  let vaultID: [UInt8]
  let generation: UInt64
  /// The machine tag; nil in version 1, which stores the machine id itself in the sealed part.
  let machine: MachineTag?
  let slots: [KeySlot]
  private let context: [UInt8]
  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Checks magic, checksum and version first: a newer header ends with the same checksum, but may
  /// differ in everything else.
  init(_ bytes: [UInt8]) throws(FormatFault) {
    var reader = ByteReader(bytes[...])
    guard let magic = try? reader.bytes(VaultFormat.headerMagic.count), magic.elementsEqual(VaultFormat.headerMagic),
      let version = try? reader.number(UInt32.self), version > 0
    else { throw .damaged("it is not a vault header") }
    guard bytes.count > Sodium.hashLength,
      Sodium.hash(Array(bytes.dropLast(Sodium.hashLength))) == bytes.suffix(Sodium.hashLength)
    else { throw .damaged("its checksum does not match") }
    guard version <= VaultFormat.headerVersion else { throw .newer(version) }
    do {
      try self.init(version: version, reading: &reader, of: bytes)
    } catch {
      throw .damaged("it is truncated or has too many key slots")
    }
  }

  private init(
    version: UInt32, reading reader: inout ByteReader, of bytes: [UInt8]
  ) throws(ByteReader.Truncated) {
    self.version = version
    vaultID = Array(try reader.bytes(VaultFormat.identifierLength))
    generation = try reader.number(UInt64.self)
    machine = version == 1 ? nil : MachineTag(bytes: Array(try reader.bytes(MachineTag.length)))
    slots = try Self.slots(&reader)
    context = Array(bytes[..<(bytes.count - reader.remaining)])
    nonce = Array(try reader.bytes(Sodium.nonceLength))
    sealed = Array(try reader.bytes((version == 1 ? MachineID.length : Self.plainLength) + Sodium.tagLength))
    guard reader.remaining == Sodium.hashLength else { throw ByteReader.Truncated() }
  }

  private static func slots(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> [KeySlot] {
    let count = Int(try reader.number(UInt16.self))
    guard count <= VaultFormat.maxSlots else { throw ByteReader.Truncated() }
    var slots: [KeySlot] = []
    for _ in 0..<count {
      let kind = KeySlotKind(rawValue: try reader.number(UInt8.self))
      let id = Array(try reader.bytes(VaultFormat.identifierLength))
      let payload = Array(try reader.bytes(Int(try reader.number(UInt16.self))))
      slots.append(KeySlot(kind: kind, id: id, payload: payload))
    }
    // Each passphrase slot costs a derivation of up to a second.
    guard slots.count(where: { $0.kind == .passphrase }) <= VaultFormat.maxPassphraseSlots else {
      throw ByteReader.Truncated()
    }
    return slots
  }

  /// Authenticates the header with a key derived from the master key, and opens the sealed part.
  /// Returns nil if authentication fails.
  func open(with headerKey: SecretBytes) throws(VaultError) -> VaultHeader? {
    var fits = false
    let plain = try SecretBytes(count: sealed.count - Sodium.tagLength) { plain in
      fits = sealed.withUnsafeBytes { sealed in
        Sodium.open(sealed, into: plain, nonce: nonce, context: context, key: headerKey)
      }
    }
    guard fits else { return nil }
    guard let machine else {
      let id = MachineID(bytes: plain.withBytes { Array($0) })
      return header(MachineTag(id, vaultID: vaultID), previousMaster: nil)
    }
    switch plain.withBytes({ $0[0] }) {
    case 0: return header(machine, previousMaster: nil)
    case 1: return header(machine, previousMaster: try Self.master(after: plain))
    default: return nil
    }
  }

  private func header(_ machine: MachineTag, previousMaster: SecretBytes?) -> VaultHeader {
    VaultHeader(
      vaultID: vaultID, generation: generation, machine: machine, slots: slots, previousMaster: previousMaster)
  }

  private static func master(after plain: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: Sodium.keyLength) { key in
      plain.withBytes { key.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[1...])) }
    }
  }
}
