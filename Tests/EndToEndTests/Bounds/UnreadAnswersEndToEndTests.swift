import Foundation
import Glibc
import TestKit
import Testing

/// A client that requests far more than it reads (PR-4).
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreadAnswersEndToEndTests {
  /// More than a connection may have in flight. All responses would use about 70 MB.
  private static let requests = 1000
  /// In bytes: one response, in several forms while it is built, and what the allocator keeps.
  private static let maxGrowth = 16 * 1024 * 1024

  @Test("unread long responses: memory is bounded, others are served, and each response is complete")
  func holdsFewAnswers() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let before = try agent.anonymousMemory()
      let client = try UnreadAnswers(home.socket)
      let lines = (0..<Self.requests).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"rpc.discover"}"# }
      try client.send(lines.joined(separator: "\n"))
      #expect(try await home.askForToken().token == token, "on another connection of the same process")
      #expect(try await home.token() == token, "and by another process")
      try await eventually("the agent is at rest") {
        let before = try agent.processorTime()
        try await Task.sleep(for: .milliseconds(300))
        return try agent.processorTime() - before < 0.1
      }
      let growth = try agent.anonymousMemory() - before
      // The address sanitizer keeps freed memory for a while.
      #expect(Sanitizer.isOn || growth < Self.maxGrowth, "\(growth / 1_048_576) MiB more")
      let answers = try await client.read(Self.requests)
      let numbers = try answers.map { try JSONDecoder().decode(Answer.self, from: $0).id }
      #expect(Set(numbers) == Set(0..<Self.requests))
      #expect(Set(answers.map { $0.count / 100 }).count <= 2, "all are complete")
    }
  }

  private struct Answer: Decodable {
    struct Result: Decodable { var openrpc: String }
    var id: Int
    var result: Result
  }
}

/// A connection that is read only on request, on a queue of its own.
private final class UnreadAnswers: Sendable {
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

  /// Sends lines. The kernel's buffer holds 200 KiB of one message.
  func send(_ lines: String) throws {
    let bytes = Array((lines + "\n").utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ConditionTimeout(what: "lines sent: errno \(errno)")
    }
  }

  /// The next `count` lines.
  func read(_ count: Int) async throws -> [Data] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.readNow(count) }) }
    }
  }

  private func readNow(_ count: Int) throws -> [Data] {
    var lines: [Data] = []
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while lines.count < count {
      let received = recv(descriptor, &buffer, buffer.count, 0)
      guard received > 0 else {
        throw ConditionTimeout(what: "\(count) answers, not \(lines.count): errno \(received < 0 ? errno : 0)")
      }
      buffer.withUnsafeBytes { bytes in
        var rest = bytes[..<received]
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
          let length = UnsafeRawPointer(end) - start
          line.append(contentsOf: rest.prefix(length))
          lines.append(line)
          line = Data()
          rest = rest.dropFirst(length + 1)
        }
        line.append(contentsOf: rest)
      }
    }
    return lines
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress.map { $0 + startIndex } }
}
