import Glibc
public import SystemSupport

/// A key that systemd hands to the service as a file (systemd.exec(5), LoadCredentialEncrypted=).
enum Credential {
  /// 32 bytes, the strength of every other key. Less would be a passphrase, and guessed like one: nothing slows that
  /// down here.
  static let leastBytes = 32
  /// Far above any sensible key; a credential is hashed, not kept.
  static let mostBytes = 4096

  /// The credential's hash; nil if there is no file. The bytes are taken as they are, with a newline if there is one.
  static func read(_ path: String) throws(VaultError) -> SecretBytes? {
    let parts = PathWalk.split(path)
    do {
      let folder = try CheckedFolder(parts.folder, .trusted, creating: false)
      return try folder.reading(parts.name, checking: FileRules.requireCredential) { (file, size) throws(VaultError) in
        guard (leastBytes...mostBytes).contains(size) else {
          throw VaultError(
            .invalidKey,
            "\(parts.whole) has \(size) bytes: a credential needs \(leastBytes) to \(mostBytes), random ones")
        }
        return try Sodium.hash(content(of: file, size, parts.whole))
      }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  private static func content(of file: Int32, _ size: Int, _ path: String) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: size) { (buffer) throws(VaultError) in
      guard try FileCalls.readAll(file, into: buffer, path: path) == size else {
        throw VaultError(.io, "\(path) became shorter while it was read: try again")
      }
    }
  }
}

/// What opens a vault.
public enum KeySource: Sendable {
  /// A file with 32 random bytes, 0600, the user's own. `createIfMissing` makes it, but only together with a new vault
  /// or a new key slot: a vault that is there already was sealed with a key that a new file would not hold. `isDoubled`
  /// stands for two copies of it (VA-9): both are tried, since no check sum tells which one has a changed digit.
  case keyFile(path: String, createIfMissing: Bool, isDoubled: Bool = false)
  /// A passphrase: every attempt costs a derivation for each passphrase slot.
  case passphrase(Passphrase)
  /// A file with 32 to 4,096 random bytes from systemd: `$CREDENTIALS_DIRECTORY/ritual-agent.vault-key`.
  case credential(path: String)
  /// A key that has opened one of the vault's slots before: `Vault.unlockProving`.
  case proven(ProvenKey)

  /// The kind of slot that it opens.
  public var kind: KeySlotKind {
    switch self {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    case .credential: .credential
    case .proven(let key): key.kind
    }
  }

  /// The sources to try, the first copy of a doubled key file before the second.
  var copies: [KeySource] {
    guard case .keyFile(let path, _, true) = self else { return [self] }
    return DoubledFile.copies(of: path).map { .keyFile(path: $0, createIfMissing: false) }
  }

  /// The key for a vault that is there; `.keyMissing` if the file is not.
  func existing() throws(VaultError) -> BroughtKey {
    switch self {
    case .keyFile(let path, _, _):
      guard let key = try KeyFile.read(path) else {
        throw VaultError(
          .keyMissing, "\(path) is missing: restore it from a backup, or unlock the vault with another of its keys")
      }
      return .keyFile(key)
    case .passphrase(let passphrase): return .passphrase(passphrase)
    case .credential(let path):
      guard let key = try Credential.read(path) else {
        throw VaultError(
          .keyMissing,
          "\(path) is missing: start the agent as the unit that has the credential, or unlock with another key")
      }
      return .credential(key)
    case .proven(let key): return .proven(key)
    }
  }

  /// The key for a new vault or slot.
  func existingOrNew() throws(VaultError) -> BroughtKey {
    guard case .keyFile(let path, let createIfMissing, let isDoubled) = self else { return try existing() }
    if let key = try KeyFile.read(path, isDoubled: isDoubled) { return .keyFile(key) }
    guard createIfMissing else {
      throw VaultError(.keyMissing, "\(path) is missing: restore it from a backup, or let one be made")
    }
    return .keyFile(try KeyFile.create(path, isDoubled: isDoubled))
  }
}

/// A passphrase in guarded memory. Its bytes are taken as they are: nothing is trimmed or normalised, so that the same
/// bytes always open.
public struct Passphrase: Sendable, Redacted {
  /// A whole page of a book is shorter; keeps a mistake (a file, say) from being taken for one.
  public static let mostBytes = 1024

  let secret: SecretBytes

  /// Copies 1 to 1,024 bytes, UTF-8 by convention; `.invalidKey` for none or more. The caller wipes its own copy.
  public init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
    guard !bytes.isEmpty else { throw VaultError(.invalidKey, "the passphrase is empty: give one") }
    guard bytes.count <= Self.mostBytes else {
      throw VaultError(.invalidKey, "the passphrase has more than \(Self.mostBytes) bytes: give a shorter one")
    }
    secret = try SecretBytes(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// The UTF-8 of `text`. A `String` leaves copies in memory that nobody can wipe: only where the words were in one
  /// anyway.
  public init(_ text: String) throws(VaultError) {
    var bytes = Array(text.utf8)
    defer { Sodium.wipe(&bytes) }
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(VaultError) in try Passphrase(bytes) } }
    self = try result.get()
  }
}
