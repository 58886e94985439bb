/// The constants of the format, as `docs/vault-format.md` has them.
package enum VaultFormat {
  /// The header that this program writes. It reads versions 1 and 2 too, and replaces them.
  static let headerVersion: UInt32 = 3
  /// The first header whose vault has a second copy of every file. In an older vault a second copy is what a migration
  /// that did not come to its end left: an older program may have changed the first copy since.
  static let firstDoubledVersion: UInt32 = 3
  /// The only version that a record has had.
  static let recordVersion: UInt32 = 1
  /// The version of a slot, part of what its key is wrapped with. Unchanged since header 1, so that slots outlive a
  /// migration, for which no key but the one at hand is there.
  static let slotVersion: UInt32 = 1
  /// The header's file.
  static let headerFile = "header"
  static let headerMagic = Array("RITVAULT".utf8)
  static let recordMagic = Array("RITRECRD".utf8)
  /// A record's file is its name's keyed hash in hexadecimal and this.
  static let recordSuffix = ".record"
  static let identifierLength = 16

  /// Records are padded to multiples of this: the usual block of a file system, so it costs no space, and a session
  /// (2 to 4 KiB of JSON) shows neither its provider nor the length of an address.
  static let paddingBlock = 4096
  /// 255 bytes, as for a file's name: an account's name has 32 at most, with room for a prefix.
  static let longestName = 255
  /// 1 MiB: a thousand times a session; keeps a mistake from filling memory.
  static let largestContent = 1 << 20
  /// The largest content with its name, padding and frame.
  static let largestFile = largestContent + 2 * paddingBlock
  /// Each kind of key once would be three; this leaves room, and bounds what a forged header can ask for.
  static let mostSlots = 32
  /// A wrong passphrase costs one derivation for each of these: with one for every person or device there is still an
  /// answer in some seconds.
  static let mostPassphrases = 4

  /// Whether it is the name of a record's first copy.
  static func isRecord(_ file: String) -> Bool {
    file.hasSuffix(recordSuffix) && file.utf8.count == 2 * Sodium.hashLength + recordSuffix.utf8.count
  }

  /// Whether a file was a record once, and was found damaged.
  static func isSetAside(_ file: String) -> Bool { file.contains(".damaged-") }

  /// Where a damaged file is moved.
  package static func asideName(_ file: String, _ number: Int) -> String { "\(file).damaged-\(number)" }
}

/// Why a file cannot be used, before it is known which error that means for the vault.
enum FormatFault: Error {
  /// A newer program wrote it.
  case newer(UInt32)
  /// The bytes are not what a vault writes, in words.
  case damaged(String)
}

/// The vault's header: its identity, the slots that hold the wrapped master key, and a part sealed under the master key
/// whose context is all that stands before it, so that nothing there can be changed, added or dropped without the
/// master key.
struct VaultHeader {
  let vaultID: [UInt8]
  /// Rises with every new header, from 1.
  var generation: UInt64
  /// The machine that the vault was made on, or adopted by.
  var machine: MachineTag
  var slots: [KeySlot]
  /// While a rekey is under way: the master key that records not resealed yet are sealed under.
  var previousMaster: SecretBytes?

  /// The header's bytes. A nonce is used once; only test vectors give one, and an older version. The previous master key stands in no buffer
  /// but the one in which it becomes ciphertext.
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

/// A header that was read and is whole as far as its check sum goes; nothing in it is believed before `open`. Reads
/// versions 1 to 3. Versions 2 and 3 have the same fields; version 3 says that second copies exist.
struct SealedHeader: Sendable {
  /// From version 2, sealed: whether a rekey is under way, and the previous master key.
  static let plainLength = 1 + Sodium.keyLength

  let version: UInt32
  let vaultID: [UInt8]
  let generation: UInt64
  /// nil in version 1, which has the machine's id itself in its sealed part.
  let machine: MachineTag?
  let slots: [KeySlot]
  private let context: [UInt8]
  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Magic, check sum and version first: a newer header has the same check sum at its end, and may look different in all the
  /// rest.
  init(_ bytes: [UInt8]) throws(FormatFault) {
    var reader = ByteReader(bytes[...])
    guard let magic = try? reader.bytes(VaultFormat.headerMagic.count), magic.elementsEqual(VaultFormat.headerMagic),
      let version = try? reader.number(UInt32.self), version > 0
    else { throw .damaged("it does not begin like a vault's header") }
    guard bytes.count > Sodium.hashLength,
      Sodium.hash(Array(bytes.dropLast(Sodium.hashLength))) == bytes.suffix(Sodium.hashLength)
    else { throw .damaged("its check sum does not fit") }
    guard version <= VaultFormat.headerVersion else { throw .newer(version) }
    do {
      try self.init(version: version, reading: &reader, of: bytes)
    } catch {
      throw .damaged("it ends within a field, or has more slots than there can be")
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
    guard count <= VaultFormat.mostSlots else { throw ByteReader.Truncated() }
    var slots: [KeySlot] = []
    for _ in 0..<count {
      let kind = KeySlotKind(rawValue: try reader.number(UInt8.self))
      let id = Array(try reader.bytes(VaultFormat.identifierLength))
      let payload = Array(try reader.bytes(Int(try reader.number(UInt16.self))))
      slots.append(KeySlot(kind: kind, id: id, payload: payload))
    }
    // Each costs a derivation that takes the better part of a second.
    guard slots.count(where: { $0.kind == .passphrase }) <= VaultFormat.mostPassphrases else {
      throw ByteReader.Truncated()
    }
    return slots
  }

  /// Checks everything against the master key's header key and opens the sealed part; nil if it does not fit.
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
