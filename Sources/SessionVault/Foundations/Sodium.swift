import CSodium
import Glibc
import Synchronization
public import SystemSupport

/// The libsodium functions that the vault uses. No other code in the module calls libsodium's
/// cryptography.
enum Sodium {
  /// False if this machine has no swap (proc_swaps(5)), so that memory stays in RAM without a lock.
  static var hasSwap: Bool {
    // The first line names the columns.
    Descriptor.contents(of: "/proc/swaps").map { $0.count { $0 == UInt8(ascii: "\n") } > 1 } ?? true
  }

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

  /// Initializes libsodium. Must be called before any other function.
  ///
  /// - Throws: `.io` if the system provides no random numbers.
  static func start() throws(VaultError) {
    guard started >= 0 else {
      throw VaultError(.io, "libsodium cannot start: no random numbers available")
    }
  }

  /// Random bytes, for nonces and identifiers.
  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// Derives a key for one purpose with crypto_kdf_derive_from_key, in guarded memory.
  static func subkey(_ purpose: KeyPurpose, of key: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: keyLength) { (subkey) throws(VaultError) in
      let result = key.withBytes { master in
        // BLAKE2b leaves its result on the stack, in some hundred bytes of frames.
        defer { sodium_stackzero(4096) }
        return crypto_kdf_derive_from_key(
          subkey.bytes, subkey.count, purpose.number, purpose.context.map(CChar.init(bitPattern:)), master.bytes)
      }
      guard result == 0 else { throw VaultError(.io, "libsodium failed to derive a key") }
    }
  }

  /// Returns the BLAKE2b-256 hash of `bytes`, keyed if `key` is given.
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

  /// Returns the BLAKE2b-256 hash of a secret, in guarded memory. Turns a secret of any length into
  /// a key.
  static func hash(_ secret: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: hashLength) { digest in
      secret.withBytes { bytes in
        _ = crypto_generichash(digest.bytes, digest.count, bytes.bytes, UInt64(bytes.count), nil, 0)
      }
    }
  }

  /// Derives a key with crypto_pwhash (Argon2id). Blocks, and allocates memory, according to
  /// `cost`.
  ///
  /// - Throws: `.io` if the system has too little memory.
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
          .io, "not enough memory for a passphrase: it needs \(cost.memory >> 20) MiB; free some, or raise MemoryMax=")
      }
    }
  }

  /// Seals in place: the plaintext, all but the last 16 bytes, becomes ciphertext; the last 16
  /// bytes become the tag.
  static func seal(
    _ buffer: UnsafeMutableRawBufferPointer, nonce: [UInt8], context: [UInt8], key: SecretBytes
  ) {
    key.withBytes { key in
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        buffer.bytes, nil, buffer.bytes, UInt64(buffer.count - tagLength),
        context, UInt64(context.count), nil, nonce, key.bytes)
    }
  }

  /// Opens `sealed` into `plaintext`, which may be the same memory. Returns false if the bytes, the
  /// nonce, the context or the key differ from those used to seal.
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

  /// Overwrites `bytes` with zeros; the compiler does not optimize this away.
  static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { sodium_memzero(start, $0.count) } }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The start of the buffer, typed for libsodium. Traps if the buffer has no base address.
  var bytes: UnsafeMutablePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeRawBufferPointer {
  /// The start of the buffer, typed for libsodium. Traps if the buffer has no base address.
  var bytes: UnsafePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

/// A secret in libsodium's guarded memory (sodium_malloc): surrounded by guard pages, locked into
/// RAM if the system allows it, excluded from core dumps, unreadable except while `withBytes` runs,
/// and wiped when the last reference is released. Its descriptions are redacted.
///
/// Thread-safe; accesses may overlap and nest.
public final class SecretBytes: Sendable, Redacted {
  /// The number of bytes; not secret.
  public let count: Int
  /// Why the memory is not locked: the errno of mlock(2); nil if it is. Beyond RLIMIT_MEMLOCK
  /// sodium_malloc silently returns memory that can be swapped out, so a separate sodium_mlock call
  /// determines this value.
  public let lockError: Int32?
  /// True if the memory is locked.
  public var isLocked: Bool { lockError == nil }
  /// Not mutated after `init`; the bytes are read only between the two changes of `readers`.
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  /// The number of running accesses. The memory is readable while it is not 0.
  private let readers = Mutex(0)

  /// Creates a secret of `count` bytes, at minimum one. `fill` writes directly into the guarded
  /// memory.
  public init(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(VaultError) -> Void
  ) throws(VaultError) {
    precondition(count > 0, "an empty secret has no memory to guard")
    try Sodium.start()
    guard let start = sodium_malloc(count) else {
      throw VaultError(.io, "not enough locked memory for a secret of \(count) bytes")
    }
    do {
      try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    } catch {
      sodium_free(start)
      throw error
    }
    self.count = count
    lockError = sodium_mlock(start, count) == 0 ? nil : errno
    self.start = start
    Self.require(sodium_mprotect_noaccess(start))
  }

  static func random(count: Int) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: count) { randombytes_buf($0.bytes, $0.count) }
  }

  deinit {
    // sodium_free makes the pages writable, wipes and unlocks them.
    sodium_free(start)
  }

  /// Calls `body` with the secret. The pointer is valid only until `body` returns. Accesses within
  /// `body` cost no system call.
  public func withBytes<Result: Sendable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    readers.withLock { readers in
      if readers == 0 { Self.require(sodium_mprotect_readonly(start)) }
      readers += 1
    }
    defer {
      readers.withLock { readers in
        readers -= 1
        if readers == 0 { Self.require(sodium_mprotect_noaccess(start)) }
      }
    }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns whether both secrets are equal, in constant time (sodium_memcmp).
  func isEqual(to other: SecretBytes) -> Bool {
    guard count == other.count, self !== other else { return self === other }
    return withBytes { own in other.withBytes { sodium_memcmp(own.bytes, $0.bytes, own.count) == 0 } }
  }

  /// mprotect(2) on our own pages fails only if the kernel has no memory for its tables. Continuing
  /// would cause a segmentation fault on the next read.
  private static func require(_ result: Int32) {
    precondition(result == 0, "mprotect of guarded memory failed")
  }
}

