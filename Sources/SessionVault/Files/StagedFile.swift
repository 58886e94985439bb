import Glibc
import SystemSupport

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
