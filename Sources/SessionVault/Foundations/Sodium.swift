import CSodium

/// The few functions of libsodium that the vault is made of; nothing else in the module calls its cryptography.
enum Sodium {
  /// crypto_aead_xchacha20poly1305_ietf: key 32, nonce 24, tag 16 bytes.
  static let keyLength = 32
  static let nonceLength = 24
  static let tagLength = 16
  /// BLAKE2b-256, crypto_generichash.
  static let hashLength = 32
  /// crypto_pwhash_SALTBYTES.
  static let saltLength = 16

  // sodium_init(3) is thread-safe and returns 1 when called again.
  private static let started = sodium_init()

  /// Must be called before anything else; fails where the system gives no random numbers.
  static func start() throws(VaultError) {
    guard started >= 0 else {
      throw VaultError(.io, "libsodium cannot start: the system gives no random numbers")
    }
  }

  /// Random bytes, for nonces and identifiers.
  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// crypto_kdf_derive_from_key: a key of its own for each purpose, in guarded memory.
  static func subkey(_ purpose: KeyPurpose, of key: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: keyLength) { (subkey) throws(VaultError) in
      let result = key.withBytes { master in
        crypto_kdf_derive_from_key(
          subkey.bytes, subkey.count, purpose.number, purpose.context.map(CChar.init(bitPattern:)), master.bytes)
      }
      guard result == 0 else { throw VaultError(.io, "libsodium refuses to derive a key") }
    }
  }

  /// BLAKE2b-256, keyed where a key is given.
  static func hash(_ bytes: [UInt8], key: SecretBytes? = nil) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: hashLength)
    let length = UInt64(bytes.count)
    guard let key else {
      crypto_generichash(&digest, hashLength, bytes, length, nil, 0)
      return digest
    }
    key.withBytes { key in _ = crypto_generichash(&digest, hashLength, bytes, length, key.bytes, key.count) }
    return digest
  }

  /// BLAKE2b-256 of a secret, which stays one: makes a key of bytes of any length.
  static func hash(_ secret: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: hashLength) { digest in
      secret.withBytes { bytes in
        _ = crypto_generichash(digest.bytes, digest.count, bytes.bytes, UInt64(bytes.count), nil, 0)
      }
    }
  }

  /// crypto_pwhash with Argon2id: blocks for as long as `cost` says, in as much memory. Fails where the system has not
  /// that much.
  static func passwordKey(
    _ passphrase: SecretBytes, salt: [UInt8], cost: PassphraseCost
  ) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: keyLength) { (key) throws(VaultError) in
      let result = passphrase.withBytes { text in
        crypto_pwhash(
          key.bytes, UInt64(key.count), text.baseAddress!.assumingMemoryBound(to: CChar.self), UInt64(text.count),
          salt, UInt64(cost.passes), Int(cost.memory), Int32(PassphraseCost.algorithm))
      }
      guard result == 0 else {
        throw VaultError(
          .io, "no memory for a passphrase: \(cost.memory >> 20) MiB are needed; free some, or raise MemoryMax=")
      }
    }
  }

  /// Seals in place: the plaintext at `start` up to the last 16 bytes becomes ciphertext, the last 16 bytes the tag.
  static func seal(
    _ buffer: UnsafeMutableRawBufferPointer, nonce: [UInt8], context: [UInt8], key: SecretBytes
  ) {
    key.withBytes { key in
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        buffer.bytes, nil, buffer.bytes, UInt64(buffer.count - tagLength),
        context, UInt64(context.count), nil, nonce, key.bytes)
    }
  }

  /// Opens `sealed` into `plaintext` (which may be the same memory); false if anything in it, the context or the key is
  /// not what was sealed.
  static func open(
    _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
    nonce: [UInt8], context: [UInt8], key: SecretBytes
  ) -> Bool {
    key.withBytes { key in
      crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext.bytes, nil, nil, sealed.bytes, UInt64(sealed.count),
        context, UInt64(context.count), nonce, key.bytes) == 0
    }
  }

  /// Overwrites, in a way that the compiler does not leave out.
  static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { sodium_memzero(start, $0.count) } }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The start as libsodium wants it; never empty where it is used.
  var bytes: UnsafeMutablePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeRawBufferPointer {
  /// The start as libsodium wants it; never empty where it is used.
  var bytes: UnsafePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}
