import Foundation
import Glibc
import Synchronization
import TestKit

/// An HTTP client that writes bytes as they are. Reading polls, so that no test thread blocks.
final class RawClient {
  private let descriptor: Int32
  private(set) var received: [UInt8] = []
  private(set) var isEnded = false

  init(_ path: String) throws { descriptor = try connectedSocket(unix: path) }

  init(loopback port: UInt16) throws { descriptor = try connectedSocket(loopback: port) }

  /// Sends a request to a port of this machine, and returns the answer.
  static func get(_ target: String, of port: UInt16, _ headers: [String: String] = [:]) async throws -> RawAnswer {
    let all = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
    let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
    return try await RawClient(loopback: port).answer(to: "GET \(target) HTTP/1.1\r\n\(lines)\r\n")
  }

  deinit { close(descriptor) }

  /// Sends everything, as fast as the server reads.
  func send(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    try await eventually("\(bytes.count) bytes sent") {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 { rest = rest.dropFirst(count) }
      if count < 0, errno != EAGAIN { throw ConditionTimeout(what: "bytes sent: errno \(errno)") }
      return rest.isEmpty
    }
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// True if the server has closed the connection by now.
  var isOver: Bool {
    receive()
    return isEnded
  }

  /// Waits until `condition` holds for what was received.
  func wait(_ what: String, _ condition: (String) -> Bool) async throws {
    try await eventually("\(what): \(text.suffix(500))") {
      receive()
      return condition(text)
    }
  }

  /// Waits until the server closes the connection, and returns everything that was received.
  func end() async throws -> String {
    try await eventually("the end of the connection: \(text.suffix(500))") {
      receive()
      return isEnded
    }
    return text
  }

  /// Sends a request and returns the answer, which must have a length or end the connection.
  func answer(to request: String) async throws -> RawAnswer {
    let start = received.count
    try await send(request)
    var answer: RawAnswer?
    try await eventually("an answer: \(text.suffix(500))") {
      receive()
      answer = RawAnswer(Array(received[start...]), isEnded: isEnded)
      if isEnded, answer == nil { throw ConditionTimeout(what: "an answer: the connection ended") }
      return answer != nil
    }
    return answer ?? RawAnswer()
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while !isEnded {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        received += buffer[..<count]
      } else {
        isEnded = count == 0 || errno == ECONNRESET
        return
      }
    }
  }
}

/// A complete HTTP/1.1 answer.
struct RawAnswer {
  var status = 0
  /// Names in lower case.
  var headers: [(name: String, value: String)] = []
  var body = ""

  init() {}

  /// Nil if the answer is not complete. A 100 before the answer is skipped.
  init?(_ bytes: [UInt8], isEnded: Bool) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let gap = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<gap.lowerBound].split(separator: "\r\n")
    status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    let rest = String(text[gap.upperBound...])
    if status == 100 {
      guard let real = RawAnswer(Array(rest.utf8), isEnded: isEnded) else { return nil }
      self = real
      return
    }
    headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingPrefix(" ").description : "")
    }
    if let length = self["content-length"].flatMap(Int.init) {
      guard rest.utf8.count >= length else { return nil }
      body = String(rest.utf8.prefix(length)) ?? ""
    } else if self["transfer-encoding"] == "chunked" {
      guard rest.hasSuffix("0\r\n\r\n") else { return nil }
      body = Self.joined(rest)
    } else {
      guard isEnded || status == 101 || status == 204 || status == 304 else { return nil }
      body = rest
    }
  }

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  private static func joined(_ chunks: String) -> String {
    var (rest, body) = (chunks.utf8[...], "")
    while let line = rest.firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(rest[..<line.lowerBound]) ?? "", radix: 16), size > 0
    {
      let start = line.upperBound
      body += String(rest[start..<rest.index(start, offsetBy: size)]) ?? ""
      rest = rest[rest.index(start, offsetBy: size + 2)...]
    }
    return body
  }
}

