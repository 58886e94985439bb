import Foundation
import Glibc
import Synchronization

/// A datagram socket in the place of the service manager's (sd_notify(3)).
final class NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32
  private let text = Mutex("")

  init(path: String) throws {
    self.path = path
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }

  /// All that came so far.
  func received() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      text.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) + "\n" }
    }
    return text.withLock { $0 }
  }
}

/// Whether somebody accepts connections at `path`; a file that a dead agent left behind is not enough.
func canConnect(to path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  return withUnixAddress(path) { connect(descriptor, $0, $1) } == 0
}

func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
