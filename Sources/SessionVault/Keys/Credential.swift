import Glibc
public import SystemSupport

/// A key that systemd passes to the service as a file (systemd.exec(5), LoadCredentialEncrypted=).
enum Credential {
  /// The minimum length: 32 bytes, the strength of every other key. A shorter credential could be
  /// guessed like a passphrase, because no slow derivation is applied.
  static let minBytes = 32
  /// The maximum length, far above any sensible key. A credential is hashed, not kept.
  static let maxBytes = 4096

  /// Returns the credential's hash; nil if the file does not exist. The bytes are used unchanged,
  /// including a trailing newline.
  static func read(_ path: String) throws(VaultError) -> SecretBytes? {
    let parts = TrustedPath.split(path)
    do {
      let folder = try CheckedDirectory(parts.folder, .trusted, creating: false)
      return try folder.reading(parts.name, checking: FileRules.requireCredential) { (file, size) throws(VaultError) in
        guard (minBytes...maxBytes).contains(size) else {
          throw VaultError(
            .invalidKey,
            "\(parts.whole) has \(size) bytes: a credential must have \(minBytes) to \(maxBytes) random bytes")
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
        throw VaultError(.io, "\(path) was truncated while it was read: try again")
      }
    }
  }
}

/// A source of a key that opens a vault.
public enum KeySource: Sendable {
  /// A file with 32 random bytes, 0600, owned by the user. `createIfMissing` creates it, but only
  /// together with a new vault or a new key slot: an existing vault was sealed with a key that a
  /// new file would not hold. `isDoubled` means that two copies exist: both are tried,
  /// because no checksum reveals a changed digit.
  case keyFile(path: String, createIfMissing: Bool, isDoubled: Bool = false)
  /// A passphrase. Every attempt costs a derivation for each passphrase slot.
  case passphrase(Passphrase)
  /// A file with 32 to 4,096 random bytes from systemd: `$CREDENTIALS_DIRECTORY/ritual-agent.vault-key`.
  case credential(path: String)
  /// A key that has opened one of the vault's slots before: see `Vault.unlockProving`.
  case proven(ProvenKey)

  /// The kind of slot that the source opens.
  public var kind: KeySlotKind {
    switch self {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    case .credential: .credential
    case .proven(let key): key.kind
    }
  }

  /// The sources to try: the first copy of a doubled key file, then the second.
  var copies: [KeySource] {
    guard case .keyFile(let path, _, true) = self else { return [self] }
    return DoubledFile.copies(of: path).map { .keyFile(path: $0, createIfMissing: false) }
  }

  /// Returns the key for an existing vault. Throws `.keyMissing` if the file does not exist.
  func existing() throws(VaultError) -> CandidateKey {
    switch self {
    case .keyFile(let path, _, _):
      guard let key = try KeyFile.read(path) else {
        throw VaultError(
          .keyMissing, "\(path) is missing: restore it from a backup, or unlock the vault with another key")
      }
      return .keyFile(key)
    case .passphrase(let passphrase): return .passphrase(passphrase)
    case .credential(let path):
      guard let key = try Credential.read(path) else {
        throw VaultError(
          .keyMissing,
          "\(path) is missing: start the agent as the systemd unit that has the credential, or unlock with another key")
      }
      return .credential(key)
    case .proven(let key): return .proven(key)
    }
  }

  /// Returns the key for a new vault or slot; creates the key file if the source allows it.
  func existingOrNew() throws(VaultError) -> CandidateKey {
    guard case .keyFile(let path, let createIfMissing, let isDoubled) = self else { return try existing() }
    if let key = try KeyFile.read(path, isDoubled: isDoubled) { return .keyFile(key) }
    guard createIfMissing else {
      throw VaultError(.keyMissing, "\(path) is missing: restore it from a backup, or create a new one")
    }
    return .keyFile(try KeyFile.create(path, isDoubled: isDoubled))
  }
}

/// A passphrase in guarded memory. Its bytes are not trimmed or normalized, so that the same bytes
/// always open the vault.
public struct Passphrase: Sendable, Redacted {
  /// The maximum length in bytes, longer than a page of a book. Prevents a mistake, such as a file,
  /// from being accepted.
  public static let maxBytes = 1024

  let secret: SecretBytes

  /// Copies 1 to 1,024 bytes, UTF-8 by convention. Throws `.invalidKey` for an empty or longer
  /// passphrase. The caller wipes its own copy.
  public init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
    guard !bytes.isEmpty else { throw VaultError(.invalidKey, "the passphrase is empty: enter a passphrase") }
    guard bytes.count <= Self.maxBytes else {
      throw VaultError(.invalidKey, "the passphrase is longer than \(Self.maxBytes) bytes: choose a shorter one")
    }
    secret = try SecretBytes(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Copies the UTF-8 bytes of `text`. A `String` leaves copies in memory that cannot be wiped: use
  /// this only if the passphrase was in a `String` anyway.
  public init(_ text: String) throws(VaultError) {
    var bytes = Array(text.utf8)
    defer { Sodium.wipe(&bytes) }
    self = try bytes.span.withUnsafeBytes { (bytes) throws(VaultError) in try Passphrase(bytes) }
  }
}
