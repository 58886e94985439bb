import Glibc
import SystemSupport

/// The folder of the socket: the user's own, 0700, no symbolic link (PR-2). While it is locked, no second agent of the
/// user looks at or replaces the socket in it.
struct SocketFolder {
  let path: String

  /// The folder that `socket` lies in.
  init(of socket: String) throws(SocketError) {
    guard socket.hasPrefix("/"), let slash = socket.lastIndex(of: "/"), slash != socket.startIndex else {
      throw SocketError(.invalid, "\(socket) is no absolute path in a folder of its own")
    }
    path = String(socket[..<slash])
  }

  /// Makes the folder and those above it where they are missing, then refuses what is not the user's alone.
  func prepare() throws(SocketError) {
    var end = path.startIndex
    while end != path.endIndex {
      let next = path.index(after: end)
      end = path[next...].firstIndex(of: "/") ?? path.endIndex
      // mkdir(2) does not follow a link in the last part; what is there already is judged below.
      guard mkdir(String(path[..<end]), 0o700) != 0, errno != EEXIST else { continue }
      let number = errno
      throw SocketError(.system, "cannot make the folder \(path[..<end]): \(words(of: number))", errno: number)
    }
    try check()
  }

  private func check() throws(SocketError) {
    var status = stat()
    try systemCall("cannot look at \(path)") { lstat(path, &status) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw SocketError(.insecure, "\(path) is no folder (a link is not followed): remove it, or name another --socket")
    }
    guard status.st_uid == geteuid() else {
      throw SocketError(
        .insecure, "\(path) belongs to uid \(status.st_uid), not to \(geteuid()): name another --socket")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SocketError(.insecure, "\(path) is open to others (mode \(mode)): chmod 700 \(path)")
    }
  }

  /// Runs `body` while this process holds the folder's lock (flock(2)), which ends with the descriptor.
  func locked<Result>(_ body: () throws(SocketError) -> Result) throws(SocketError) -> Result {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = try systemCall("cannot open \(path)") { open(path, flags) }
    defer { close(descriptor) }
    try systemCall("cannot lock \(path)") { flock(descriptor, LOCK_EX) }
    return try body()
  }
}
