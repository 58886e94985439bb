/// A passphrase in guarded memory. Its bytes are taken as they are: nothing is trimmed or normalised, so that the same
/// bytes always open.
public struct Passphrase: Sendable, CustomStringConvertible {
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

  /// Redacted.
  public var description: String { "Passphrase(redacted)" }
}
