import AgentProtocol
import Glibc
import SystemSupport

/// A folder of the user's with all that is in it, to be removed. Nothing outside of it is touched: no symbolic link is
/// followed, no other file system entered.
struct OwnTree {
  let path: String
  private let device: dev_t

  /// Deeper than anything of ours.
  private static let deepest = 16

  /// Nil where there is nothing.
  ///
  /// - Throws: for a symbolic link, what is no folder, and what belongs to somebody else.
  init?(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw Self.failure("\(path) cannot be examined") }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Self.refusal(path, status.st_mode & S_IFMT == S_IFLNK ? "is a symbolic link" : "is no folder")
    }
    guard status.st_uid == geteuid() else { throw Self.refusal(path, "belongs to another user") }
    self.path = path
    device = status.st_dev
  }

  /// Removes all of it. What cannot be removed ends it; what is gone stays gone.
  func remove() throws {
    try removeFolder(path, in: AT_FDCWD, shown: path, depth: 0)
  }

  private func removeFolder(_ name: String, in parent: Int32, shown: String, depth: Int) throws {
    guard depth < Self.deepest else { throw Self.refusal(shown, "lies deeper than anything of the agent's") }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure("\(shown) cannot be opened") }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == geteuid() else {
      throw Self.refusal(shown, "belongs to another user")
    }
    guard status.st_dev == device else { throw Self.refusal(shown, "is another file system") }
    for entry in try Self.names(of: folder, shown: shown) {
      try remove(entry, in: folder, shown: "\(shown)/\(entry)", depth: depth)
    }
    guard unlinkat(parent, name, AT_REMOVEDIR) == 0 else { throw Self.failure("\(shown) cannot be removed") }
  }

  private func remove(_ name: String, in folder: Int32, shown: String, depth: Int) throws {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw Self.failure("\(shown) cannot be examined")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      return try removeFolder(name, in: folder, shown: shown, depth: depth + 1)
    }
    // Of a symbolic link this is the link.
    guard unlinkat(folder, name, 0) == 0 else { throw Self.failure("\(shown) cannot be removed") }
  }

  /// All names, before anything is removed: readdir(3) is free to skip names while a folder changes.
  private static func names(of folder: Int32, shown: String) throws -> [String] {
    // closedir(3) closes the descriptor it was given.
    guard let stream = fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0)) else {
      throw failure("\(shown) cannot be read")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func refusal(_ path: String, _ what: String) -> Failure {
    Failure(
      .failed, "\(ForeignText.shown(path, limit: 4096)) \(what), and is left alone",
      hint: "remove it by hand, then once more: ritualctl reset")
  }

  private static func failure(_ what: String) -> Failure {
    Failure(.failed, "\(ForeignText.shown(what, limit: 4096)): \(words(of: errno))")
  }
}
