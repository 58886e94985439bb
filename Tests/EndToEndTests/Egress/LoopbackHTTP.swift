import Dispatch
import Glibc
import TestKit

/// A plain HTTP client of a grant, on a blocking socket with a queue of its own: the sandbox runs in
/// this process, and its responses need the few threads of Swift's tasks.
final class LoopbackHTTP: Sendable {
  struct Reply: Sendable {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
      let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      head = halves.first.map { $0.lowercased() } ?? ""
      body = halves.count > 1 ? String(halves[1]) : ""
      status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "loopback client")
  let port: UInt16

  /// For a loaded machine.
  private static let deadline = timeval(tv_sec: 120, tv_usec: 0)

  init(_ port: UInt16) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var deadline = Self.deadline
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
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

  deinit { close(descriptor) }

  /// Sends a request and reads until the connection is closed.
  func get(_ target: String, _ headers: [String: String], method: String = "GET") async -> Reply {
    let all = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
    let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
    return Reply(await exchange("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n", until: nil))
  }

  /// Sends `text` and reads up to `end`, or until the connection is closed.
  func exchange(_ text: String, until end: String?) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.exchangeNow(text, end)) }
    }
  }

  private func exchangeNow(_ text: String, _ end: String?) -> String {
    let bytes = Array(text.utf8)
    guard bytes.isEmpty || send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return "" }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end, String(decoding: received, as: UTF8.self).contains(end) { break }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}
