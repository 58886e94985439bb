import Glibc
import SystemSupport

extension VaultError {
  /// Maps an errno to a `VaultError`, the only place that does. `path` is the object of the call
  /// (open(2), write(2), rename(2)).
  init(_ error: SystemCallError, at path: String) {
    let words = errorDescription(error.errno)
    let (code, message): (Code, String) =
      switch error.errno {
      case ENOSPC, EDQUOT: (.diskFull, "no space left on the device: free some space, then try again")
      case EACCES, EPERM: (.noPermission, "permission denied: check its owner and mode")
      case EROFS: (.readOnly, "the file system is read-only: remount it, or choose another directory")
      case ENOENT: (.notFound, "no such file or directory")
      case ELOOP: (.unsafe, "is a symbolic link: replace it with the real file")
      case EWOULDBLOCK: (.inUse, "another process has it open: stop that process first")
      case EMFILE: (.io, "\(words): raise the limit of open files (ulimit -n, or LimitNOFILE= of the unit)")
      case ENFILE: (.io, "\(words): close other programs, or raise the sysctl fs.file-max")
      case ENOLCK, EOPNOTSUPP: (.io, "\(words): use a directory on a file system with flock(2), such as a local disk")
      default: (.io, words)
      }
    self.init(code, "\(path): \(message)", cause: error)
  }
}

/// The file system calls. Interrupted calls are repeated; an errno becomes a `VaultError` that
/// names `path`, which calls that are made for each file evaluate only then.
enum FileCalls {
  /// openat(2), always close-on-exec, never following a symbolic link, never blocking on a FIFO.
  static func open(
    _ name: String, in folder: Int32, _ flags: Int32, path: @autoclosure () -> String
  ) throws(VaultError) -> Int32 {
    try call("openat", path()) { openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
  }

  /// close(2). Not repeated on EINTR, because Linux has already released the descriptor.
  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// fstat(2).
  static func status(_ descriptor: Int32, path: @autoclosure () -> String) throws(VaultError) -> stat {
    var status = stat()
    try call("fstat", path()) { fstat(descriptor, &status) }
    return status
  }

  /// fstatat(2) without following a symbolic link.
  static func status(
    of name: String, in folder: Int32, path: @autoclosure () -> String
  ) throws(VaultError) -> stat {
    var status = stat()
    try call("fstatat", path()) { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
    return status
  }

  /// read(2) until `buffer` is full or the file ends. Returns the number of bytes read.
  static func readAll(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, path: @autoclosure () -> String
  ) throws(VaultError) -> Int {
    try translated(path()) { () throws(SystemCallError) in try Descriptor.readAll(descriptor, into: buffer) }
  }

  /// write(2) until all bytes are written; continues after a short write.
  static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, path: String
  ) throws(VaultError) {
    try translated(path) { () throws(SystemCallError) in try Descriptor.writeAll(descriptor, bytes) }
  }

  /// ftruncate(2).
  static func cut(_ descriptor: Int32, to size: Int, path: String) throws(VaultError) {
    try call("ftruncate", path) { ftruncate(descriptor, off_t(size)) }
  }

  /// fsync(2) of a file, or of a directory, which makes names durable.
  static func sync(_ descriptor: Int32, path: String) throws(VaultError) {
    try call("fsync", path) { fsync(descriptor) }
  }

  /// renameat(2) within one directory. Atomic: the result is the new name or the old state.
  static func rename(_ old: String, to new: String, in folder: Int32, path: String) throws(VaultError) {
    try call("renameat", path) { renameat(folder, old, folder, new) }
  }

  /// linkat(2) within one directory; never replaces a file. Returns false if the new name exists,
  /// or if a concurrent process that created the file has swept the old name.
  static func link(_ old: String, to new: String, in folder: Int32, path: String) throws(VaultError) -> Bool {
    do {
      _ = try systemCall("linkat") { linkat(folder, old, folder, new, 0) }
      return true
    } catch {
      if error.errno == EEXIST || error.errno == ENOENT { return false }
      throw VaultError(error, at: path)
    }
  }

  /// unlinkat(2). No error if the name does not exist.
  static func unlink(_ name: String, in folder: Int32, path: String) throws(VaultError) {
    do {
      _ = try systemCall("unlinkat") { unlinkat(folder, name, 0) }
    } catch {
      if error.errno != ENOENT { throw VaultError(error, at: path) }
    }
  }

  /// mkdir(2), 0700, made durable in `parent`. No error if the directory exists; the caller checks
  /// its mode.
  static func makeDirectory(_ path: String, in parent: String) throws(VaultError) {
    try translated(path) { () throws(SystemCallError) in try TrustedPath.makeDirectory(path, in: parent) }
  }

  /// flock(2), exclusive and non-blocking. Throws `.inUse` if another process holds the lock.
  static func lock(_ descriptor: Int32, path: String) throws(VaultError) {
    try call("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  /// Releases the lock explicitly: a child process that was just forked may hold a copy of the
  /// descriptor, so closing ours would not release it.
  static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  @discardableResult
  private static func call(
    _ name: String, _ path: @autoclosure () -> String, _ body: () -> Int32
  ) throws(VaultError) -> Int32 {
    try translated(path()) { () throws(SystemCallError) in try systemCall(name, body) }
  }

  private static func translated<Result>(
    _ path: @autoclosure () -> String, _ body: () throws(SystemCallError) -> Result
  ) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error, at: path()) }
  }
}

