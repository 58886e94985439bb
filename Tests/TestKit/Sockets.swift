public import Glibc

/// Calls `body` with the address of a Unix socket.
public func withUnixAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}

/// A connection to the Unix socket at `path`, which the caller closes.
public func connectedSocket(unix path: String) throws(ConditionTimeout) -> Int32 {
  try connected(to: path, AF_UNIX) { descriptor in withUnixAddress(path) { connect(descriptor, $0, $1) } }
}

/// A connection to the port on 127.0.0.1, which the caller closes.
public func connectedSocket(loopback port: UInt16) throws(ConditionTimeout) -> Int32 {
  try connected(to: "port \(port)", AF_INET) { descriptor in
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

private func connected(
  to place: String, _ family: Int32, _ connect: (Int32) -> Int32
) throws(ConditionTimeout) -> Int32 {
  let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  guard connect(descriptor) == 0 else {
    let reason = errno
    close(descriptor)
    throw ConditionTimeout(what: "a connection to \(place): errno \(reason)")
  }
  return descriptor
}

/// Makes reads of the socket fail after `seconds`.
public func limitReads(of descriptor: Int32, to seconds: Int) {
  var limit = timeval(tv_sec: seconds, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
}
