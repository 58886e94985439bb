import Foundation
import Glibc
import Synchronization
import TestKit

/// A server on a Unix socket that runs a test's script. It uses plain threads: the client under
/// test blocks, so nothing here may depend on the test's own threads.
final class ScriptedServer: Sendable {
  let path: String
  private let listener: Int32
  private let received = Mutex<[String]>([])

  /// Every line received, from all connections, without the directory of the tests, which nearly every
  /// request has.
  var lines: [String] {
    received.withLock { $0 }.map {
      $0.replacing(#/"directory":"[^"]*",/#, with: "").replacing(#/,?"directory":"[^"]*"/#, with: "")
    }
  }

  /// Listens in `folder`, and runs `script` for each connection in its own thread.
  init(
    in folder: URL, name: String = "agent.sock", _ script: @escaping @Sendable (ScriptedConnection) -> Void
  ) throws {
    path = folder.appendingPathComponent(name).path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnixAddress(path) { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [self, listener] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          let connection = ScriptedConnection(descriptor) { line in self.received.withLock { $0.append(line) } }
          script(connection)
          connection.end()
        }
      }
    }
  }

  /// Creates a server that answers each request by `answer`: a `"result":…` or `"error":…` member,
  /// or a complete line after "!".
  convenience init(
    in folder: URL, name: String = "agent.sock", answering answer: @escaping @Sendable (String, String) -> String
  ) throws {
    try self.init(in: folder, name: name) { connection in
      while let line = connection.readLine() {
        let request = ScriptedRequest(line)
        let text = answer(request.method, line)
        connection.send(
          text.hasPrefix("!")
            ? text.dropFirst() + "\n" : #"{"jsonrpc":"2.0","id":\#(request.id),"# + text + "}\n")
      }
    }
  }

  deinit { close(listener) }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The parts of a request that scripts use.
struct ScriptedRequest {
  let id: Int
  let method: String

  init(_ line: String) {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    id = object?["id"] as? Int ?? -1
    method = object?["method"] as? String ?? ""
  }
}

/// A client connection of a `ScriptedServer`.
final class ScriptedConnection: Sendable {
  private let descriptor: Int32
  private let note: @Sendable (String) -> Void

  init(_ descriptor: Int32, _ note: @escaping @Sendable (String) -> Void) {
    self.descriptor = descriptor
    self.note = note
  }

  /// The next line; nil after the client has disconnected.
  func readLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      if byte == 0x0A {
        let line = String(decoding: bytes, as: UTF8.self)
        note(line)
        return line
      }
      bytes.append(byte)
    }
    if !bytes.isEmpty { note("unfinished: \(bytes.count)") }
    return nil
  }

  /// The next HTTP request as text, with its body, of which chunks are decoded; nil after the client has
  /// disconnected.
  func readRequest() -> String? {
    var lines: [String] = []
    while let line = rawLine(), line != "\r" { lines.append(line.replacingOccurrences(of: "\r", with: "")) }
    guard !lines.isEmpty else { return nil }
    let head = lines.joined(separator: "\n")
    var body: [UInt8] = []
    if let length = head.firstMatch(of: /\nContent-Length: ([0-9]+)/).flatMap({ Int($0.1) }) {
      body = read(length)
    } else if head.contains("\nTransfer-Encoding: chunked") {
      while let size = rawLine().flatMap({ Int($0.dropLast(), radix: 16) }) {
        body += read(size)
        _ = rawLine()
        if size == 0 { break }
      }
    }
    let request = head + "\n\n" + String(decoding: body, as: UTF8.self)
    note(request)
    return request
  }

  private func rawLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  private func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : []
  }

  func send(_ text: some StringProtocol) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func end() { close(descriptor) }
}

/// Runs `body` with a scripted server.
func withServer<Result>(
  _ script: @escaping @Sendable (ScriptedConnection) -> Void, _ body: (ScriptedServer) async throws -> Result
) async throws -> Result {
  try await withScratchDirectory { folder in
    let server = try ScriptedServer(in: folder, script)
    defer { server.stop() }
    return try await body(server)
  }
}
