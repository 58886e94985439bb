import SystemSupport

/// The master key, wrapped with one key. Any single slot opens the vault.
struct KeySlot: Equatable {
  /// The length of nonce, wrapped master key and tag, the last fields of every kind.
  static let wrappedLength = Sodium.nonceLength + Sodium.keyLength + Sodium.tagLength

  let kind: KeySlotKind
  /// A random identifier of the slot.
  let id: [UInt8]
  /// The kind's parameters, then nonce, wrapped master key, tag.
  let payload: [UInt8]

  /// The parameters of the key's derivation: empty, or a passphrase's cost and salt.
  var parameters: [UInt8] { Array(payload.dropLast(Self.wrappedLength)) }

  /// Wraps `master`. A nonce is used only once: `id` and `nonce` are given only by test vectors,
  /// and `id` also by a rekey, which keeps the slot's id.
  static func wrapping(
    _ master: SecretBytes, with key: WrappingKey, vaultID: [UInt8],
    id: [UInt8] = Sodium.random(VaultFormat.identifierLength), nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) -> KeySlot {
    let context = context(key.kind, id: id, vaultID: vaultID, parameters: key.parameters)
    let start = key.parameters.count + nonce.count
    var payload = key.parameters + nonce + [UInt8](repeating: 0, count: master.count + Sodium.tagLength)
    payload.withUnsafeMutableBytes { all in
      let sealed = UnsafeMutableRawBufferPointer(rebasing: all[start...])
      master.withBytes { sealed.copyMemory(from: $0) }
      Sodium.seal(sealed, nonce: nonce, context: context, key: key.key)
    }
    return KeySlot(kind: key.kind, id: id, payload: payload)
  }

  /// Returns the master key, or nil if `key` is not the key of this slot.
  func unwrap(with key: WrappingKey, vaultID: [UInt8]) throws(VaultError) -> SecretBytes? {
    let start = key.parameters.count
    guard kind == key.kind, payload.count == start + Self.wrappedLength, payload.starts(with: key.parameters)
    else { return nil }
    let context = Self.context(kind, id: id, vaultID: vaultID, parameters: key.parameters)
    let nonce = Array(payload[start..<(start + Sodium.nonceLength)])
    var fits = false
    let master = try SecretBytes(count: Sodium.keyLength) { plain in
      fits = payload.withUnsafeBytes { all in
        Sodium.open(
          UnsafeRawBufferPointer(rebasing: all[(start + Sodium.nonceLength)...]), into: plain, nonce: nonce,
          context: context, key: key.key)
      }
    }
    return fits ? master : nil
  }

  private static func context(
    _ kind: KeySlotKind, id: [UInt8], vaultID: [UInt8], parameters: [UInt8]
  ) -> [UInt8] {
    var context = VaultFormat.headerMagic
    context.append(littleEndian: VaultFormat.slotVersion)
    return context + vaultID + [kind.rawValue] + id + parameters
  }
}

/// The kind of key that opens a slot. Open, because later programs may add kinds, which this
/// program keeps and ignores.
public struct KeySlotKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number in the vault's header.
  public let rawValue: UInt8

  /// Creates a kind from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A file with 32 random bytes.
  public static let keyFile = KeySlotKind(rawValue: 1)
  /// A passphrase, derived with Argon2id.
  public static let passphrase = KeySlotKind(rawValue: 2)
  /// Bytes that systemd passes to the service, optionally bound to a TPM (systemd-creds(1)).
  public static let credential = KeySlotKind(rawValue: 3)

  /// The name of the kind, for messages: "key file", "passphrase", "systemd credential".
  public var description: String {
    switch self {
    case .keyFile: "key file"
    case .passphrase: "passphrase"
    case .credential: "systemd credential"
    default: "key of unknown kind \(rawValue)"
    }
  }
}

/// The public part of a key slot, which anyone who can read the vault's header sees.
public struct KeySlotInfo: Sendable, Equatable {
  /// 32 random hexadecimal digits; constant until the slot is removed or its key is replaced.
  public let id: String
  /// The kind of key that opens the slot.
  public let kind: KeySlotKind
  /// The cost of one passphrase attempt; nil for other kinds.
  public let cost: PassphraseCost?

  init(_ slot: KeySlot) {
    id = slot.id.hexadecimal
    kind = slot.kind
    cost = kind == .passphrase ? PassphraseParameters(slot.parameters)?.cost : nil
  }
}

/// The key that wraps the master key in one slot, used for nothing else.
struct WrappingKey {
  let kind: KeySlotKind
  /// The parameters that a slot stores for the key's derivation; empty except for passphrases.
  let parameters: [UInt8]
  let key: SecretBytes
}

/// The parameters stored in a passphrase slot beside the wrapped key: algorithm, cost, salt.
struct PassphraseParameters {
  static let length = 1 + 4 + 8 + Sodium.saltLength

  let cost: PassphraseCost
  let salt: [UInt8]

  init(cost: PassphraseCost, salt: [UInt8] = Sodium.random(Sodium.saltLength)) {
    self.cost = cost
    self.salt = salt
  }

  /// Returns nil if the bytes are malformed or name another algorithm.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard bytes.count == Self.length, (try? reader.number(UInt8.self)) == PassphraseCost.algorithm,
      let passes = try? reader.number(UInt32.self), let memory = try? reader.number(UInt64.self),
      let salt = try? reader.bytes(Sodium.saltLength)
    else { return nil }
    cost = PassphraseCost(passes: passes, memory: memory)
    self.salt = Array(salt)
  }

  var bytes: [UInt8] {
    var bytes = [PassphraseCost.algorithm]
    bytes.append(littleEndian: cost.passes)
    bytes.append(littleEndian: cost.memory)
    return bytes + salt
  }
}
