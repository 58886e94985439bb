import CSodium
import Synchronization
public import SystemSupport

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

/// A secret in libsodium's guarded memory (sodium_malloc): between guard pages, locked into RAM where the system allows it, not
/// in core dumps, unreadable except while `withBytes` runs, and wiped when the last reference goes. Prints redacted.
///
/// Safe to use from several threads; they take turns.
public final class SecretBytes: Sendable, Redacted {
  /// How many bytes it has; not secret.
  public let count: Int
  /// Whether the memory is locked (mlock(2)). Past RLIMIT_MEMLOCK libsodium gives memory that could be swapped out, and
  /// does not say so: hence this is asked for by a lock of its own.
  public let isLocked: Bool
  private let memory: Mutex<UnsafeMutableRawPointer>

  /// Makes a secret of `count` bytes, at least one; `fill` writes it where it will stay.
  public init(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(VaultError) -> Void
  ) throws(VaultError) {
    precondition(count > 0, "an empty secret has no memory to guard")
    try Sodium.start()
    guard let start = sodium_malloc(count) else {
      throw VaultError(.io, "no memory for a secret of \(count) bytes")
    }
    do {
      try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    } catch {
      sodium_free(start)
      throw error
    }
    self.count = count
    isLocked = sodium_mlock(start, count) == 0
    Self.require(sodium_mprotect_noaccess(start))
    memory = Mutex(start)
  }

  /// A new random secret, for a key.
  static func random(count: Int) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: count) { randombytes_buf($0.bytes, $0.count) }
  }

  deinit {
    // sodium_free makes the pages writable, wipes and unlocks them.
    memory.withLock { sodium_free($0) }
  }

  /// Lets `body` read the secret. The pointer is good only until `body` returns; `body` must not come back to the same secret.
  public func withBytes<Result: Sendable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try memory.withLock { (start) throws(Failure) in
      Self.require(sodium_mprotect_readonly(start))
      defer { Self.require(sodium_mprotect_noaccess(start)) }
      return try body(UnsafeRawBufferPointer(start: start, count: count))
    }
  }

  /// Whether both are the same (sodium_memcmp: in a time that tells nothing of where they differ).
  func isEqual(to other: SecretBytes) -> Bool {
    guard count == other.count, self !== other else { return self === other }
    return withBytes { own in other.withBytes { sodium_memcmp(own.bytes, $0.bytes, own.count) == 0 } }
  }

  /// mprotect(2) on our own pages fails only when the kernel has no memory left for its tables: to go on would be to read a fault.
  private static func require(_ result: Int32) {
    precondition(result == 0, "mprotect of guarded memory failed")
  }
}

/// Each key has one purpose; crypto_kdf's context and number tell them apart.
struct KeyPurpose {
  let context: [UInt8]
  let number: UInt64

  private static let vault = Array("RitVault".utf8)

  /// From the master key: seals and authenticates the header.
  static let header = KeyPurpose(context: vault, number: 1)
  /// From the master key: hashes record names to file names.
  static let fileNames = KeyPurpose(context: vault, number: 2)
  /// From the master key: seals records.
  static let records = KeyPurpose(context: vault, number: 3)
  /// From the master key: makes the first keys of chains.
  static let chains = KeyPurpose(context: vault, number: 4)
  /// From the key file's key: wraps the master key.
  static let keyFileWrap = KeyPurpose(context: Array("RitKeyFl".utf8), number: 1)
  /// From what Argon2id makes of a passphrase: wraps the master key.
  static let passphraseWrap = KeyPurpose(context: Array("RitPassw".utf8), number: 1)
  /// From the hash of a credential: wraps the master key.
  static let credentialWrap = KeyPurpose(context: Array("RitCredn".utf8), number: 1)
}

/// What one derivation by Argon2id takes: the time grows with the product, the memory is taken for as long as it runs.
public struct PassphraseCost: Sendable, Equatable {
  /// How often the memory is gone over (libsodium's opslimit).
  public let passes: UInt32
  /// In bytes (libsodium's memlimit).
  public let memory: UInt64

  /// crypto_pwhash_ALG_ARGON2ID13 (RFC 9106, version 0x13, one lane).
  static let algorithm: UInt8 = 2

  /// The least that is made: libsodium's INTERACTIVE, some 50 ms on a desktop.
  static let least = PassphraseCost(passes: 2, memory: 64 << 20)
  /// The most memory that is made: libsodium's MODERATE. More would keep small machines from opening the vault; more
  /// time goes into passes.
  static let mostMemoryMade: UInt64 = 256 << 20
  /// The most that is read: a header that somebody forged must not fill the memory (1 GiB: libsodium's SENSITIVE) or
  /// take minutes.
  static let mostMemory: UInt64 = 1 << 30
  static let mostPasses: UInt32 = 10
  /// Long enough to make guessing dear, short enough not to be waited for.
  static let target = Duration.milliseconds(500)

  /// Whether it is within the bounds of what is read; looked at before anything is allocated.
  var isWithinBounds: Bool { passes <= Self.mostPasses && memory <= Self.mostMemory }

  /// Whether libsodium takes it at all (crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN).
  var isPossible: Bool { passes >= crypto_pwhash_opslimit_min() && memory >= UInt64(crypto_pwhash_memlimit_min()) }

  /// The cost that takes about `target` on a machine where `least` takes `measured`: memory first, which is what makes
  /// guessing by graphics cards dear, then passes.
  static func fitting(_ measured: Duration) -> PassphraseCost {
    let factor = max(1, Self.target / max(measured, .microseconds(1)))
    let budget = factor * Double(least.memory) * Double(least.passes)
    var memory = least.memory
    while memory < mostMemoryMade, Double(2 * memory) * Double(least.passes) <= budget { memory *= 2 }
    let passes = min(Double(mostPasses), max(Double(least.passes), (budget / Double(memory)).rounded()))
    return PassphraseCost(passes: UInt32(passes), memory: memory)
  }
}
