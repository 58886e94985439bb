import Glibc

/// A folder that was found safe, kept open: everything in it is reached by the descriptor, so that nothing can be
/// exchanged on the way.
final class CheckedFolder: Sendable {
  /// How strict the folder itself is looked at; the folders above it are always looked at.
  enum Rule {
    /// Ours alone: 0700.
    case ours
    /// Others may look in, but not write: where a key file lies.
    case trusted
  }

  let path: String
  let descriptor: Int32

  /// Opens the folder at `path`; `creating` makes it and what is missing above it, 0700.
  init(_ path: String, _ rule: Rule, creating: Bool) throws(VaultError) {
    let parts = PathWalk.split(path)
    try PathWalk.requireTrusted(parts.folder, creating: creating)
    if creating { try FileCalls.makeFolder(parts.whole, in: parts.folder) }
    if rule == .trusted { try PathWalk.requireTrusted(parts.whole, creating: false) }
    self.path = parts.whole
    descriptor = try Self.open(parts.whole, rule)
  }

  deinit { FileCalls.close(descriptor) }

  private static func open(_ path: String, _ rule: Rule) throws(VaultError) -> Int32 {
    if rule == .ours {
      // Looked at by name first: of a symbolic link openat(2) would only say that it is no folder.
      let status = try FileCalls.status(of: path, in: AT_FDCWD, path: path)
      try FileRules.requirePrivateFolder(status, path: path)
    }
    // A key file's folder may be reached through a link; PathWalk has looked at the link and at what it points to.
    let name = rule == .trusted ? path + "/." : path
    return try FileCalls.open(name, in: AT_FDCWD, O_RDONLY | O_DIRECTORY, path: path)
  }

  /// The names in the folder, `.` and `..` left out.
  func names() throws(VaultError) -> [String] {
    let copy = try FileCalls.open(".", in: descriptor, O_RDONLY | O_DIRECTORY, path: path)
    guard let stream = fdopendir(copy) else {
      defer { FileCalls.close(copy) }
      throw VaultError(SystemCallError(call: "fdopendir", errno: errno), at: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        // NAME_MAX (255) and the final NUL: the size of d_name in readdir(3).
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw VaultError(SystemCallError(call: "readdir", errno: errno), at: path) }
    return names
  }

  /// What is at `name`, a link not followed; nil if there is nothing.
  func status(of name: String) throws(VaultError) -> stat? {
    do {
      return try FileCalls.status(of: name, in: descriptor, path: path(of: name))
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Opens `name` for reading, after the checks of VA-6 (or others), and closes it again; `body` gets the descriptor
  /// and the size.
  func reading<Result>(
    _ name: String, checking check: (stat, String) throws(VaultError) -> Void = FileRules.requirePrivateFile,
    _ body: (Int32, Int) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let file = try FileCalls.open(name, in: descriptor, O_RDONLY, path: path(of: name))
    defer { FileCalls.close(file) }
    let status = try FileCalls.status(file, path: path(of: name))
    try check(status, path(of: name))
    return try body(file, Int(status.st_size))
  }

  /// Refuses what is at `name` unless it is one of our files; nothing there is fine.
  func requirePrivate(_ name: String) throws(VaultError) {
    guard let status = try status(of: name) else { return }
    try FileRules.requirePrivateFile(status, path(of: name))
  }

  /// Makes names durable: fsync(2) of the folder.
  func sync() throws(VaultError) { try FileCalls.sync(descriptor, path: path) }

  func path(of name: String) -> String { path + "/" + name }
}
