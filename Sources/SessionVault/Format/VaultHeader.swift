/// The vault's header: its identity, the slots that hold the wrapped master key, and a part sealed under the master key whose context is
/// all that stands before it, so that no slot can be changed, added or dropped without the master key.
struct VaultHeader: Equatable {
  let vaultID: [UInt8]
  /// Rises with every new header, from 1.
  let generation: UInt64
  let slots: [KeySlot]
  /// The machine that the vault was made on, once opened: sealed.
  let machine: MachineID

  /// The header's bytes. A nonce is used once; only test vectors give one.
  func sealed(
    under master: SecretBytes, nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) throws(VaultError) -> [UInt8] {
    var bytes = openPart
    let context = bytes
    var sealed = machine.bytes + [UInt8](repeating: 0, count: Sodium.tagLength)
    let key = try Sodium.subkey(.header, of: master)
    sealed.withUnsafeMutableBytes { Sodium.seal($0, nonce: nonce, context: context, key: key) }
    bytes += nonce + sealed
    return bytes + Sodium.hash(bytes)
  }

  private var openPart: [UInt8] {
    var bytes = VaultFormat.headerMagic
    bytes.append(littleEndian: VaultFormat.version)
    bytes += vaultID
    bytes.append(littleEndian: generation)
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

/// A header that was read and is whole as far as its check sum goes; nothing in it is believed before `open`.
struct SealedHeader {
  let vaultID: [UInt8]
  let generation: UInt64
  let slots: [KeySlot]
  private let context: [UInt8]
  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Magic and version first: a newer header may look different in all the rest.
  init(_ bytes: [UInt8]) throws(FormatFault) {
    var reader = ByteReader(bytes[...])
    guard let magic = try? reader.bytes(VaultFormat.headerMagic.count), magic.elementsEqual(VaultFormat.headerMagic),
      let version = try? reader.number(UInt32.self), version > 0
    else { throw .damaged("it does not begin like a vault's header") }
    guard version == VaultFormat.version else { throw .newer(version) }
    guard bytes.count > Sodium.hashLength,
      Sodium.hash(Array(bytes.dropLast(Sodium.hashLength))) == bytes.suffix(Sodium.hashLength)
    else { throw .damaged("its check sum does not fit") }
    do {
      try self.init(reading: &reader, of: bytes)
    } catch {
      throw .damaged("it ends within a field")
    }
  }

  private init(reading reader: inout ByteReader, of bytes: [UInt8]) throws(ByteReader.Truncated) {
    vaultID = Array(try reader.bytes(VaultFormat.identifierLength))
    generation = try reader.number(UInt64.self)
    let count = Int(try reader.number(UInt16.self))
    guard count <= VaultFormat.mostSlots else { throw ByteReader.Truncated() }
    var slots: [KeySlot] = []
    for _ in 0..<count {
      let kind = KeySlot.Kind(rawValue: try reader.number(UInt8.self))
      let id = Array(try reader.bytes(VaultFormat.identifierLength))
      let payload = Array(try reader.bytes(Int(try reader.number(UInt16.self))))
      slots.append(KeySlot(kind: kind, id: id, payload: payload))
    }
    self.slots = slots
    context = Array(bytes[..<(bytes.count - reader.remaining)])
    nonce = Array(try reader.bytes(Sodium.nonceLength))
    sealed = Array(try reader.bytes(MachineID.length + Sodium.tagLength))
    guard reader.remaining == Sodium.hashLength else { throw ByteReader.Truncated() }
  }

  /// Checks everything against the master key and opens the sealed part.
  func open(with master: SecretBytes) throws(VaultError) -> VaultHeader? {
    let key = try Sodium.subkey(.header, of: master)
    var plain = sealed
    let fits = plain.withUnsafeMutableBytes { buffer in
      Sodium.open(UnsafeRawBufferPointer(buffer), into: buffer, nonce: nonce, context: context, key: key)
    }
    guard fits else { return nil }
    let machine = MachineID(bytes: Array(plain.prefix(MachineID.length)))
    return VaultHeader(vaultID: vaultID, generation: generation, slots: slots, machine: machine)
  }
}