/// What a file or directory must be before anything secret is read from it or
/// written to it. Each error names the remedy.
enum FileRules {
  /// Requires a regular file owned by the user, with a single hard link, closed to group and
  /// others.
  static func requirePrivateFile(_ status: stat, _ path: @autoclosure () -> String) throws(VaultError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw refusal(path(), "is not a regular file: move it away")
    }
    try requireOwnedByUser(status, path: path())
    guard status.st_mode & 0o077 == 0 else {
      throw refusal(path(), "is accessible to other users: run `chmod 600 \(path())`")
    }
    guard status.st_nlink == 1 else {
      throw refusal(path(), "has another hard link: remove that link, or replace the file with a copy")
    }
  }

  /// Requires a credential as systemd creates it: owned by the user and closed to others, or owned
  /// by root with the user in its access control list, which stat(2) shows as the group permissions
  /// (acl(5)).
  static func requireCredential(_ status: stat, _ path: String) throws(VaultError) {
    if status.st_uid == geteuid() { return try requirePrivateFile(status, path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file: move it away") }
    guard TrustedOwners.current.contains(status.st_uid), status.st_mode & 0o037 == 0 else {
      throw refusal(path, "is accessible to or owned by another user: let systemd create it (LoadCredentialEncrypted=)")
    }
  }

  /// Requires a directory owned by the user, closed to group and others.
  static func requirePrivateDirectory(_ status: stat, path: String) throws(VaultError) {
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal(path, "is not a directory (symbolic links are not followed): replace it with a real directory")
    }
    try requireOwnedByUser(status, path: path)
    guard status.st_mode & 0o077 == 0 else {
      throw refusal(path, "is accessible to other users: run `chmod 700 \(path)`")
    }
  }

  /// Requires that only root and the user can exchange a directory on the path.
  static func requireTrustedPath(_ path: String, creating: Bool) throws(VaultError) {
    do { try TrustedPath.require(path, creating: creating) } catch {
      switch error {
      case .refused(let message): throw VaultError(.unsafe, message)
      case .failed(let failure, let path): throw VaultError(failure, at: path)
      }
    }
  }

  private static func requireOwnedByUser(_ status: stat, path: @autoclosure () -> String) throws(VaultError) {
    guard status.st_uid == geteuid() else {
      let path = path()
      throw refusal(path, "belongs to uid \(status.st_uid), not to you: run `sudo chown \(geteuid()) \(path)`")
    }
  }

  private static func refusal(_ path: String, _ words: String) -> VaultError {
    VaultError(.unsafe, "\(path) \(words)")
  }
}
