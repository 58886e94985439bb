public import SessionVault
import Synchronization

/// A vault's files in memory, with writes that fail on request, for tests of code that uses a
/// vault.
public final class MemoryStorage: VaultStorage {
  private struct State {
    var files: [String: [UInt8]] = [:] {
      didSet { snapshots?.append(files) }
    }
    /// The files after each change; nil if they are not recorded.
    var snapshots: [[String: [UInt8]]]?
    var acquired = false
    var writeCount = 0
    var reads: [String] = []
    var nextFailures: [VaultError.Code] = []
    var lastingFailure: VaultError.Code?
    var readFailure: VaultError.Code?
    var afterNextRemoval: (@Sendable () -> VaultError.Code?)?
    var beforeWrite: (skip: Int, body: @Sendable () -> VaultError.Code?)?

    /// Takes what is to be called before the next write.
    mutating func takeBeforeWrite() -> (@Sendable () -> VaultError.Code?)? {
      guard let next = beforeWrite else { return nil }
      beforeWrite = next.skip > 0 ? (next.skip - 1, next.body) : nil
      return next.skip > 0 ? nil : next.body
    }
  }

  private let state = Mutex(State())

  /// The constant "memory".
  public let place = "memory"

  /// Creates an empty storage.
  public init() {}

  /// All files by name. They may be changed at any time, as by a program with access to the disk.
  public var files: [String: [UInt8]] {
    get { state.withLock { $0.files } }
    set { state.withLock { $0.files = newValue } }
  }

  /// The number of completed writes.
  public var writeCount: Int { state.withLock { $0.writeCount } }

  /// The files that were read, in that order. May be cleared.
  public var reads: [String] {
    get { state.withLock { $0.reads } }
    set { state.withLock { $0.reads = newValue } }
  }

  /// Returns the files after each change that `body` makes: what a crash could leave.
  public func snapshots(during body: () async throws -> Void) async rethrows -> [[String: [UInt8]]] {
    state.withLock { $0.snapshots = [$0.files] }
    try await body()
    return state.withLock { state in
      defer { state.snapshots = nil }
      return state.snapshots ?? []
    }
  }

  /// Makes one write fail before it changes anything. A second call makes the following write fail
  /// as well.
  public func failNextWrite(with code: VaultError.Code) { state.withLock { $0.nextFailures.append(code) } }

  /// Makes every write fail, until called with nil.
  public func failWrites(with code: VaultError.Code?) { state.withLock { $0.lastingFailure = code } }

  /// Makes every read of a record fail, until called with nil.
  public func failReads(with code: VaultError.Code?) { state.withLock { $0.readFailure = code } }

  /// Calls `body` after the next removal of a file, on the thread that removed it. A code that it
  /// returns makes the removal fail, as if the directory could not be synced.
  public func afterNextRemoval(_ body: @escaping @Sendable () -> VaultError.Code?) {
    state.withLock { $0.afterNextRemoval = body }
  }

  /// Calls `body` before one write, on the thread that writes, which may be held there. A code that it
  /// returns makes that write fail before it changes anything. The first `skip` writes pass.
  public func beforeWrite(skipping skip: Int = 0, _ body: @escaping @Sendable () -> VaultError.Code?) {
    state.withLock { $0.beforeWrite = (skip, body) }
  }

  /// Acquires the storage.
  /// - Throws: `.inUse` if it is already acquired.
  public func acquire() throws(VaultError) {
    try state.withLock { (state) throws(VaultError) in
      if state.acquired { throw VaultError(.inUse, "memory is in use by another vault") }
      state.acquired = true
    }
  }

  /// Releases the storage for another vault.
  public func release() { state.withLock { $0.acquired = false } }

  /// The names of all files.
  public func list() -> [String] { state.withLock { Array($0.files.keys) } }

  /// Returns a file's bytes.
  /// - Throws: `.notFound` if the file does not exist.
  public func read(_ file: String) throws(VaultError) -> [UInt8] {
    let (bytes, failure) = state.withLock { state in
      state.reads.append(file)
      return (state.files[file], file.contains(".record") ? state.readFailure : nil)
    }
    if let failure { throw VaultError(failure, "\(file): refused by the test") }
    guard let bytes else {
      throw VaultError(.notFound, "\(file): there is no such file")
    }
    return bytes
  }

  /// Stores the bytes in every copy of the file, or fails as requested.
  public func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    if let code = state.withLock({ $0.takeBeforeWrite() })?() {
      throw VaultError(code, "\(file): this write was made to fail")
    }
    try state.withLock { (state) throws(VaultError) in
      let next = state.nextFailures.isEmpty ? nil : state.nextFailures.removeFirst()
      if let code = next ?? state.lastingFailure {
        throw VaultError(code, "\(file): this write was made to fail")
      }
      for copy in DoubledFile.copies(of: file) { state.files[copy] = bytes }
      state.writeCount += 1
    }
  }

  /// Stores the bytes as one copy, or fails while every write is made to fail.
  public func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) {
    try state.withLock { (state) throws(VaultError) in
      if let code = state.lastingFailure { throw VaultError(code, "\(copy): this write was made to fail") }
      state.files[copy] = bytes
    }
  }

  /// Removes both copies of the file, then fails if requested.
  public func remove(_ file: String) throws(VaultError) {
    let body = state.withLock { state in
      for copy in DoubledFile.copies(of: file) { state.files[copy] = nil }
      defer { state.afterNextRemoval = nil }
      return state.afterNextRemoval
    }
    if let code = body?() { throw VaultError(code, "\(file): this removal was made to fail") }
  }

  /// Renames the copy and returns its new name.
  /// - Throws: `.notFound` if the copy does not exist.
  public func setAside(_ file: String) throws(VaultError) -> String {
    try state.withLock { (state) throws(VaultError) in
      guard state.files[file] != nil else { throw VaultError(.notFound, "\(file): there is no such file") }
      var number = 1
      while state.files[VaultFormat.asideName(file, number)] != nil { number += 1 }
      let name = VaultFormat.asideName(file, number)
      state.files[name] = state.files.removeValue(forKey: file)
      return name
    }
  }
}
