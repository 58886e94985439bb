import Glibc

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
