import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// A client of the proxy that requests far more than it reads (EG-4).
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreadBodiesEndToEndTests {
  private static let requests = 60
  /// The body of every response: 4 MiB. All 60 responses would use 240 MiB.
  private static let body = String(repeating: "0123456789abcde\n", count: 4 * 65_536)
  /// In bytes: less than a quarter of the bodies. A connection may hold less than 1 MiB.
  private static let maxGrowth = 56 * 1024 * 1024

  @Test("60 large unread responses: memory is bounded, others are served, and a response is complete once it is read")
  func holdsFewAnswers() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      home.sandbox.inject(.answer(status: 200, contentType: "text/plain", body: Self.body), at: .echo, count: nil)
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let before = try agent.anonymousMemory()
      let clients = try (0..<Self.requests).map { _ in try UnreadClient(home.egress) }
      for client in clients { try client.send("GET /api/v1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n") }
      var most = 0
      try await eventually("all requests are sent") {
        most = max(most, try agent.anonymousMemory() - before)
        return home.sandbox.requestCount(.echo) == Self.requests
      }
      #expect(try await home.ctl("api", "/api/v1/echo").stdout == Self.body, "by another process")
      #expect(try await home.token() == token)
      most = max(most, try agent.anonymousMemory() - before)
      // The address sanitizer keeps freed memory for a while.
      #expect(Sanitizer.isOn || most < Self.maxGrowth, "\(most / 1_048_576) MiB more")
      let first = try #require(clients.first)
      let answer = await first.read(Self.body.utf8.count)
      #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix(Self.body), "\(answer.utf8.count)")
    }
  }
}

/// A connection that is read only on request, on a queue of its own.
private final class UnreadClient: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "unread answers")

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Only detects a hang. The values are the seconds and microseconds of a timeval.
    var limit: [time_t] = [120, 0]
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw ConditionTimeout(what: "a connection to \(path): errno \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// The kernel's buffer holds several kilobytes.
  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ConditionTimeout(what: "a request sent: errno \(errno)")
    }
  }

  /// The head and a body of `length` bytes, or less at the end of the connection.
  func read(_ length: Int) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.readNow(length)) }
    }
  }

  private func readNow(_ length: Int) -> String {
    var (bytes, end) = (Data(), Int.max)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while bytes.count < end {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
      if end == .max, let blank = bytes.range(of: Data("\r\n\r\n".utf8)) { end = blank.upperBound + length }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
