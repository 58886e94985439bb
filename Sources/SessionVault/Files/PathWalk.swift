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
    var walk = PathWalk(rest: folder.split(separator: "/").reversed().map(String.init), creating: creating)
    try walk.run()
  }

  /// `path` from the root on, and split into its folder and its last name.
  static func split(_ path: String) -> (folder: String, name: String, whole: String) {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let names = absolute.split(separator: "/")
    let folder = "/" + names.dropLast().joined(separator: "/")
    return (folder, String(names.last ?? "."), "/" + names.joined(separator: "/"))
  }

  private init(rest: [String], creating: Bool) {
    self.rest = rest
    self.creating = creating
  }

  private mutating func run() throws(VaultError) {
    try FileRules.requireTrustedFolder(status("/"), path: "/")
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": here = String(here[..<here.lastIndex(of: "/")!])
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
    if target.hasPrefix("/") { here = "/" }
    rest += target.split(separator: "/").reversed().map(String.init)
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