/// An API server that answers each request with bytes as a script gives them. Each connection has a
/// thread of its own.
final class RawServer: Sendable {
  /// What to do with a connection after a request.
  enum Step: Sendable {
    case send([UInt8])
    /// Waits for the client to close.
    case hold
    /// Sends back everything that arrives.
    case echo
    case close

    static func send(_ text: String) -> Step { .send(Array(text.utf8)) }

    static func answer(_ status: String, _ body: String = "", _ headers: String...) -> Step {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
      return .send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
  }

  typealias Script = @Sendable (String) -> [Step]

  let port: Int
  private let listener: Int32
  private let script: Script
  private let seen = Mutex<[String]>([])
  private let open = Mutex<Set<Int32>>([])
  private let accepted = Mutex(0)
  private let holding = Mutex(0)
  private let isStopped = Mutex(false)

  var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, head and body, without those for the profile, which the agent makes itself.
  var requests: [String] { seen.withLock { $0.filter { !$0.contains(" /api/v1/profile ") } } }

  /// The number of connections so far.
  var connections: Int { accepted.withLock { $0 } }

  /// The number of connections that are held open.
  var held: Int { holding.withLock { $0 } }

  init(_ script: @escaping Script) throws {
    let socket = DeadPort()
    port = socket.number
    self.script = script
    listener = socket.listening()
    guard listener >= 0 else { throw ConditionTimeout(what: "a listening socket: errno \(errno)") }
    start { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        open.withLock { _ = $0.insert(connection) }
        accepted.withLock { $0 += 1 }
        start { [self] in
          serve(connection)
          open.withLock { _ = $0.remove(connection) }
          // A program that a test has started meanwhile may hold the connection as well.
          shutdown(connection, Int32(SHUT_RDWR))
          close(connection)
        }
      }
    }
  }

  /// Ends all connections and the listener. Another call does nothing: the descriptor's number may be another file's.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in open.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  private func serve(_ connection: Int32) {
    var pending: [UInt8] = []
    while let request = request(connection, &pending) {
      seen.withLock { $0.append(request) }
      let isProfile = request.contains(" /api/v1/profile ")
      for step in isProfile ? [.answer("404 Not Found")] : script(request) {
        switch step {
        case .send(let bytes): guard write(bytes, to: connection) else { return }
        case .hold:
          holding.withLock { $0 += 1 }
          defer { holding.withLock { $0 -= 1 } }
          var byte: UInt8 = 0
          while recv(connection, &byte, 1, 0) > 0 {}
          return
        case .echo:
          guard write(pending, to: connection) else { return }
          var buffer = [UInt8](repeating: 0, count: 65536)
          while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0, write(Array(buffer[..<count]), to: connection) else { return }
          }
        case .close: return
        }
      }
    }
  }

  /// Reads a head and its body.
  private func request(_ connection: Int32, _ pending: inout [UInt8]) -> String? {
    let gap = Array("\r\n\r\n".utf8)
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      if let end = pending.firstRange(of: gap) {
        let head = String(decoding: pending[..<end.upperBound], as: UTF8.self)
        let rest = pending[end.upperBound...]
        if let match = head.lowercased().firstMatch(of: /content-length: (\d+)/), let length = Int(match.1) {
          if rest.count >= length {
            defer { pending = Array(rest.dropFirst(length)) }
            return head + String(decoding: rest.prefix(length), as: UTF8.self)
          }
        } else if head.lowercased().contains("transfer-encoding: chunked") {
          if let last = rest.firstRange(of: Array("0\r\n\r\n".utf8)) {
            defer { pending = Array(pending[last.upperBound...]) }
            return String(decoding: pending[..<last.upperBound], as: UTF8.self)
          }
        } else {
          pending = Array(rest)
          return head
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Starts a thread: these servers block, which no thread of the cooperative pool may do.
private func start(_ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
