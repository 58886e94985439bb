package import Glibc

/// A path that only root and the user can change: no directory on it can be exchanged by anyone else.
/// After the check, the path can be opened by name: anyone able to race is trusted.
package struct TrustedPath {
  private var here = "/"
  /// The remaining components, the next one last.
  private var rest: [String]
  private let creating: Bool
  /// Linux follows at most 40 symbolic links in a path (path_resolution(7)).
  private var linksLeft = 40

  /// Checks every parent of `directory`, and `directory` itself, link by link. `creating` creates
  /// missing directories, 0700 and durable.
  package static func require(_ directory: String, creating: Bool) throws(UntrustedPath) {
    var walk = TrustedPath(rest: names(in: directory).reversed(), creating: creating)
    try walk.run()
  }

  /// Returns `path` as an absolute path (`whole`), its parent directory, and its last component.
  package static func split(_ path: String) -> (folder: String, name: String, whole: String) {
    let names = names(in: isAbsolute(path) ? path : workingDirectory + "/" + path)
    let folder = "/" + names.dropLast().joined(separator: "/")
    return (folder, names.last ?? ".", "/" + names.joined(separator: "/"))
  }

  /// Requires that only a trusted owner can rename entries of a directory. Also accepts a symbolic
  /// link with a trusted owner.
  package static func requireTrusted(
    _ status: stat, _ path: String, owners: TrustedOwners = .current
  ) throws(UntrustedPath) {
    guard owners.contains(status.st_uid) else {
      throw .refused(
        "\(path) belongs to uid \(status.st_uid), who could replace its contents: choose another directory")
    }
    if status.st_mode & S_IFMT == S_IFLNK { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .refused("\(path) is not a directory: choose another path")
    }
    // In a sticky directory (/tmp) only the owner of an entry can rename it, and the next entry's
    // owner is checked too.
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw .refused("\(path) is writable by other users: run `chmod go-w \(path)`")
    }
  }

  /// mkdir(2), 0700, made durable in `parent`. No error if the directory exists.
  package static func makeDirectory(_ path: String, in parent: String) throws(SystemCallError) {
    do { try systemCall("mkdir") { mkdir(path, 0o700) } } catch {
      if error.errno == EEXIST { return }
      throw error
    }
    let folder = try systemCall("open") { open(parent + "/.", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    try systemCall("fsync") { fsync(folder) }
  }

  private static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
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

  private mutating func run() throws(UntrustedPath) {
    try Self.requireTrusted(status("/"), "/")
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": here = String(here[..<(here.utf8.lastIndex(of: UInt8(ascii: "/")) ?? here.startIndex)])
      default: try step(to: (here == "/" ? "" : here) + "/" + name)
      }
      if here.isEmpty { here = "/" }
    }
  }

  private mutating func step(to path: String) throws(UntrustedPath) {
    let status = try statusCreatingDirectory(path)
    try Self.requireTrusted(status, path)
    guard status.st_mode & S_IFMT == S_IFLNK else {
      here = path
      return
    }
    linksLeft -= 1
    guard linksLeft > 0 else { throw .failed(SystemCallError(call: "readlink", errno: ELOOP), path) }
    let target = try target(ofLink: path)
    if Self.isAbsolute(target) { here = "/" }
    rest += Self.names(in: target).reversed()
  }

  private func statusCreatingDirectory(_ path: String) throws(UntrustedPath) -> stat {
    do {
      return try status(path)
    } catch {
      guard creating, case .failed(let failure, _) = error, failure.errno == ENOENT else { throw error }
    }
    try Self.call(path) { () throws(SystemCallError) in try Self.makeDirectory(path, in: here) }
    return try status(path)
  }

  private func status(_ path: String) throws(UntrustedPath) -> stat {
    var status = stat()
    try Self.call(path) { () throws(SystemCallError) in
      _ = try systemCall("fstatat") { fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return status
  }

  private func target(ofLink path: String) throws(UntrustedPath) -> String {
    // PATH_MAX (4096) is the longest link target on Linux.
    var buffer = [UInt8](repeating: 0, count: 4096)
    var count = 0
    try Self.call(path) { () throws(SystemCallError) in
      count = try systemCall("readlink") { readlink(path, &buffer, buffer.count) }
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  private static func call(
    _ path: String, _ body: () throws(SystemCallError) -> Void
  ) throws(UntrustedPath) {
    do { try body() } catch { throw .failed(error, path) }
  }
}

/// Why a path is not trusted.
package enum UntrustedPath: Error, CustomStringConvertible {
  /// Another user could change the path. The message names the directory and the remedy.
  case refused(String)
  /// The directory at a path could not be examined or created.
  case failed(SystemCallError, String)

  package var description: String {
    switch self {
    case .refused(let message): message
    case .failed(let failure, let path): "\(path): \(errorDescription(failure.errno))"
    }
  }
}

/// The uids that may own parent directories: root, the user, and, within a user namespace, the
/// overflow uid, which stands for every unmapped uid (user_namespaces(7)) and so for the owner of
/// root's directories. Outside a user namespace the overflow uid is `nobody`, an ordinary user.
package struct TrustedOwners: Sendable {
  let user: uid_t
  let overflow: uid_t?

  package init(user: uid_t, overflow: uid_t?) { (self.user, self.overflow) = (user, overflow) }

  package static var current: TrustedOwners {
    TrustedOwners(user: geteuid(), overflow: overflowOfThisNamespace)
  }

  private static let overflowOfThisNamespace = overflow(
    uidMap: contents("/proc/self/uid_map"), overflowUID: contents("/proc/sys/kernel/overflowuid"))

  package func contains(_ owner: uid_t) -> Bool { owner == 0 || owner == user || owner == overflow }

  /// Returns the overflow uid, or nil if `uidMap` maps every uid to itself, as it does outside a
  /// user namespace.
  package static func overflow(uidMap: String, overflowUID: String) -> uid_t? {
    let fields = uidMap.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    if fields.isEmpty || fields == [0, 0, UInt32.max] { return nil }
    // 65534 is the kernel's default, used if /proc/sys cannot be read.
    return overflowUID.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) } ?? 65534
  }

  private static func contents(_ path: String) -> String {
    // If /proc is not available, only root and the user are trusted.
    String(decoding: Descriptor.contents(of: path) ?? [], as: UTF8.self)
  }
}
