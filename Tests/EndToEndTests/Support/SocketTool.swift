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
