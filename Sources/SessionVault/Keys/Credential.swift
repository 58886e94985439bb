import Glibc

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
