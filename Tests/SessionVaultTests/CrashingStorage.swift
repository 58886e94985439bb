import Glibc
import Synchronization
import TestKit

@testable import SessionVault

/// A storage that simulates a crash of the process, or one disk failure, at the change after a
/// number of `changes`, before, within or after that change.
final class CrashingStorage: VaultStorage {
  private struct State {
    var left: Int
    var isDead = false
  }

  let place = "dying"
  private let memory: MemoryStorage
  /// The part of the failing change that takes effect.
  enum Part: Sendable, CaseIterable {
    case nothing
    /// A write has replaced the first copy, or a removal has removed the second copy.
    case half
    case all
  }

  private let part: Part
  private let failsOnce: Bool
  private let state: Mutex<State>

  init(_ memory: MemoryStorage, after changes: Int, _ part: Part, failsOnce: Bool = false) {
    self.memory = memory
    self.part = part
    self.failsOnce = failsOnce
    state = Mutex(State(left: changes))
  }

  /// True once the failure has happened.
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
    try changing { () throws(VaultError) in
      try memory.write(bytes, to: file)
    } half: { () throws(VaultError) in
      try memory.restore(bytes, to: file)
    }
  }
  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) {
    try changing { () throws(VaultError) in try memory.restore(bytes, to: copy) }
  }
  func remove(_ file: String) throws(VaultError) {
    try changing { () throws(VaultError) in
      try memory.remove(file)
    } half: { () throws(VaultError) in
      try memory.remove(DoubledFile.second(of: file))
    }
  }
  func setAside(_ file: String) throws(VaultError) -> String {
    try changing { () throws(VaultError) in try memory.setAside(file) }
  }

  private func requireLife() throws(VaultError) {
    if state.withLock({ $0.isDead }) { throw VaultError(.io, "dead") }
  }

  private func changing<Result>(
    _ change: () throws(VaultError) -> Result, half: () throws(VaultError) -> Void = {}
  ) throws(VaultError) -> Result {
    try requireLife()
    let fails = state.withLock { state in
      state.left -= 1
      if state.left == -1, !failsOnce { state.isDead = true }
      return state.left == -1
    }
    guard fails else { return try change() }
    switch part {
    case .nothing: break
    case .half: try half()
    case .all: _ = try change()
    }
    throw VaultError(.io, "this change was made to fail")
  }
}

/// A memory storage with additional faults.
final class FaultyStorage: VaultStorage {
  /// Writes succeed but report a failure, as if the fsync of the directory had failed.
  let failsAfterWriting = Atomic(false)
  /// Records cannot be read, as with a bad block.
  let failsReadingRecords = Atomic(false)
  /// The next removal of a file fails.
  let failsNextRemoving = Atomic(false)
  let place = "faulty"
  private let memory: MemoryStorage

  init(_ memory: MemoryStorage) { self.memory = memory }

  func acquire() throws(VaultError) { try memory.acquire() }
  func release() { memory.release() }
  func list() throws(VaultError) -> [String] { memory.list() }
  func read(_ file: String) throws(VaultError) -> [UInt8] {
    if VaultFormat.isRecord(DoubledFile.name(of: file)), failsReadingRecords.load(ordering: .relaxed) {
      throw VaultError(.io, "read")
    }
    return try memory.read(file)
  }
  func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    try memory.write(bytes, to: file)
    if failsAfterWriting.load(ordering: .relaxed) { throw VaultError(.io, "fsync") }
  }
  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) { try memory.restore(bytes, to: copy) }
  func remove(_ file: String) throws(VaultError) {
    if failsNextRemoving.exchange(false, ordering: .relaxed) { throw VaultError(.io, "unlink") }
    try memory.remove(file)
  }
  func setAside(_ file: String) throws(VaultError) -> String { try memory.setAside(file) }
}

/// Records observations in order. Thread-safe.
final class Recorder: Sendable {
  private let seen = Mutex<[String]>([])

  var words: [String] { seen.withLock { $0 } }

  func append(_ word: String) { seen.withLock { $0.append(word) } }
}

func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
