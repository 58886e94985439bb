import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// A client that requests far more than it reads (PR-4).
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreadAnswersEndToEndTests {
  /// Below the limit of 64 requests in flight.
  private static let requests = 60
  /// The body of every response: 4 MiB, and a third more in base64. All 60 responses would use
  /// about 340 MB.
  private static let body = String(repeating: "0123456789abcde\n", count: 4 * 65_536)
  /// In bytes. `RPCLimits.answersOfOneProcess` is 16 MiB; each response is held once more while it
  /// is built, in two forms.
  private static let maxGrowth = 56 * 1024 * 1024

  @Test(
    "60 large unread API responses: memory is bounded, others are served, and each response is complete")
  func holdsFewAnswers() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      home.sandbox.inject(.answer(status: 200, contentType: "text/plain", body: Self.body), at: .echo, count: nil)
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let before = try agent.anonymousMemory()
      let client = try UnreadAnswers(home.socket)
      for number in 0..<Self.requests {
        try client.send(
          #"{"jsonrpc":"2.0","id":\#(number),"method":"api.request","params":{"method":"GET","path":"/api/v1/echo"}}"#)
      }
      var most = 0
      try await eventually("no more requests are sent") {
        let sent = home.sandbox.requestCount(.echo)
        for _ in 0..<10 {
          try await Task.sleep(for: .milliseconds(100))
          most = max(most, try agent.anonymousMemory() - before)
        }
        return sent > 0 && home.sandbox.requestCount(.echo) == sent
      }
      let sent = home.sandbox.requestCount(.echo)
      #expect(sent < Self.requests, "there is no room for the answers of all, however small they are")
      #expect(try await home.askForToken().token == token, "on another connection of the same process")
      #expect(try await home.token() == token, "and by another process")
      most = max(most, try agent.anonymousMemory() - before)
      // The address sanitizer keeps freed memory for a while.
      #expect(Sanitizer.isOn || most < Self.maxGrowth, "\(most / 1_048_576) MiB more")
      try check(try await client.read(Self.requests))
    }
  }

  /// Checks that each request has a response: a complete one, or a retryable error if the request
  /// waited too long for room.
  private func check(_ answers: [Data]) throws {
    let expected = Data(Self.body.utf8)
    var (numbers, whole) = (Set<Int>(), 0)
    for line in answers {
      let answer = try JSONDecoder().decode(Answer.self, from: line)
      #expect(numbers.insert(answer.id).inserted, "\(answer.id) is answered once")
      if let result = answer.result {
        #expect(result.status == 200)
        #expect(Data(base64Encoded: result.body) == expected, "\(answer.id) is whole")
        whole += 1
      } else {
        let data = try #require(answer.error?.data)
        #expect(data.retryable, "\(answer.id): \(data.kind)")
      }
    }
    #expect(numbers == Set(0..<Self.requests))
    #expect(whole > 0)
  }

  private struct Answer: Decodable {
    struct Result: Decodable {
      var status: Int
      var body: String
    }
    struct Failure: Decodable {
      struct Details: Decodable {
        var kind: String
        var retryable: Bool
      }
      var data: Details?
    }
    var id: Int
    var result: Result?
    var error: Failure?
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

  /// Sends one line. The kernel's buffer holds several kilobytes.
  func send(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ConditionTimeout(what: "a line sent: errno \(errno)")
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
