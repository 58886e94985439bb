import CSodium

/// SHA-256 (FIPS 180-4), libsodium's.
package enum SHA256 {
  /// The hash of the text's UTF-8, 32 bytes.
  package static func digest(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [UInt8](unsafeUninitializedCapacity: Int(crypto_hash_sha256_BYTES)) { hash, count in
      crypto_hash_sha256(hash.baseAddress!, bytes, UInt64(bytes.count))  // it always returns 0
      count = hash.count
    }
  }
}