/// The purpose of a derived key, identified by crypto_kdf's context and subkey number.
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
  /// From the key file's key: wraps the master key.
  static let keyFileWrap = KeyPurpose(context: Array("RitKeyFl".utf8), number: 1)
  /// From the Argon2id hash of a passphrase: wraps the master key.
  static let passphraseWrap = KeyPurpose(context: Array("RitPassw".utf8), number: 1)
  /// From the hash of a credential: wraps the master key.
  static let credentialWrap = KeyPurpose(context: Array("RitCredn".utf8), number: 1)
}

/// The cost of one Argon2id derivation. Its time grows with passes × memory; the memory is
/// allocated while the derivation runs.
public struct PassphraseCost: Sendable, Equatable {
  /// The number of passes over the memory (libsodium's opslimit).
  public let passes: UInt32
  /// The memory in bytes (libsodium's memlimit).
  public let memory: UInt64

  /// crypto_pwhash_ALG_ARGON2ID13 (RFC 9106, version 0x13, one lane).
  static let algorithm: UInt8 = 2

  /// The minimum cost of a new slot: libsodium's INTERACTIVE, about 50 ms on a desktop.
  static let minimum = PassphraseCost(passes: 2, memory: 64 << 20)
  /// The maximum memory of a new slot: libsodium's MODERATE. With more, small machines could not
  /// open the vault; additional time is spent on passes.
  static let maxNewMemory: UInt64 = 256 << 20
  /// The maximum accepted from a header: a forged header must not exhaust memory (1 GiB:
  /// libsodium's SENSITIVE) or take minutes.
  static let maxMemory: UInt64 = 1 << 30
  static let maxPasses: UInt32 = 10
  /// The target time of a derivation: long enough to make guessing expensive, short enough for
  /// interactive use.
  static let target = Duration.milliseconds(500)

  /// True if the cost is within the maximum accepted from a header. Checked before any allocation.
  var isWithinBounds: Bool { passes <= Self.maxPasses && memory <= Self.maxMemory }

  /// True if the cost reaches libsodium's minimum (crypto_pwhash_OPSLIMIT_MIN,
  /// crypto_pwhash_MEMLIMIT_MIN).
  var isPossible: Bool { passes >= crypto_pwhash_opslimit_min() && memory >= UInt64(crypto_pwhash_memlimit_min()) }

  /// Returns the cost that takes about `target` on a machine where `minimum` takes `measured`. Raises
  /// the memory first, which makes guessing on graphics cards expensive, then the passes.
  static func fitting(_ measured: Duration) -> PassphraseCost {
    let factor = max(1, Self.target / max(measured, .microseconds(1)))
    let budget = factor * Double(minimum.memory) * Double(minimum.passes)
    var memory = minimum.memory
    while memory < maxNewMemory, Double(2 * memory) * Double(minimum.passes) <= budget { memory *= 2 }
    let passes = min(Double(maxPasses), max(Double(minimum.passes), (budget / Double(memory)).rounded()))
    return PassphraseCost(passes: UInt32(passes), memory: memory)
  }
}
