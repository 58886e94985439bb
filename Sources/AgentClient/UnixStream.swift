import FoundationEssentials
import Glibc

/// A connected Unix stream socket (unix(7)). Closed when it goes. No call of it raises SIGPIPE or waits past its deadline.
struct UnixStream: ~Copyable {
  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Connects to `path`; where the server's queue is full, waits for room for `limit`.
  static func connect(to path: String, within limit: Duration) throws(AgentClientError) -> UnixStream {
    var address = try socketAddress(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw AgentClientError.unreachable(path, errno: errno) }
    let stream = UnixStream(descriptor: descriptor)
    var sendTimeout = Deadline(after: limit).socketTimeout
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
    let result = retried {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    guard result == 0 else {
      // EAGAIN: SO_SNDTIMEO has passed and the server's queue is still full (connect(2)).
      throw errno == EAGAIN ? AgentClientError.timedOut(after: limit) : AgentClientError.unreachable(path, errno: errno)
    }
    return stream
  }

  /// The uid of who called listen(2) on the other end: SO_PEERCRED of unix(7).
  var serverUID: UInt32? {
    var credentials = PeerCredentials()
    var size = socklen_t(MemoryLayout<PeerCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    return credentials.uid
  }

  /// Sends all of `bytes`; `stall` is the longest time in which the server may take none of them.
  func send(_ bytes: Data, stall: Duration) throws(AgentClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Self.retried { rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Self.flags) } }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard isReady(POLLOUT, deadline: Deadline(after: stall)) else {
          throw AgentClientError.timedOut(after: stall)
        }
      } else {
        throw AgentClientError.disconnected(errno: errno)
      }
    }
  }

  /// Reads what is there into `buffer`, waiting for it; nil when nothing came until `deadline`, 0 at the stream's end.
  func receive(into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline) throws(AgentClientError) -> Int? {
    while true {
      let count = Self.retried { recv(descriptor, buffer.baseAddress, buffer.count, Self.flags) }
      if count >= 0 { return count }
      guard errno == EAGAIN else { throw AgentClientError.disconnected(errno: errno) }
      guard isReady(POLLIN, deadline: deadline) else { return nil }
    }
  }

  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

  private func isReady(_ events: Int32, deadline: Deadline) -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let result = poll(&entry, 1, deadline.pollTimeout)
      if result < 0 && errno == EINTR { continue }
      return result > 0
    }
  }

  /// Repeats a system call while a signal interrupts it (EINTR, signal(7)).
  private static func retried<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }

  private static func socketAddress(_ path: String) throws(AgentClientError) -> sockaddr_un {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !path.isEmpty, path.utf8.count <= room, !path.utf8.contains(0) else {
      throw AgentClientError(
        .unreachable, "the path of the socket must have 1 to \(room) bytes", hint: "name another one with --socket")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }
}

/// struct ucred of unix(7), which the Glibc module does not show.
private struct PeerCredentials {
  var pid: Int32 = 0
  var uid: UInt32 = 0
  var gid: UInt32 = 0
}
