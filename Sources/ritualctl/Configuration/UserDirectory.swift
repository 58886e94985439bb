import AgentProtocol
import Glibc
import SystemSupport

/// An open directory that belongs to the user. Files are accessed relative to its descriptor, so
/// that renaming the directory has no effect.
final class UserDirectory {
  /// The content and the mode of a file.
  struct File {
    let bytes: [UInt8]
    let mode: mode_t
  }

  private let path: String
  private let descriptor: Int32
  /// The directories that `init` created, topmost first.
  private let made: [String]
  /// The next step if a file of another kind is in the way.
  private let otherFile: Words

  /// The maximum wait for another ritualctl to release the lock; longer than a reload of the agent
  /// takes.
  private static let maxLockWait = Duration.seconds(30)

  /// Opens the directory. Creates it, and missing parent directories, with mode 0700.
  init(_ path: String) throws {
    self.path = path
    otherFile = "pass another file with --config, or move this one away"
    var made: [String] = []
    do {
      try Self.make(path, &made)
      descriptor = try Self.open(path)
    } catch {
      Self.removeEmpty(made)
      throw error
    }
    self.made = made
  }

  /// Takes an open directory, which the caller has checked.
  init(_ path: String, opened descriptor: Int32, otherFile: Words) {
    (self.path, self.descriptor, self.otherFile, made) = (path, descriptor, otherFile, [])
  }

  deinit { close(descriptor) }

  private static func open(_ path: String) throws -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(path) cannot be opened") }
    var status = stat()
    let shown = Words(path)
    do {
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
        throw Failure(
          .failed, "\(shown) belongs to another user", hint: "use --config with a file in your own directory")
      }
      guard status.st_mode & 0o022 == 0 else {
        throw Failure(.failed, "\(shown) is writable by other users", hint: "chmod go-w \(Quoted.shell(shown.text))")
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Waits for the exclusive lock on the directory and holds it until the directory is closed.
  func lock() throws {
    let deadline = ContinuousClock.now + Self.maxLockWait
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.failure("\(path) cannot be locked") }
      guard ContinuousClock.now < deadline else {
        throw Failure(.failed, "timed out waiting for another program that is changing \(path)")
      }
      usleep(20_000)
    }
  }

  /// Reads a regular file of the user; nil if there is none. Symbolic links are not followed.
  /// - Parameter check: throws if something else is wrong with the file.
  func read(_ name: String, limit: Int, check: (stat) throws -> Void = { _ in }) throws -> File? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw foreign(name, "is a symbolic link and was not changed") }
      throw Self.failure("\(path)/\(name) cannot be read")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw foreign(name, "is not a regular file and was not changed")
    }
    guard status.st_uid == geteuid() else { throw foreign(name, "belongs to another user and was not changed") }
    try check(status)
    return File(bytes: try Streams.readAll(from: file, limit: limit), mode: status.st_mode & 0o7777)
  }

  /// Writes a complete file durably. An existing file of that name is deleted first, so the name
  /// must be reserved for this program.
  ///
  /// - Returns: the file's status.
  @discardableResult
  func stage(_ bytes: [UInt8], as name: String, mode: mode_t = 0o600) throws -> stat {
    unlinkat(descriptor, name, 0)
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("\(path)/\(name) cannot be created") }
    defer { close(file) }
    do {
      try Streams.write(bytes, to: file, "\(path)/\(name)")
      var status = stat()
      guard fchmod(file, mode) == 0, fsync(file) == 0, fstat(file, &status) == 0 else {
        throw Self.failure("\(path)/\(name) cannot be written")
      }
      return status
    } catch {
      unlinkat(descriptor, name, 0)
      throw error
    }
  }

  func rename(_ old: String, to new: String) throws {
    guard renameat(descriptor, old, descriptor, new) == 0, fsync(descriptor) == 0 else {
      throw Self.failure("\(path)/\(new) cannot be written")
    }
  }

  /// Removes the named files; missing ones are ignored.
  func remove(_ names: [String]) {
    for name in names { unlinkat(descriptor, name, 0) }
  }

  /// Replaces a file atomically and durably. The new mode is 0600.
  ///
  /// - Returns: the new file's status.
  @discardableResult
  func replace(_ name: String, with text: String) throws -> stat {
    // Another program may use any name that could be foreseen.
    let staged = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 16)).new"
    do {
      let status = try stage(Array(text.utf8), as: staged)
      try rename(staged, to: name)
      return status
    } catch {
      remove([staged])
      throw error
    }
  }

  /// Removes the directories that `init` created, if they are empty.
  func removeCreatedDirectories() { Self.removeEmpty(made) }

  private static func removeEmpty(_ made: [String]) {
    for path in made.reversed() { rmdir(path) }
  }

  private static func make(_ path: String, _ made: inout [String]) throws {
    guard access(path, F_OK) != 0 else { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try make(String(path[..<slash]), &made) }
    if mkdir(path, 0o700) == 0 {
      made.append(path)
    } else if errno != EEXIST {
      throw failure("\(path) cannot be created")
    }
  }

  func foreign(_ name: String, _ what: Words) -> Failure {
    Failure(.failed, "\(path + "/" + name) \(what)", hint: otherFile)
  }

  private static func failure(_ what: String) -> Failure {
    Failure(.failed, "\(what): \(errorDescription(errno))")
  }
}
