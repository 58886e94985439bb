import FoundationEssentials
import Glibc

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
