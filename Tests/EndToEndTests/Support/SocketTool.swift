import Dispatch
import Foundation
import Glibc
import TestKit

/// A local tool with its own connection, which writes and reads lines. Reading polls, so that no
/// test thread blocks.
final class SocketTool {
  private let descriptor: Int32
  private var received: [UInt8] = []

  init(_ path: String) throws { descriptor = try connectedSocket(unix: path) }

  deinit { close(descriptor) }

  /// Sends one line without waiting: the kernel's buffer holds a few kilobytes.
  func send(_ line: String) throws { try send(Array(line.utf8)) }

  /// Sends one line of any bytes.
  func send(_ line: [UInt8]) throws {
    let bytes = line + [UInt8(ascii: "\n")]
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ConditionTimeout(what: "a line sent: errno \(errno)")
    }
  }

  /// The next line, without its newline.
  func line() async throws -> String {
    let newline = UInt8(ascii: "\n")
    try await eventually("a line") {
      if !received.contains(newline) { try receive() }
      return received.contains(newline)
    }
    let end = received.firstIndex(of: newline) ?? received.endIndex
    defer { received.removeFirst(end + 1) }
    return String(decoding: received[..<end], as: UTF8.self)
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count == 0 { throw ConditionTimeout(what: "a line: the connection ended") }
    if count > 0 { received += buffer[..<count] }
  }
}

/// A connection that is read on a queue of its own: the sandbox runs in this process, and its
/// responses need the few threads of Swift's tasks.
final class BlockingSocket: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "blocking socket")

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Far longer than the 15 s that an agent lets a caller wait, for a loaded machine.
    limitReads(of: descriptor, to: 300)
  }

  deinit { close(descriptor) }

  convenience init(unix path: String) throws { self.init(try connectedSocket(unix: path)) }

  convenience init(loopback port: UInt16) throws { self.init(try connectedSocket(loopback: port)) }

  /// Sends `text`, which may be as long as the kernel's buffer. A killed peer causes no SIGPIPE.
  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ConditionTimeout(what: "\(bytes.count) bytes sent: errno \(errno)")
    }
  }

  /// Sends `text` and returns the response up to the part that contains `end`, or up to the end of
  /// the connection.
  func exchange(_ text: String, until end: String? = "\n") async -> String {
    await withCheckedContinuation { continuation in
      queue.async {
        let isSent = text.isEmpty || (try? self.send(text)) != nil
        continuation.resume(returning: isSent ? self.response(until: end) : "")
      }
    }
  }

  private func response(until end: String?) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
      if let end, received.suffix(count + end.utf8.count).firstRange(of: Array(end.utf8)) != nil { break }
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// The next `count` lines, or fewer if the connection ends.
  func lines(_ count: Int) async -> [Data] {
    await withCheckedContinuation { continuation in
      queue.async {
        guard let file = fdopen(dup(self.descriptor), "r") else { return continuation.resume(returning: []) }
        defer { fclose(file) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        continuation.resume(
          returning: (0..<count).compactMap { _ in
            let length = getline(&line, &capacity, file)
            return length > 0 ? line.map { Data(bytes: $0, count: length) } : nil
          })
      }
    }
  }
}
