import AgentProtocol
package import FoundationEssentials
import Glibc
import SystemSupport

/// A small file in the state directory, not secret but private to the user: mode 0600, replaced as
/// a whole, durable when `write` returns. All calls block on the disk.
package struct PrivateFile: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  var name: String { String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]) }

  /// Maximum size that is read, in bytes: the names of several thousand accounts.
  private static let limit = 256 * 1024

  /// The file's bytes. Nil if there is no file, it is too large, or another user could have written
  /// it.
  func read() -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IWGRP | S_IWOTH) == 0, (0...Self.limit).contains(Int(status.st_size))
    else { return nil }
    return (try? Descriptor.readAll(descriptor, limit: Self.limit)).map { Data($0) }
  }

  /// True if anything exists at the path.
  package var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  package func write(_ bytes: Data) throws(PrivateFileError) {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFileError(path: path, number: errno) }
    defer { close(descriptor) }
    do { try Descriptor.writeAll(descriptor, Array(bytes)) } catch {
      throw PrivateFileError(path: path, number: error.errno)
    }
    guard fsync(descriptor) == 0, rename(new, path) == 0 else { throw PrivateFileError(path: path, number: errno) }
    try syncFolder()
  }

  /// Removes the file, durably on return. Succeeds if there is none.
  package func remove() throws(PrivateFileError) {
    guard unlink(path) == 0 else {
      if errno == ENOENT { return }
      throw PrivateFileError(path: path, number: errno)
    }
    try syncFolder()
  }

  /// A directory entry is durable only after an fsync of the directory (fsync(2)).
  private func syncFolder() throws(PrivateFileError) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let folder = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw PrivateFileError(path: path, number: errno) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw PrivateFileError(path: path, number: errno) }
  }
}

/// A failed write or removal. Equal by `number`.
package struct PrivateFileError: Error, Equatable, CustomStringConvertible {
  let path: String
  /// The errno(3) value.
  let number: Int32

  package var description: String { "\(ForeignText.shown(path)): \(errorDescription(number))" }

  package static func == (left: PrivateFileError, right: PrivateFileError) -> Bool { left.number == right.number }
}
