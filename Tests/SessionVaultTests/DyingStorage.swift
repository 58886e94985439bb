import Synchronization

@testable import SessionVault

/// A storage whose process dies, or whose disk fails once, at the change after so many: before it happened or after.
final class DyingStorage: VaultStorage {
  private struct State {
    var left: Int
    var isDead = false
  }

  let place = "dying"
  private let memory: MemoryStorage
  private let happens: Bool
  private let failsOnce: Bool
  private let state: Mutex<State>

  init(_ memory: MemoryStorage, after changes: Int, happens: Bool, failsOnce: Bool = false) {
    self.memory = memory
    self.happens = happens
    self.failsOnce = failsOnce
    state = Mutex(State(left: changes))
  }

  /// Whether it came to that.
  var isSpent: Bool { state.withLock { $0.left < 0 } }

  func acquire() throws(VaultError) { try memory.acquire() }
  func release() { memory.release() }
  func list() throws(VaultError) -> [String] {
    try requireLife()
    return memory.list()
  }
  func read(_ file: String) throws(VaultError) -> [UInt8] {
    try requireLife()
    return try memory.read(file)
  }
  func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    try changing { () throws(VaultError) in try memory.write(bytes, to: file) }
  }
  func remove(_ file: String) throws(VaultError) { try changing { memory.remove(file) } }
  func setAside(_ file: String) throws(VaultError) -> String {
    try changing { memory.setAside(file) }
  }

  private func requireLife() throws(VaultError) {
    if state.withLock({ $0.isDead }) { throw VaultError(.io, "dead") }
  }

  private func changing<Result>(_ change: () throws(VaultError) -> Result) throws(VaultError) -> Result {
    try requireLife()
    let fails = state.withLock { state in
      state.left -= 1
      if state.left == -1, !failsOnce { state.isDead = true }
      return state.left == -1
    }
    guard fails else { return try change() }
    if happens { _ = try change() }
    throw VaultError(.io, "this change was made to fail")
  }
}
