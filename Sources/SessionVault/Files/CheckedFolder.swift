import FoundationEssentials
import Glibc
import SystemSupport

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

/// Walks a path from the root, link by link, and lets it pass only if nobody but root and the user could exchange a
/// folder on it. After that the path can be opened by its name: whoever could race us is trusted.
struct PathWalk {
  private var here = "/"
  /// What is still to be walked, the next one last.
  private var rest: [String]
  private let creating: Bool
  /// Linux itself follows 40 links in one path (path_resolution(7)).
  private var linksLeft = 40

  /// Checks every folder on the way to `folder`, and `folder` itself. `creating` makes what is missing, 0700 and durable.
  static func requireTrusted(_ folder: String, creating: Bool) throws(VaultError) {
    var walk = PathWalk(rest: names(in: folder).reversed(), creating: creating)
    try walk.run()
  }

  /// `path` from the root on, and split into its folder and its last name.
  static func split(_ path: String) -> (folder: String, name: String, whole: String) {
    let absolute = isAbsolute(path) ? path : FileManager.default.currentDirectoryPath + "/" + path
    let names = names(in: absolute)
    let folder = "/" + names.dropLast().joined(separator: "/")
    return (folder, names.last ?? ".", "/" + names.joined(separator: "/"))
  }

  /// By bytes, as the kernel splits: to Swift a slash and a combining mark are one character.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  private init(rest: [String], creating: Bool) {
    self.rest = rest
    self.creating = creating
  }

  private mutating func run() throws(VaultError) {
    try FileRules.requireTrustedFolder(status("/"), path: "/")
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
    let status = try statusMakingFolder(path)
    try FileRules.requireTrustedFolder(status, path: path)
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

  private func statusMakingFolder(_ path: String) throws(VaultError) -> stat {
    do {
      return try status(path)
    } catch {
      guard creating, error.code == .notFound else { throw error }
    }
    try FileCalls.makeFolder(path, in: here)
    return try status(path)
  }

  private func status(_ path: String) throws(VaultError) -> stat {
    try FileCalls.status(of: path, in: AT_FDCWD, path: path)
  }
}

/// Who may own the folders above ours: root, the user, and within a user namespace the uid that it shows for everybody else
/// (user_namespaces(7)): there root's folders look like that. Outside of one that uid is `nobody`, a user like any other.
struct TrustedOwners: Sendable {
  let user: uid_t
  let overflow: uid_t?

  /// Those of this process.
  static var current: TrustedOwners {
    TrustedOwners(user: geteuid(), overflow: overflowOfThisNamespace)
  }

  private static let overflowOfThisNamespace = overflow(
    uidMap: contents("/proc/self/uid_map"), overflowUID: contents("/proc/sys/kernel/overflowuid"))

  func contains(_ owner: uid_t) -> Bool { owner == 0 || owner == user || owner == overflow }

  /// The overflow uid, or nil where `uidMap` maps every uid to itself, as outside of any user namespace.
  static func overflow(uidMap: String, overflowUID: String) -> uid_t? {
    let fields = uidMap.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    if fields.isEmpty || fields == [0, 0, UInt32.max] { return nil }
    // 65534 is the kernel's default where /proc/sys cannot be read.
    return overflowUID.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) } ?? 65534
  }

  private static func contents(_ path: String) -> String {
    // Not readable means that there is no /proc here: then nothing but root and the user is trusted.
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
