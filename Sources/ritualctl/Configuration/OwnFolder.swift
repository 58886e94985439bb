import AgentProtocol
import Glibc

/// A folder of the user's, open: what is read and written in it is in that very folder, whatever happens to its name.
final class OwnFolder {
  private let path: String
  private let descriptor: Int32

  /// Opens the folder; makes it, 0700, with what is missing above it.
  init(_ path: String) throws {
    self.path = path
    try Self.make(path)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("\(path) cannot be opened") }
    self.descriptor = descriptor
    var status = stat()
    let shown = ForeignText.shown(path)
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
      throw Failure(.failed, "\(shown) belongs to another user", hint: "name a file in a folder of yours with --config")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw Failure(.failed, "\(shown) can be written by others", hint: "chmod go-w \(Quoted.shell(shown))")
    }
  }

  deinit { close(descriptor) }

  /// Waits until no other of our programs changes files here; until the folder is closed.
  func lock() throws {
    guard flock(descriptor, LOCK_EX) == 0 else { throw Self.failure("\(path) cannot be locked") }
  }

  /// The text of a regular file of the user's; nil where there is none. Symbolic links are not followed.
  func read(_ name: String, limit: Int) throws -> String? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw foreign(name, "is a symbolic link") }
      throw Self.failure("\(path)/\(name) cannot be read")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw foreign(name, "is no regular file")
    }
    guard status.st_uid == geteuid() else { throw foreign(name, "belongs to another user") }
    guard let text = String(validating: try Streams.readAll(from: file, limit: limit), as: UTF8.self) else {
      throw foreign(name, "is not UTF-8")
    }
    return text
  }

  /// Replaces the file, 0600, durably: a temporary one beside it, fsync(2), rename(2), fsync(2) of the folder.
  func replace(_ name: String, with text: String) throws {
    let temporary = ".\(name).\(getpid())"
    unlinkat(descriptor, temporary, 0)
    let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("\(path)/\(temporary) cannot be made") }
    do {
      defer { close(file) }
      try Streams.write(text, to: file)
      guard fsync(file) == 0, renameat(descriptor, temporary, descriptor, name) == 0, fsync(descriptor) == 0 else {
        throw Self.failure("\(path)/\(name) cannot be written")
      }
    } catch {
      unlinkat(descriptor, temporary, 0)
      throw error
    }
  }

  private static func make(_ path: String) throws {
    guard access(path, F_OK) != 0 else { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try make(String(path[..<slash])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("\(path) cannot be made") }
  }

  private func foreign(_ name: String, _ what: String) -> Failure {
    Failure(
      .failed, "\(ForeignText.shown("\(path)/\(name)")) \(what), and is left alone",
      hint: "name the file itself with --config, or move it away")
  }

  private static func failure(_ what: String) -> Failure {
    Failure(.failed, "\(ForeignText.shown(what)): \(String(cString: strerror(errno)))")
  }
}
