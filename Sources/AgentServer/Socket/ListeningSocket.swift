import AccessControl
import AgentProtocol
import CSystemd
import Glibc
import SystemSupport

/// A listening socket, bound here or passed by systemd. The owner passes the descriptor to one
/// server, and calls `remove` when that server has ended.
public struct ListeningSocket: Sendable {
  /// The descriptor, which is closed on exec. A socket that was bound here is non-blocking.
  public let descriptor: Int32

  /// Path and identity of the file that `bind` created; nil for a passed socket, whose file belongs
  /// to systemd.
  private let bound: (path: String, file: FileIdentity)?

  /// Maximum length of the accept queue (listen(2)): the most connections that one socket serves at a
  /// time. The kernel caps it at somaxconn.
  private static let backlog: Int32 = 1024

  /// Binds `path` with mode 0600, in a directory of the user with mode 0700, which is created if
  /// missing. A stale socket is replaced; the socket of a running agent is not.
  ///
  /// - Throws: `.occupied`, `.insecure`, `.invalid` or `.system`.
  public static func bind(_ path: String) throws(SocketError) -> ListeningSocket {
    let address = try UnixAddress(path)
    let folder = try SocketDirectory(of: path)
    try folder.prepare()
    return try folder.locked { () throws(SocketError) in
      try clear(path, address)
      return try bind(path, address)
    }
  }

  /// Takes over a listening Unix stream socket that was passed to this process.
  ///
  /// - Throws: `.invalid` if the descriptor is anything else.
  public static func adopt(_ passed: PassedSocket) throws(SocketError) -> ListeningSocket {
    guard passed.isListeningUnixStream else {
      throw SocketError(.invalid, "the passed descriptor \(passed.name) is not a listening Unix stream socket")
    }
    return ListeningSocket(descriptor: passed.descriptor, bound: nil)
  }

  /// Removes the socket's file, if `bind` created it and it has not been replaced. If that fails
  /// the file stays; it is then stale, and the next agent replaces it.
  package func remove() {
    guard let bound else { return }
    try? SocketDirectory(of: bound.path).locked { () throws(SocketError) in
      guard FileIdentity(bound.path) == bound.file else { return }
      try call("cannot remove \(bound.path)") { unlink(bound.path) }
    }
  }

  private static func bind(_ path: String, _ address: UnixAddress) throws(SocketError) -> ListeningSocket {
    let descriptor = try make()
    do {
      // Linux gives the file the mode of the descriptor minus the umask, so the mode is never
      // looser than 0600.
      try call("cannot set the mode of \(path)") { fchmod(descriptor, 0o600) }
      try call("cannot bind \(path)") { address.bind(descriptor) }
      try call("cannot set the mode of \(path)") { chmod(path, 0o600) }
      try call("cannot listen on \(path)") { listen(descriptor, backlog) }
    } catch {
      close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, bound: FileIdentity(path).map { (path, $0) })
  }

  private static func make() throws(SocketError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    return try call("cannot create a socket") { socket(AF_UNIX, type, 0) }
  }

  /// Removes a stale socket at `path`. Throws if a server answers there, or if the file is anything
  /// else.
  private static func clear(_ path: String, _ address: UnixAddress) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(.insecure, "\(path) exists and is not a socket: remove it, or choose another --socket")
    }
    guard status.st_uid == geteuid() else {
      throw SocketError(.insecure, "\(path) belongs to uid \(status.st_uid): remove it, or choose another --socket")
    }
    if let server = try server(at: address, path) { throw occupied(path, by: server) }
    try call("cannot remove the old \(path)") { unlink(path) }
  }

  private static func occupied(_ path: String, by pid: Int32) -> SocketError {
    let who = pid > 0 ? " (pid \(pid))" : ""
    let command =
      ServiceManager.isPresent ? " (systemctl --user stop ritual-agent.socket ritual-agent.service)" : ""
    return SocketError(
      .occupied, "another agent\(who) is already listening on \(path): stop it\(command), or choose another --socket")
  }

  /// Returns the pid of the process that listens at `address`, 0 if that pid is unknown, or nil if
  /// no process listens.
  private static func server(at address: UnixAddress, _ path: String) throws(SocketError) -> Int32? {
    let descriptor = try make()
    defer { close(descriptor) }
    do {
      try call("cannot connect to \(path)") { address.connect(descriptor) }
    } catch {
      switch error.errno {
      case ECONNREFUSED, ENOENT: return nil
      // connect(2): the accept queue is full, so a process listens.
      case EAGAIN: return 0
      default: throw error
      }
    }
    return Peer(of: descriptor)?.pid ?? 0
  }
}

