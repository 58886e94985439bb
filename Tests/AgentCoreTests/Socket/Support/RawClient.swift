import AgentProtocol
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AgentServer

/// A client on a blocking Unix socket, independent of the agent's code. It blocks threads of its
/// own, never those of the server's tasks. `SO_RCVTIMEO` and `SO_SNDTIMEO` bound each wait.
final class RawClient: Sendable {
  let descriptor: Int32
  private let received = Mutex<[UInt8]>([])
  private let reading = DispatchQueue(label: "reading")
  private let writing = DispatchQueue(label: "writing")

  struct Failure: Error {
    let what: String
    let errno: Int32
  }

  /// - Parameter name: the abstract name that the client is bound to (unix(7)); nil for none.
  init(_ path: String, name: String? = nil, seconds: Int = 300) throws {
    // Closed on exec, because a child of another test would keep the connection open.
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if let name, withUnixAddress(name, { address, _ in bind(descriptor, address, Self.size(ofName: name)) }) != 0 {
      throw Failure(what: "bind", errno: errno)
    }
    guard try UnixAddress(path).connect(descriptor) == 0 else { throw Failure(what: "connect", errno: errno) }
  }

  deinit { close(descriptor) }

  /// An abstract name ends with its address.
  private static func size(ofName name: String) -> socklen_t {
    socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.utf8.count)
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws { try await Self.block(writing) { try self.write(bytes) } }

  /// Returns the next line without its newline, or nil at the end of the connection.
  func line() async throws -> String? { try await Self.block(reading) { try self.read() } }

  /// Returns all bytes to the end of the connection.
  func all() async throws -> String {
    try await Self.block(reading) {
      var bytes: [UInt8] = []
      while let chunk = try self.receive() { bytes += chunk }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Sends one line and returns the next one.
  func ask(_ text: String) async throws -> String? {
    try await send(text + "\n")
    return try await line()
  }

  /// Sets the smallest send buffer that the kernel allows (socket(7)): room for some dozen
  /// requests.
  func shrinkSendBuffer() {
    var size: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Shuts down the writing side (shutdown(2)).
  func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

  private static func block<Result: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(what: "send", errno: errno) }
      sent += count
    }
  }

  private func read() throws -> String? {
    try received.withLock { received in
      var searched = 0
      while true {
        if let end = received[searched...].firstIndex(of: 0x0A) {
          defer { received.removeSubrange(...end) }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        searched = received.count
        guard let chunk = try receive() else { return nil }
        received += chunk
      }
    }
  }

  private func receive() throws -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 { return chunk[..<count] }
    // The kernel reports ECONNRESET for a connection that was closed with unread bytes.
    guard count == 0 || errno == ECONNRESET else { throw Failure(what: "recv", errno: errno) }
    return nil
  }
}

/// Returns an answer in a form that can be compared: `id: result` or `id: code`, for a batch sorted
/// and in brackets.
func answerText(_ line: String) throws -> String {
  let value = try WireCoding.decode(JSONValue.self, from: Data(line.utf8))
  guard case .array(let answers) = value else { return try answerText(of: value) }
  return "[" + (try answers.map { try answerText(of: $0) }.sorted().joined(separator: ", ")) + "]"
}

private func answerText(of answer: JSONValue) throws -> String {
  let id = String(decoding: try WireCoding.encode(answer["id"] ?? .null), as: UTF8.self)
  if case .integer(let code)? = answer["error"]?["code"] { return "\(id): \(code)" }
  let result = try #require(answer["result"])
  if case .string(let token)? = result["accessToken"] { return "\(id): token \(token)" }
  return "\(id): " + String(decoding: try WireCoding.encode(result), as: UTF8.self)
}

/// Counts what a sender has sent. Thread-safe.
final class SendCounter: Sendable {
  private let sent = Atomic<Int>(0)

  var count: Int { sent.load(ordering: .relaxed) }

  func add(_ more: Int) { sent.add(more, ordering: .relaxed) }

  /// True if something was sent before, but nothing during a wait of 0.2 s.
  func isStalled() async -> Bool {
    let before = count
    try? await ContinuousClock().sleep(for: .milliseconds(200))
    return before > 0 && count == before
  }
}

/// The seeds of the random tests.
enum TestSeeds {
  /// The seed from `RITUAL_TEST_SEED`, to replay one failure; nil for the default seeds.
  static let chosen: [UInt64]? = getenv("RITUAL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }.map { [$0] }
}
