import Synchronization
import TestKit

@testable import SessionVault

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
