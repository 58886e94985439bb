import COpenSSL

/// Hashes and codes, by OpenSSL's libcrypto.
enum Digest {
  static func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha256()) }

  static func sha1(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha1()) }

  /// HMAC (RFC 2104) with SHA-256.
  static func code256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] { code(bytes, key, EVP_sha256()) }

  /// HMAC with SHA-1.
  static func code1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] { code(bytes, key, EVP_sha1()) }

  private static func hash(_ bytes: [UInt8], _ kind: OpaquePointer) -> [UInt8] {
    output { EVP_Digest(bytes, bytes.count, $0, $1, kind, nil) == 1 }
  }

  private static func code(_ bytes: [UInt8], _ key: [UInt8], _ kind: OpaquePointer) -> [UInt8] {
    output { HMAC(kind, key, Int32(key.count), bytes, bytes.count, $0, $1) != nil }
  }

  private static func output(
    _ call: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt32>) -> Bool
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      // Such a call fails only without memory.
      precondition(call(buffer.baseAddress!, &length))
      count = Int(length)
    }
  }
}

/// A key pair on P-256, for ES256 (RFC 7518, section 3.4), by OpenSSL's libcrypto.
///
/// Unchecked, because the compiler knows nothing of the pointer: several threads may use a key that
/// none of them changes (openssl-threads(7)).
final class ECKeyPair: @unchecked Sendable {
  /// The bytes of a coordinate, and of each half of a signature.
  private static let width = 32
  private let pair: OpaquePointer

  /// Makes a new pair. Its calls fail only without memory or without random numbers.
  init() {
    let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    defer { EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    precondition(
      EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
        && EVP_PKEY_generate(context, &made) == 1)
    pair = made!
  }

  deinit { EVP_PKEY_free(pair) }

  /// The coordinates of the public key, 32 bytes each.
  var point: (x: [UInt8], y: [UInt8]) {
    // The uncompressed form (SEC 1, section 2.3.3): one byte that says so, then both.
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 + 2 * Self.width) { buffer, count in
      precondition(EVP_PKEY_get_octet_string_param(pair, "pub", buffer.baseAddress, buffer.count, &count) == 1)
    }
    return (Array(bytes[1...Self.width]), Array(bytes[(1 + Self.width)...]))
  }

  /// The signature over the SHA-256 of the bytes, in the form of RFC 7518: r and s, 32 bytes each.
  func signature(over bytes: [UInt8]) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var length = Int(EVP_PKEY_get_size(pair))
    var encoded = [UInt8](repeating: 0, count: length)
    precondition(
      EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pair) == 1
        && EVP_DigestSign(context, &encoded, &length, bytes, bytes.count) == 1)
    return encoded.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      let numbers = d2i_ECDSA_SIG(nil, &start, length)
      defer { ECDSA_SIG_free(numbers) }
      return Self.bytes(of: ECDSA_SIG_get0_r(numbers)) + Self.bytes(of: ECDSA_SIG_get0_s(numbers))
    }
  }

  func isValid(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
    guard signature.count == 2 * Self.width else { return false }
    let numbers = ECDSA_SIG_new()
    defer { ECDSA_SIG_free(numbers) }
    let second = Array(signature[Self.width...])
    // The numbers belong to the signature from now on.
    ECDSA_SIG_set0(
      numbers, BN_bin2bn(signature, Int32(Self.width), nil), BN_bin2bn(second, Int32(Self.width), nil))
    var encoded: UnsafeMutablePointer<UInt8>?
    let length = i2d_ECDSA_SIG(numbers, &encoded)
    defer { CRYPTO_free(encoded, #fileID, #line) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return length > 0 && EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pair) == 1
      && EVP_DigestVerify(context, encoded, Int(length), bytes, bytes.count) == 1
  }

  private static func bytes(of number: OpaquePointer?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width) { buffer, count in
      precondition(BN_bn2binpad(number, buffer.baseAddress, Int32(width)) == width)
      count = width
    }
  }
}
