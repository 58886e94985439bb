import SessionVault
import Synchronization
import TestKit

/// Whether a process is alive. A dead process has no effect on anything.
final class ProcessLifetime: Sendable {
  private let dead = Atomic(false)
  var isOver: Bool { dead.load(ordering: .sequentiallyConsistent) }
  func end() { dead.store(true, ordering: .sequentiallyConsistent) }
}

/// The disk as one process sees it: writes that fail before or after they happened, and a write at
/// which the process dies. The content is in `files`, which outlives the process.
final class SimulatedDisk: VaultStorage {
  enum WriteFault: Sendable, Equatable {
    case works
    /// Every write fails: after it happened if `after`, otherwise before.
    case fails(VaultError.Code, after: Bool)
    /// The write that follows `writes` others fails, and the next ones work.
    case failsOnce(writes: Int, VaultError.Code, after: Bool)
    /// The process dies at the write that follows `writes` others, before or after that write
    /// happened.
    case kills(writes: Int, after: Bool)
  }

  fileprivate struct State: Sendable {
    var weather = WriteFault.works
    var failures = 0
    var storedFailures = 0
    var changed: Set<String> = []
    var lastRead: String?
  }

  private let files: MemoryStorage
  private let life: ProcessLifetime
  private let state = Mutex(State())

  init(_ files: MemoryStorage, life: ProcessLifetime) {
    self.files = files
    self.life = life
  }

  let place = "simulated"

  var weather: WriteFault {
    get { state.withLock { $0.weather } }
    set { state.withLock { $0.weather = newValue } }
  }

  /// The number of failed writes.
  var failures: Int { state.withLock { $0.failures } }
  /// The number of failed writes that had happened.
  var storedFailures: Int { state.withLock { $0.storedFailures } }

  /// Returns the files that have or may have changed since the last call.
  func takeChanged() -> Set<String> {
    state.withLock { state in
      defer { state.changed = [] }
      return state.changed
    }
  }

  /// The file that was read last, by its first copy (without `.2`): writes name the first copy as
  /// well.
  var lastRead: String? { state.withLock { $0.lastRead } }

  func acquire() throws(VaultError) { try files.acquire() }
  func release() { files.release() }
  func list() throws(VaultError) -> [String] { files.list() }

  func read(_ file: String) throws(VaultError) -> [UInt8] {
    guard !life.isOver else { throw Self.gone }
    if !file.hasSuffix(".2") { state.withLock { $0.lastRead = file } }
    return try files.read(file)
  }

  func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    try change(file) { () throws(VaultError) in try files.write(bytes, to: file) }
  }

  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) {
    try change(copy) { () throws(VaultError) in try files.restore(bytes, to: copy) }
  }

  func remove(_ file: String) throws(VaultError) {
    try change(file) { () throws(VaultError) in try files.remove(file) }
  }

  func setAside(_ file: String) throws(VaultError) -> String { try files.setAside(file) }

  private static let gone = VaultError(.io, "the process is dead")

  private func change(_ file: String, _ happen: () throws(VaultError) -> Void) throws(VaultError) {
    guard !life.isOver else { throw Self.gone }
    let fault = state.withLock { $0.fault(of: file) }
    switch fault {
    case .works: try happen()
    case .fails(let code, let after), .failsOnce(_, let code, let after):
      state.withLock { state in
        state.failures += 1
        if after { state.storedFailures += 1 }
      }
      if after { try happen() }
      throw VaultError(code, "this write was made to fail")
    case .kills(_, let after):
      if after { try happen() }
      life.end()
      throw Self.gone
    }
  }
}

extension SimulatedDisk.State {
  /// Returns the outcome of the next write.
  fileprivate mutating func fault(of file: String) -> SimulatedDisk.WriteFault {
    changed.insert(file)
    switch weather {
    case .works, .fails: return weather
    case .kills(let writes, let after):
      guard writes > 0 else { return weather }
      weather = .kills(writes: writes - 1, after: after)
      return .works
    case .failsOnce(let writes, let code, let after):
      weather = writes > 0 ? .failsOnce(writes: writes - 1, code, after: after) : .works
      return writes > 0 ? .works : .failsOnce(writes: 0, code, after: after)
    }
  }
}
