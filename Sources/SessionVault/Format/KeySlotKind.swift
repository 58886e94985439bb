import SystemSupport

/// What opens a key slot; open, since a later program may add kinds, which this one keeps and passes over.
public struct KeySlotKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number in the vault's header.
  public let rawValue: UInt8

  /// A kind by its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A file with 32 random bytes.
  public static let keyFile = KeySlotKind(rawValue: 1)
  /// Words that somebody knows, through Argon2id.
  public static let passphrase = KeySlotKind(rawValue: 2)
  /// Bytes that systemd hands to the service, and may keep bound to a TPM (systemd-creds(1)).
  public static let credential = KeySlotKind(rawValue: 3)

  /// The kind in words, for messages: "key file", "passphrase", "systemd credential".
  public var description: String {
    switch self {
    case .keyFile: "key file"
    case .passphrase: "passphrase"
    case .credential: "systemd credential"
    default: "key of unknown kind \(rawValue)"
    }
  }
}

/// A key slot, as anybody who can read the vault's header sees it.
public struct KeySlotInfo: Sendable, Equatable {
  /// 32 hexadecimal digits, random; stays the same until the slot is removed or its key is changed.
  public let id: String
  /// What opens it.
  public let kind: KeySlotKind
  /// What trying a passphrase costs; nil for other kinds.
  public let cost: PassphraseCost?

  init(_ slot: KeySlot) {
    id = slot.id.hexadecimal
    kind = slot.kind
    cost = kind == .passphrase ? PassphraseParameters(slot.parameters)?.cost : nil
  }
}
