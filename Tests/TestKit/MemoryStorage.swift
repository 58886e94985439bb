public import SessionVault
import Synchronization

/// A vault's files in memory, with writes that fail on request: for tests of whatever uses a vault.
public final class MemoryStorage: VaultStorage {
  private struct State {
    var files: [String: [UInt8]] = [:]
    var acquired = false
    var writeCount = 0
    var nextFailures: [VaultError.Code] = []
    var lastingFailure: VaultError.Code?
  }

  private let state = Mutex(State())

  /// "memory".
  public let place = "memory"

  /// An empty storage.
  public init() {}

  /// All files by name; may be changed at any time, as somebody with access to the disk could.
  public var files: [String: [UInt8]] {
    get { state.withLock { $0.files } }
    set { state.withLock { $0.files = newValue } }
  }

  /// How many writes were finished.
  public var writeCount: Int { state.withLock { $0.writeCount } }

  /// Lets one write fail, before it changes anything; called twice, the next two.
  public func failNextWrite(with code: VaultError.Code) { state.withLock { $0.nextFailures.append(code) } }

  /// Lets every write fail, until called with nil.
  public func failWrites(with code: VaultError.Code?) { state.withLock { $0.lastingFailure = code } }

  /// Takes the storage; `.inUse` if it is taken.
  public func acquire() throws(VaultError) {
    try state.withLock { (state) throws(VaultError) in
      if state.acquired { throw VaultError(.inUse, "memory is in use by another vault") }
      state.acquired = true
    }
  }

  /// Lets another vault have it.
  public func release() { state.withLock { $0.acquired = false } }

  /// The names of all files.
  public func list() -> [String] { state.withLock { Array($0.files.keys) } }

  /// A file's bytes.
  public func read(_ file: String) throws(VaultError) -> [UInt8] {
    guard let bytes = state.withLock({ $0.files[file] }) else {
      throw VaultError(.notFound, "\(file): there is no such file")
    }
    return bytes
  }

  /// Keeps the bytes, or fails as asked for.
  public func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    try state.withLock { (state) throws(VaultError) in
      let next = state.nextFailures.isEmpty ? nil : state.nextFailures.removeFirst()
      if let code = next ?? state.lastingFailure {
        throw VaultError(code, "\(file): this write was made to fail")
      }
      for copy in DoubledFile.copies(of: file) { state.files[copy] = bytes }
      state.writeCount += 1
    }
  }

  /// Keeps the bytes as one copy, or fails as every write does.
  public func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) {
    try state.withLock { (state) throws(VaultError) in
      if let code = state.lastingFailure { throw VaultError(code, "\(copy): this write was made to fail") }
      state.files[copy] = bytes
    }
  }

  /// Forgets both copies.
  public func remove(_ file: String) {
    state.withLock { state in for copy in DoubledFile.copies(of: file) { state.files[copy] = nil } }
  }

  /// Renames the copy.
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
