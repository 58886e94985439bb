import AccessControl
import AgentProtocol
import CSystemd
import Glibc

/// A socket that listens, made here or passed by systemd. Whoever holds it hands its descriptor to a server once, then
/// calls `remove` when the server has ended.
public struct ListeningSocket: Sendable {
  /// The descriptor: non-blocking, closed on exec.
  public let descriptor: Int32

  /// Where it was bound by us, and which file that made; nil for a passed socket, whose path is systemd's.
  private let bound: (path: String, file: FileIdentity)?

  /// Connections that may wait to be accepted: more than are served at a time; the kernel caps it at somaxconn.
  private static let backlog: Int32 = 512

  /// Binds `path`: 0600, in a folder of the user that is 0700 and is made if missing. What a dead agent left behind is
  /// replaced; a living agent is not disturbed.
  ///
  /// - Throws: `.occupied`, `.insecure`, `.invalid` or `.system`.
  public static func bind(_ path: String) throws(SocketError) -> ListeningSocket {
    let address = try UnixAddress(path)
    let folder = try SocketFolder(of: path)
    try folder.prepare()
    return try folder.locked { () throws(SocketError) in
      try clear(path, address)
      return try bind(path, address)
    }
  }

  /// Takes over a listening Unix stream socket that was passed to this process.
  ///
  /// - Throws: `.invalid` where it is something else.
  public static func adopt(_ passed: PassedSocket) throws(SocketError) -> ListeningSocket {
    guard passed.isListeningUnixStream else {
      throw SocketError(.invalid, "the passed descriptor \(passed.name) is no listening Unix stream socket")
    }
    return ListeningSocket(descriptor: passed.descriptor, bound: nil)
  }

  /// Removes the socket's file, if we made it and it is still ours. Where that cannot be done the file stays: it is stale,
  /// and the next agent replaces it.
  package func remove() {
    guard let bound else { return }
    try? SocketFolder(of: bound.path).locked { () throws(SocketError) in
      guard FileIdentity(bound.path) == bound.file else { return }
      try systemCall("cannot remove \(bound.path)") { unlink(bound.path) }
    }
  }

  private static func bind(_ path: String, _ address: UnixAddress) throws(SocketError) -> ListeningSocket {
    let descriptor = try make()
    do {
      // Linux gives the file the mode of the descriptor, less the umask: so there is no moment in which it is looser.
      try systemCall("cannot set the mode of \(path)") { fchmod(descriptor, 0o600) }
      try systemCall("cannot bind \(path)") { address.bind(descriptor) }
      try systemCall("cannot set the mode of \(path)") { chmod(path, 0o600) }
      try systemCall("cannot listen on \(path)") { listen(descriptor, backlog) }
    } catch {
      close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, bound: FileIdentity(path).map { (path, $0) })
  }

  private static func make() throws(SocketError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    return try systemCall("cannot make a socket") { socket(AF_UNIX, type, 0) }
  }

  /// Makes way for our socket: removes what no agent serves any more, and nothing else.
  private static func clear(_ path: String, _ address: UnixAddress) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(.insecure, "\(path) is there and is no socket: remove it, or name another --socket")
    }
    guard status.st_uid == geteuid() else {
      throw SocketError(.insecure, "\(path) belongs to uid \(status.st_uid): remove it, or name another --socket")
    }
    if let server = try server(at: address, path) { throw occupied(path, by: server) }
    try systemCall("cannot remove the old \(path)") { unlink(path) }
  }

  private static func occupied(_ path: String, by pid: Int32) -> SocketError {
    let who = pid > 0 ? " (pid \(pid))" : ""
    let command =
      ServiceManager.isPresent ? " (systemctl --user stop ritual-agent.socket ritual-agent.service)" : ""
    return SocketError(
      .occupied, "another agent\(who) serves this socket, \(path): stop it\(command), or name another --socket")
  }

  /// The pid of who listens there, 0 if it cannot be told; nil if nobody does.
  private static func server(at address: UnixAddress, _ path: String) throws(SocketError) -> Int32? {
    let descriptor = try make()
    defer { close(descriptor) }
    do {
      try systemCall("cannot connect to \(path)") { address.connect(descriptor) }
    } catch {
      switch error.errno {
      case ECONNREFUSED, ENOENT: return nil
      // unix(7): a full backlog, so there is somebody.
      case EAGAIN: return 0
      default: throw error
      }
    }
    return Peer(of: descriptor)?.pid ?? 0
  }
}

/// Which file a path names. A number is used again soon after its file is gone, so the time of its making belongs to it.
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
