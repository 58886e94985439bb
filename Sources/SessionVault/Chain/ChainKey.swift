import CSodium

/// The key for one link of a chain of messages: it makes the link's MAC, then the next key, and is let go of. Whoever
/// finds a later key can make neither it nor the MACs before it again: BLAKE2b cannot be run backwards.
///
/// The key lies in guarded memory, which is wiped when the last copy of this value goes. Safe from any thread.
public struct ChainKey: Sendable {
  /// Bytes of a key, as it is sealed in a record.
  public static let length = Sodium.keyLength
  /// Bytes of a MAC.
  public static let macLength = Sodium.hashLength

  let secret: SecretBytes

  init(_ secret: SecretBytes) { self.secret = secret }

  /// A key that a sealed record held; `bytes`, `length` of them, are wiped.
  ///
  /// - Throws: `.damaged` for any other length.
  public init(taking bytes: inout [UInt8]) throws(VaultError) {
    defer { Sodium.wipe(&bytes) }
    guard bytes.count == Self.length else { throw VaultError(.damaged, "a chain's key has \(Self.length) bytes") }
    secret = try SecretBytes(count: Self.length) { memory in memory.copyBytes(from: bytes) }
  }

  /// Keyed BLAKE2b-256 (crypto_generichash) of `message`.
  public func mac(_ message: [UInt8]) -> [UInt8] { Sodium.hash(message, key: secret) }

  /// The key of the next link: keyed BLAKE2b-256 of "next".
  public func next() throws(VaultError) -> ChainKey { try following(Array("next".utf8)) }

  func following(_ label: [UInt8]) throws(VaultError) -> ChainKey {
    ChainKey(
      try SecretBytes(count: Self.length) { digest in
        secret.withBytes { key in
          _ = crypto_generichash(digest.bytes, digest.count, label, UInt64(label.count), key.bytes, key.count)
        }
      })
  }

  /// Lets `body` read the key, to seal it. The pointer is good only until `body` returns.
  public func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    secret.withBytes(body)
  }
}
