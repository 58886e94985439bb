import CSodium
import Synchronization

/// A secret in libsodium's guarded memory (sodium_malloc): between guard pages, locked into RAM where the system allows it, not
/// in core dumps, unreadable except while `withBytes` runs, and wiped when the last reference goes. Prints redacted.
///
/// Safe to use from several threads; they take turns.
public final class SecretBytes: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
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

  /// The length alone.
  public var description: String { "SecretBytes(\(count) bytes, redacted)" }
  /// The length alone.
  public var debugDescription: String { description }
  /// No children: `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// mprotect(2) on our own pages fails only when the kernel has no memory left for its tables: to go on would be to read a fault.
  private static func require(_ result: Int32) {
    precondition(result == 0, "mprotect of guarded memory failed")
  }
}