/// The identity of the file at a path. Inode numbers are soon reused, so the modification time is
/// part of it.
private struct FileIdentity: Sendable, Equatable {
  let device: UInt
  let number: UInt
  let seconds: Int
  let nanoseconds: Int

  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// A descriptor that the service manager passed (sd_listen_fds(3)).
public struct PassedSocket: Sendable, Hashable {
  /// The descriptor; it is closed on exec.
  public let descriptor: Int32
  /// `FileDescriptorName=` of the socket unit; by default the unit's name.
  public let name: String

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Whether the descriptor is a listening AF_UNIX stream socket (sd_is_socket_unix(3)).
  public var isListeningUnixStream: Bool {
    sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// Takes all descriptors that were passed to this process; empty if there are none. The variables
  /// are removed from the environment, so that no child process uses them, and a second call
  /// returns nothing. Must be called before a second thread starts.
  public static func takeAll() -> [PassedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    defer { free(names) }
    guard count > 0 else { return [] }
    return (0..<Int(count)).map { index in
      let name = names?[index]
      defer { free(name) }
      // SD_LISTEN_FDS_START of sd-daemon.h: the first passed descriptor is always 3.
      return PassedSocket(descriptor: Int32(3 + index), name: name.map { String(cString: $0) } ?? "unknown")
    }
  }
}

/// The address of a Unix socket at a path (unix(7)).
struct UnixAddress {
  private var address = sockaddr_un()

  init(_ path: String) throws(SocketError) {
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room, !bytes.contains(0) else {
      throw SocketError(.invalid, "\(path) is not a valid socket path: it must have 1 to \(room) bytes")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func bind(_ descriptor: Int32) -> Int32 { withPointer { Glibc.bind(descriptor, $0, $1) } }

  func connect(_ descriptor: Int32) -> Int32 { withPointer { Glibc.connect(descriptor, $0, $1) } }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}

/// The directory of the socket: owned by the user, with mode 0700, not a symbolic link. Its
/// lock keeps two agents of the user from checking or replacing the socket at the same time.
struct SocketDirectory {
  let path: String

  /// The directory that contains `socket`.
  init(of socket: String) throws(SocketError) {
    guard socket.hasPrefix("/"), let slash = socket.lastIndex(of: "/"), slash != socket.startIndex else {
      throw SocketError(.invalid, "\(socket) is not an absolute path, or is directly in /")
    }
    path = String(socket[..<slash])
  }

  /// Creates the directory and its missing parents, then throws `.insecure` unless the directory is
  /// private to the user, and nobody but root can exchange it.
  func prepare() throws(SocketError) {
    do {
      let parent = TrustedPath.split(path).folder
      try TrustedPath.require(parent, creating: true)
      try TrustedPath.makeDirectory(path, in: parent)
    } catch let error as UntrustedPath {
      switch error {
      case .refused(let message):
        throw SocketError(
          .insecure, "\(message)\n  the socket belongs in a directory of your own: XDG_RUNTIME_DIR, or --socket")
      case .failed(let failure, let path): throw Self.cannotCreate(path, failure)
      }
    } catch let error as SystemCallError {
      throw Self.cannotCreate(path, error)
    } catch {
      throw SocketError(.system, "\(error)")
    }
    try check()
  }

  private static func cannotCreate(_ path: String, _ failure: SystemCallError) -> SocketError {
    SocketError(
      .system, "cannot create directory \(path): \(errorDescription(failure.errno))", errno: failure.errno)
  }

  private func check() throws(SocketError) {
    var status = stat()
    try call("cannot examine \(path)") { lstat(path, &status) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw SocketError(
        .insecure, "\(path) is not a directory (links are not followed): remove it, or choose another --socket")
    }
    guard status.st_uid == geteuid() else {
      throw SocketError(
        .insecure, "\(path) belongs to uid \(status.st_uid), not to \(geteuid()): choose another --socket")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SocketError(.insecure, "\(path) is accessible to other users (mode \(mode)): chmod 700 \(path)")
    }
  }

  /// Runs `body` while this process holds the directory's lock (flock(2)), which is released with
  /// the descriptor.
  func locked<Result>(_ body: () throws(SocketError) -> Result) throws(SocketError) -> Result {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = try call("cannot open \(path)") { open(path, flags) }
    defer { close(descriptor) }
    try call("cannot lock \(path)") { flock(descriptor, LOCK_EX) }
    return try body()
  }
}

/// Runs a system call (see SystemSupport); a failure is thrown as `what` and the description of the errno.
@discardableResult
func call(_ what: @autoclosure () -> String, _ body: () -> Int32) throws(SocketError) -> Int32 {
  do { return try systemCall("", body) } catch {
    throw SocketError(.system, "\(what()): \(errorDescription(error.errno))", errno: error.errno)
  }
}

/// An error of the agent's socket. Two errors are equal if their codes are equal.
public struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public struct Code: Sendable, Hashable {
    private enum Name { case occupied, insecure, invalid, system }
    private let name: Name

    /// Another agent serves this socket.
    public static let occupied = Code(name: .occupied)
    /// The directory, or the file at the path, is of the wrong type or not private to the user.
    public static let insecure = Code(name: .insecure)
    /// The given path or descriptor cannot be served.
    public static let invalid = Code(name: .invalid)
    /// A system call failed; `errno` tells the reason.
    public static let system = Code(name: .system)
  }

  public let code: Code
  /// The message for the user, including the remedy.
  public let message: String
  /// The underlying errno(3), if there is one.
  public let errno: Int32?

  init(_ code: Code, _ message: String, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.errno = errno
  }

  public var description: String { message }

  public static func == (left: SocketError, right: SocketError) -> Bool { left.code == right.code }
}
