import Glibc
import SystemSupport

/// A directory of private files beside the vault, under the vault's rules: 0700, files 0600
/// with a single hard link, symbolic links not followed, every parent directory owned by the user
/// or root. All calls block on the disk.
package final class PrivateDirectory: Sendable {
  private let folder: CheckedDirectory

  /// Opens the directory. Creates the directory and its parents if they are missing.
  package init(_ path: String) throws(VaultError) {
    folder = try CheckedDirectory(path, .ours, creating: true)
  }

  /// Returns the names of all entries, unordered.
  package func names() throws(VaultError) -> [String] { try folder.names() }

  /// Returns the content of a file.
  ///
  /// - Throws: `.notFound`, `.unsafe`, `.tooLarge` above `limit` bytes, and system errors.
  package func read(_ name: String, upTo limit: Int) throws(VaultError) -> [UInt8] {
    try folder.contents(of: name, limit: limit, refusal: "is too large: move it away")
  }

  /// Appends to a file of `size` bytes, and creates it if `size` is 0. Durable on return. On
  /// failure the file is truncated back to `size`.
  ///
  /// - Throws: `.damaged` if the file has another size, because another program wrote to it;
  ///   `.diskFull` and system errors.
  package func append(_ bytes: [UInt8], to name: String, at size: Int) throws(VaultError) {
    let path = folder.path(of: name)
    let flags = O_WRONLY | O_APPEND | (size == 0 ? O_CREAT : 0)
    let file = try FileCalls.open(name, in: folder.descriptor, flags, path: path)
    defer { FileCalls.close(file) }
    let status = try FileCalls.status(file, path: path)
    try FileRules.requirePrivateFile(status, path)
    guard status.st_size == size else { throw VaultError(.damaged, "\(path) was changed by another program") }
    do throws(VaultError) {
      try bytes.span.withUnsafeBytes { (bytes) throws(VaultError) in
        try FileCalls.writeAll(file, bytes, path: path)
      }
      try FileCalls.sync(file, path: path)
      if size == 0 { try folder.sync() }
    } catch {
      _ = ftruncate(file, off_t(size))
      throw error
    }
  }

  /// Truncates the file to `size` bytes, durably.
  package func cut(_ name: String, to size: Int) throws(VaultError) {
    let path = folder.path(of: name)
    let file = try FileCalls.open(name, in: folder.descriptor, O_WRONLY, path: path)
    defer { FileCalls.close(file) }
    try FileRules.requirePrivateFile(try FileCalls.status(file, path: path), path)
    try FileCalls.cut(file, to: size, path: path)
    try FileCalls.sync(file, path: path)
  }

  /// Removes the file, durably. No error if it does not exist.
  package func remove(_ name: String) throws(VaultError) {
    try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    try folder.sync()
  }
}

/// A temporary file beside its target. Until `replace` or `link` the target is unchanged. A crash
/// leaves a file with `prefix`, which the next process sweeps.
struct StagedFile {
  private let folder: CheckedDirectory
  private let name: String

  private let descriptor: Int32

  /// Writes a new file, 0600, and makes its content durable.
  init(_ bytes: UnsafeRawBufferPointer, in folder: CheckedDirectory, prefix: String) throws(VaultError) {
    try self.init(writing: bytes, in: folder, prefix: prefix)
    try finish()
  }

  /// Writes a new file. Its content is durable after `finish`.
  init(writing bytes: UnsafeRawBufferPointer, in folder: CheckedDirectory, prefix: String) throws(VaultError) {
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

  /// Makes the content durable and closes the file. On error the file is discarded.
  func finish() throws(VaultError) {
    do {
      try FileCalls.sync(descriptor, path: folder.path(of: name))
    } catch {
      abandon()
      throw error
    }
    FileCalls.close(descriptor)
  }

  /// Closes and removes a file that was not finished.
  func abandon() {
    FileCalls.close(descriptor)
    discard()
  }

  /// Renames the file to `target`, replacing an existing file, and syncs the directory. If the sync
  /// fails, `target` may be the old or the new file after a power failure, intact in both cases.
  func replace(_ target: String) throws(VaultError) {
    try rename(to: target)
    try folder.sync()
  }

  /// Renames the file to `target`, replacing an existing file. Durable once the directory is
  /// synced.
  func rename(to target: String) throws(VaultError) {
    do {
      try FileCalls.rename(name, to: target, in: folder.descriptor, path: folder.path(of: target))
    } catch {
      discard()
      throw error
    }
  }

  /// Links the file as `target` unless `target` exists; returns false if it does. The temporary
  /// name remains until a sweep.
  func link(_ target: String) throws(VaultError) -> Bool {
    try FileCalls.link(name, to: target, in: folder.descriptor, path: folder.path(of: target))
  }

  /// Removes the temporary file. If removal fails, the next sweep removes it.
  func discard() {
    try? FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
  }

  /// Removes all temporary files with `prefix` among the files `names` of `folder`.
  static func sweep(_ folder: CheckedDirectory, _ names: [String], prefix: String) throws(VaultError) {
    for name in names where name.hasPrefix(prefix) {
      try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    }
  }
}
