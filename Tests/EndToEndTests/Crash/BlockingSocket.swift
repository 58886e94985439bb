import Dispatch
import Glibc
import TestKit

/// A connection that is read and written on a queue of its own: the sandbox runs in this process,
/// and its responses need the few threads of Swift's tasks.
final class BlockingSocket: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "crash test")

  /// Far longer than the 15 s that an agent lets a caller wait, for a loaded machine.
  private static let deadline = timeval(tv_sec: 300, tv_usec: 0)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var deadline = Self.deadline
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  convenience init(unix path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.init(descriptor)
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw ConditionTimeout(what: "a connection to \(path): errno \(errno)")
    }
  }

  convenience init(loopback port: UInt16) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.init(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw ConditionTimeout(what: "a connection to port \(port): errno \(errno)") }
  }

  /// Sends `text` and returns the response up to the end of a line, or to the end of the
  /// connection.
  func exchange(_ text: String) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.exchangeNow(text)) }
    }
  }

  private func exchangeNow(_ text: String) -> String {
    let bytes = Array(text.utf8)
    // A killed peer must not cause SIGPIPE.
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return "" }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while received.last != UInt8(ascii: "\n") {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}
