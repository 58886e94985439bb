import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A directory tree of the user that is to be removed. Symbolic links are not followed and other
/// file systems are not entered, so nothing outside the tree is touched.
struct UserDirectoryTree {
  let path: String
  private let device: dev_t

  /// The maximum depth, more than the agent's directories have.
  private static let maxDepth = 16

  /// Returns nil if there is nothing at `path`.
  ///
  /// - Throws: a failure if `path` is a symbolic link, is not a directory, or belongs to another
  ///   user.
  init?(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw Self.failure("\(path) cannot be examined") }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Self.refusal(path, status.st_mode & S_IFMT == S_IFLNK ? "is a symbolic link" : "is not a directory")
    }
    guard status.st_uid == geteuid() else { throw Self.refusal(path, "belongs to another user") }
    self.path = path
    device = status.st_dev
  }

  /// Removes the tree. Stops at the first entry that cannot be removed; entries removed before are
  /// gone.
  func remove() throws {
    try removeFolder(path, in: AT_FDCWD, shown: path, depth: 0)
  }

  private func removeFolder(_ name: String, in parent: Int32, shown: String, depth: Int) throws {
    guard depth < Self.maxDepth else { throw Self.refusal(shown, "is nested too deeply") }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure("\(shown) cannot be opened") }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == geteuid() else {
      throw Self.refusal(shown, "belongs to another user")
    }
    guard status.st_dev == device else { throw Self.refusal(shown, "is on another file system") }
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
    // Removes a symbolic link itself, not its target.
    guard unlinkat(folder, name, 0) == 0 else { throw Self.failure("\(shown) cannot be removed") }
  }

  /// Returns all names before anything is removed: readdir(3) may skip names while a directory
  /// changes.
  private static func names(of folder: Int32, shown: String) throws -> [String] {
    // Duplicated, because closedir(3) closes its descriptor.
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

  private static func refusal(_ path: String, _ what: Words) -> Failure {
    Failure(
      .failed, "\(path, limit: 4096) \(what) and was not removed",
      hint: "remove it manually, then run again: ritualctl reset")
  }

  private static func failure(_ what: String) -> Failure {
    Failure(.failed, "\(what, limit: 4096): \(errorDescription(errno))")
  }
}

/// The files of the agent and its tools on this machine.
struct InstalledState {
  private let state: String
  private let applications: String
  /// The socket, if it is the default one.
  private let socket: String?
  /// The directory of the key comes first: if the removal is interrupted, nobody can read the rest.
  private let trees: [UserDirectoryTree]
  private let handlers: [SchemeHandler]
  /// The configuration file, if it is kept.
  let keptConfiguration: String?

  /// - Throws: a failure if part of the files cannot be removed safely.
  init(_ places: AgentPaths, withConfiguration: Bool) throws {
    (state, applications) = (try places.state, try places.applications)
    socket = places.hasDefaultSocket ? try places.socket : nil
    let folders =
      [try places.keyFile, try places.state + "/vault", try places.reminders]
      + (withConfiguration ? [try places.configuration] : [])
    trees = try folders.compactMap { try UserDirectoryTree(Self.folder(of: $0)) }
    handlers = SchemeHandler.registered(in: applications)
    let configuration = try places.configuration
    keptConfiguration = withConfiguration || access(configuration, F_OK) != 0 ? nil : configuration
  }

  /// The paths to remove.
  var paths: [String] { trees.map(\.path) + handlers.map { applications + "/" + $0.file } }

  /// The account names that the agent stores outside the vault, for a start with a locked vault.
  var accountNames: [String] {
    struct Known: Decodable { let names: [String] }
    guard let data = try? Data(contentsOf: URL(filePath: state + "/accounts")),
      let known = try? JSONDecoder().decode(Known.self, from: data)
    else { return [] }
    return known.names.filter(AccountName.isValid)
  }

  /// Removes the files. No process may have the vault open.
  ///
  /// - Returns: the removed paths.
  func remove() throws -> [String] {
    let paths = self.paths
    for tree in trees { try tree.remove() }
    for handler in handlers { _ = try handler.remove(from: applications) }
    removeSocketFolder()
    return paths
  }

  /// Removes the sockets of an agent that was killed or is just ending, and their directory if it is empty.
  private func removeSocketFolder() {
    guard let socket else { return }
    for path in [socket, AgentPaths.egressSocket(nextTo: socket), AgentPaths.credentialsSocket(nextTo: socket)] {
      var status = stat()
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
    }
    rmdir(Self.folder(of: socket))
  }

  private static func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }
}

extension AgentPaths {
  /// Whether the socket is that of the agent's unit, and not one from RITUAL_AGENT_SOCKET.
  var hasDefaultSocket: Bool {
    (try? socket)?.hasSuffix("/ritual-agent/agent.sock") == true && getenv("RITUAL_AGENT_SOCKET") == nil
  }
}
