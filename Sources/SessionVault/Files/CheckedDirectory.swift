import FoundationEssentials
import Glibc
import SystemSupport

/// A directory that passed the safety checks and is kept open. Entries are accessed through its
/// descriptor, so that the path cannot be exchanged after the checks.
final class CheckedDirectory: Sendable {
  /// The strictness for the directory itself. Its parents are always checked.
  enum Rule {
    /// Private to the user: 0700.
    case ours
    /// Other users may read, but not write. Used for the directory of a key file.
    case trusted
  }

  let path: String
  let descriptor: Int32

  /// Opens the directory at `path`. `creating` creates it and its missing parents with mode 0700.
  init(_ path: String, _ rule: Rule, creating: Bool) throws(VaultError) {
    let parts = PathWalk.split(path)
    try PathWalk.requireTrusted(parts.folder, creating: creating)
    if creating { try FileCalls.makeDirectory(parts.whole, in: parts.folder) }
    if rule == .trusted { try PathWalk.requireTrusted(parts.whole, creating: false) }
    self.path = parts.whole
    descriptor = try Self.open(parts.whole, rule)
  }

  deinit { FileCalls.close(descriptor) }

  private static func open(_ path: String, _ rule: Rule) throws(VaultError) -> Int32 {
    if rule == .ours {
      // Checked by name first: for a symbolic link openat(2) would only report ENOTDIR.
      let status = try FileCalls.status(of: path, in: AT_FDCWD, path: path)
      try FileRules.requirePrivateDirectory(status, path: path)
    }
    // The directory of a key file may be a symbolic link; PathWalk has checked the link and its
    // target.
    let name = rule == .trusted ? path + "/." : path
    return try FileCalls.open(name, in: AT_FDCWD, O_RDONLY | O_DIRECTORY, path: path)
  }

  /// Returns the names of all entries except `.` and `..`.
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
        // The size of d_name in readdir(3): NAME_MAX (255) and the final NUL.
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw VaultError(SystemCallError(call: "readdir", errno: errno), at: path) }
    return names
  }

  /// Returns the status of `name` without following a symbolic link; nil if it does not exist.
  func status(of name: String) throws(VaultError) -> stat? {
    do {
      return try FileCalls.status(of: name, in: descriptor, path: path(of: name))
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Opens `name` for reading, checks it (by default the rules of VA-6), calls `body` with the
  /// descriptor and the size, and closes it.
  func reading<Result>(
    _ name: String, checking check: ((stat, String) throws(VaultError) -> Void)? = nil,
    _ body: (Int32, Int) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let file = try FileCalls.open(name, in: descriptor, O_RDONLY, path: path(of: name))
    defer { FileCalls.close(file) }
    let status = try FileCalls.status(file, path: path(of: name))
    if let check { try check(status, path(of: name)) } else { try FileRules.requirePrivateFile(status, path(of: name)) }
    return try body(file, Int(status.st_size))
  }

  /// Throws unless `name` is a private file of the user or does not exist.
  func requirePrivate(_ name: String) throws(VaultError) {
    guard let status = try status(of: name) else { return }
    try FileRules.requirePrivateFile(status, path(of: name))
  }

  /// Makes changes of names durable: fsync(2) of the directory.
  func sync() throws(VaultError) { try FileCalls.sync(descriptor, path: path) }

  func path(of name: String) -> String { path + "/" + name }
}

/// Walks a path from the root, link by link, and accepts it only if no one but root and the user
/// can exchange a directory on it. After that the path can be opened by name: anyone able to race
/// is trusted.
struct PathWalk {
  private var here = "/"
  /// The remaining components, the next one last.
  private var rest: [String]
  private let creating: Bool
  /// Linux follows at most 40 symbolic links in a path (path_resolution(7)).
  private var linksLeft = 40

  /// Checks every parent of `folder`, and `folder` itself. `creating` creates missing directories,
  /// 0700 and durable.
  static func requireTrusted(_ folder: String, creating: Bool) throws(VaultError) {
    var walk = PathWalk(rest: names(in: folder).reversed(), creating: creating)
    try walk.run()
  }

  /// Returns `path` as an absolute path (`whole`), its parent directory, and its last component.
  static func split(_ path: String) -> (folder: String, name: String, whole: String) {
    let absolute = isAbsolute(path) ? path : FileManager.default.currentDirectoryPath + "/" + path
    let names = names(in: absolute)
    let folder = "/" + names.dropLast().joined(separator: "/")
    return (folder, names.last ?? ".", "/" + names.joined(separator: "/"))
  }

  /// Splits by bytes, as the kernel does: in Swift a slash and a combining mark are one character.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  private init(rest: [String], creating: Bool) {
    self.rest = rest
    self.creating = creating
  }

  private mutating func run() throws(VaultError) {
    try FileRules.requireTrustedDirectory(status("/"), path: "/")
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": here = String(here[..<(here.utf8.lastIndex(of: UInt8(ascii: "/")) ?? here.startIndex)])
      default: try step(to: (here == "/" ? "" : here) + "/" + name)
      }
      if here.isEmpty { here = "/" }
    }
  }

  private mutating func step(to path: String) throws(VaultError) {
    let status = try statusCreatingDirectory(path)
    try FileRules.requireTrustedDirectory(status, path: path)
    guard status.st_mode & S_IFMT == S_IFLNK else {
      here = path
      return
    }
    linksLeft -= 1
    guard linksLeft > 0 else { throw VaultError(SystemCallError(call: "readlink", errno: ELOOP), at: path) }
    let target = try FileCalls.target(ofLink: path)
    if Self.isAbsolute(target) { here = "/" }
    rest += Self.names(in: target).reversed()
  }

  private func statusCreatingDirectory(_ path: String) throws(VaultError) -> stat {
    do {
      return try status(path)
    } catch {
      guard creating, error.code == .notFound else { throw error }
    }
    try FileCalls.makeDirectory(path, in: here)
    return try status(path)
  }

  private func status(_ path: String) throws(VaultError) -> stat {
    try FileCalls.status(of: path, in: AT_FDCWD, path: path)
  }
}

/// The uids that may own parent directories: root, the user, and, within a user namespace, the
/// overflow uid, which stands for every unmapped uid (user_namespaces(7)) and so for the owner of
/// root's directories. Outside a user namespace the overflow uid is `nobody`, an ordinary user.
struct TrustedOwners: Sendable {
  let user: uid_t
  let overflow: uid_t?

  static var current: TrustedOwners {
    TrustedOwners(user: geteuid(), overflow: overflowOfThisNamespace)
  }

  private static let overflowOfThisNamespace = overflow(
    uidMap: contents("/proc/self/uid_map"), overflowUID: contents("/proc/sys/kernel/overflowuid"))

  func contains(_ owner: uid_t) -> Bool { owner == 0 || owner == user || owner == overflow }

  /// Returns the overflow uid, or nil if `uidMap` maps every uid to itself, as it does outside a
  /// user namespace.
  static func overflow(uidMap: String, overflowUID: String) -> uid_t? {
    let fields = uidMap.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    if fields.isEmpty || fields == [0, 0, UInt32.max] { return nil }
    // 65534 is the kernel's default, used if /proc/sys cannot be read.
    return overflowUID.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) } ?? 65534
  }

  private static func contents(_ path: String) -> String {
    // If /proc is not available, only root and the user are trusted.
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
