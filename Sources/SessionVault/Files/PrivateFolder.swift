import Glibc
import SystemSupport

/// A folder of private files beside the vault, under the vault's rules (VA-6): 0700, its files 0600 with one name, no link
/// followed, every folder above it the user's or root's. All calls block on the disk.
package final class PrivateFolder: Sendable {
  private let folder: CheckedFolder

  /// Opens the folder; what is missing of it is made.
  package init(_ path: String) throws(VaultError) {
    folder = try CheckedFolder(path, .ours, creating: true)
  }

  /// The names of all that is in it, in no order.
  package func names() throws(VaultError) -> [String] { try folder.names() }

  /// The whole file.
  ///
  /// - Throws: `.notFound`, `.unsafe`, `.tooLarge` for one of more than `limit` bytes, and the system's.
  package func read(_ name: String, upTo limit: Int) throws(VaultError) -> [UInt8] {
    let path = folder.path(of: name)
    return try folder.reading(name) { (file, size) throws(VaultError) in
      guard size <= limit else { throw VaultError(.tooLarge, "\(path) is larger than it can be: move it away") }
      var failure: VaultError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        do throws(VaultError) {
          count = try FileCalls.readAll(file, into: UnsafeMutableRawBufferPointer(buffer), path: path)
        } catch {
          (count, failure) = (0, error)
        }
      }
      if let failure { throw failure }
      return bytes
    }
  }

  /// Appends to a file of `size` bytes, which is made if that is 0; durable when it returns, and cut back to `size` where
  /// that fails.
  ///
  /// - Throws: `.damaged` for a file of another size: somebody else wrote to it. `.diskFull` and the system's.
  package func append(_ bytes: [UInt8], to name: String, at size: Int) throws(VaultError) {
    let path = folder.path(of: name)
    let flags = O_WRONLY | O_APPEND | (size == 0 ? O_CREAT : 0)
    let file = try FileCalls.open(name, in: folder.descriptor, flags, path: path)
    defer { FileCalls.close(file) }
    let status = try FileCalls.status(file, path: path)
    try FileRules.requirePrivateFile(status, path)
    guard status.st_size == size else { throw VaultError(.damaged, "\(path) was changed by another program") }
    do throws(VaultError) {
      try Self.write(bytes, to: file, path: path)
      try FileCalls.sync(file, path: path)
      if size == 0 { try folder.sync() }
    } catch {
      _ = ftruncate(file, off_t(size))
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, path: String) throws(VaultError) {
    // Typed errors do not pass through `withUnsafeBytes`.
    let result: Result<Void, VaultError> = bytes.withUnsafeBytes { bytes in
      do throws(VaultError) {
        return .success(try FileCalls.writeAll(file, bytes, path: path))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Cuts the file to `size` bytes, durably.
  package func cut(_ name: String, to size: Int) throws(VaultError) {
    let path = folder.path(of: name)
    let file = try FileCalls.open(name, in: folder.descriptor, O_WRONLY, path: path)
    defer { FileCalls.close(file) }
    try FileRules.requirePrivateFile(try FileCalls.status(file, path: path), path)
    try FileCalls.cut(file, to: size, path: path)
    try FileCalls.sync(file, path: path)
  }

  /// Removes the file, durably; one that is not there is no error.
  package func remove(_ name: String) throws(VaultError) {
    try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    try folder.sync()
  }
}

/// Bytes that are durable under a name of their own, beside the file that they are to become. Until `replace` or `link` the target is as
/// it was; whoever dies in between leaves a file with `prefix`, to be swept by the next one.
struct StagedFile {
  private let folder: CheckedFolder
  private let name: String

  private let descriptor: Int32

  /// Writes a new file, 0600, and makes its content durable.
  init(_ bytes: UnsafeRawBufferPointer, in folder: CheckedFolder, prefix: String) throws(VaultError) {
    try self.init(writing: bytes, in: folder, prefix: prefix)
    try finish()
  }

  /// Writes a new file; its content is durable after `finish`.
  init(writing bytes: UnsafeRawBufferPointer, in folder: CheckedFolder, prefix: String) throws(VaultError) {
    self.folder = folder
    name = prefix + Sodium.random(8).hexadecimal
    descriptor = try FileCalls.open(
      name, in: folder.descriptor, O_WRONLY | O_CREAT | O_EXCL, path: folder.path(of: name))
    do {
      try FileCalls.writeAll(descriptor, bytes, path: folder.path(of: name))
    } catch {
      abandon()
      throw error
    }
  }

  /// Makes the content durable and closes the file; an error discards it.
  func finish() throws(VaultError) {
    do {
      try FileCalls.sync(descriptor, path: folder.path(of: name))
    } catch {
      abandon()
      throw error
    }
    FileCalls.close(descriptor)
  }

  /// Discards a file that was not finished.
  func abandon() {
    FileCalls.close(descriptor)
    discard()
  }

  /// Becomes `target`, in place of what is there. On an error that comes after the renaming (fsync of the folder), `target`
  /// may be the old or the new file after a power cut, whole in both cases.
  func replace(_ target: String) throws(VaultError) {
    try rename(to: target)
    try folder.sync()
  }

  /// Becomes `target`, in place of what is there; durable when the folder is.
  func rename(to target: String) throws(VaultError) {
    do {
      try FileCalls.rename(name, to: target, in: folder.descriptor, path: folder.path(of: target))
    } catch {
      discard()
      throw error
    }
  }

  /// Becomes `target` if there is none yet; false if there is one. The name of its own stays, to be swept.
  func link(_ target: String) throws(VaultError) -> Bool {
    try FileCalls.link(name, to: target, in: folder.descriptor, path: folder.path(of: target))
  }

  /// Removes what was staged; a failure leaves it for the next sweep.
  func discard() {
    try? FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
  }

  /// Removes everything that was staged in `folder` under `prefix` and never became a file.
  static func sweep(_ folder: CheckedFolder, prefix: String) throws(VaultError) {
    for name in try folder.names() where name.hasPrefix(prefix) {
      try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    }
  }
}
