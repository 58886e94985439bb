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
