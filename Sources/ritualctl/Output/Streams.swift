import AgentProtocol
import Glibc
import SystemSupport

/// Standard input, output and error without stdio, whose globals Swift 6 does not allow.
enum Streams {
  /// Writes all of `text`. A closed pipe ends the program by SIGPIPE, as it does every filter.
  static func write(_ text: String, to descriptor: Int32) throws {
    try write(Array(text.utf8), to: descriptor)
  }

  /// - Parameter what: what the bytes are, or where they go, for the error.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ what: String = "the answer") throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw Failure(.failed, "\(ForeignText.shown(what)) cannot be written: \(words(of: errno))")
      }
      written += count
    }
  }

  /// A line of `descriptor` without its end; nil at the end of the stream. Not a byte beyond the line is read, so that the
  /// rest is there for whoever reads next.
  static func readLine(from descriptor: Int32, limit: Int) throws -> String? {
    var line: [UInt8] = []
    while true {
      guard let byte = try read(1, from: descriptor).first else { return line.isEmpty ? nil : text(line) }
      guard byte != UInt8(ascii: "\n") else { return text(line) }
      guard line.count < limit else { throw tooLong(limit) }
      line.append(byte)
    }
  }

  /// All of `descriptor`.
  static func readAll(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    while true {
      let part = try read(64 * 1024, from: descriptor)
      guard !part.isEmpty else { return result }
      result += part
      guard result.count <= limit else { throw tooLong(limit) }
    }
  }

  /// A secret that a script hands in: standard input without the newline at its end.
  static func readSecret(_ what: String, limit: Int) throws -> String {
    let line = try readLine(from: STDIN_FILENO, limit: limit)
    guard let line, !line.isEmpty else { throw Failure(.usage, "standard input holds no \(what)") }
    return line
  }

  private static func read(_ count: Int, from descriptor: Int32) throws -> [UInt8] {
    while true {
      var failed = false
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let result = Glibc.read(descriptor, buffer.baseAddress, count)
        failed = result < 0
        filled = max(0, result)
      }
      if !failed { return bytes }
      guard errno == EINTR else {
        throw Failure(.failed, "the input cannot be read: \(words(of: errno))")
      }
    }
  }

  private static func text(_ line: [UInt8]) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
  }

  private static func tooLong(_ limit: Int) -> Failure { Failure(.usage, "the input is longer than \(limit) bytes") }
}
