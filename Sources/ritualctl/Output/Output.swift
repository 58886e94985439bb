import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

// The voice of ritualctl:
// - Standard output carries the answer alone: what a script reads. All else goes to standard error.
// - There every line of ours begins with `ritualctl: `, without capital and full stop. The agent's words for a user are
//   shown as they are. The next step, a command if there is one, stands below, indented.
// - With --json a command prints one document, with sorted keys and "formatVersion": 1: its answer on standard output, or
//   its error on standard error. Warnings are its member "warnings"; notes are left out. A command that follows events
//   prints one document a line.
// - --quiet silences notes; never an answer, a warning or an error. A cancelled sign-in says nothing (SI-10).
// - A question goes to the terminal itself (/dev/tty), so that it works with redirected streams.
// - Text from elsewhere passes ForeignText, in JSON as \u escapes. Colour says nothing that the words do not.

/// Where a command's answer and its remarks go.
final class Output {
  var json: Bool
  let quiet: Bool
  let style: Style
  /// Makes the document that is printed at the end of the command, with the warnings.
  private var document: (([String]) throws -> String)?
  private var warnings: [String] = []

  init(json: Bool, quiet: Bool, style: Style) {
    (self.json, self.quiet, self.style) = (json, quiet, style)
  }

  /// Prints the answer; with --json `finish` does, for warnings may follow.
  func answer(_ answer: some Answer) throws {
    guard json else { return try print(answer.text(style)) }
    let value = answer.value
    document = { try Document(value, warnings: $0).text }
  }

  /// Prints one answer of many, at once.
  func stream(_ answer: some Answer) throws {
    try print(json ? Document(answer.value).text : answer.text(style))
  }

  /// The command has ended well: prints its document.
  func finish() throws {
    guard let document else { return }
    self.document = nil
    try print(document(warnings))
  }

  private func print(_ text: String) throws {
    try Streams.write(text.isEmpty ? "" : text + "\n", to: STDOUT_FILENO)
  }

  /// Something worth knowing.
  func note(_ words: String) {
    if !quiet { remark(words) }
  }

  /// Something that the user should look at.
  func warning(_ words: String) {
    if json { warnings.append(words) } else { remark("warning: " + words) }
  }

  /// Something that has to be said at once, whatever --quiet says: the URL of a sign-in. With --json there is no place for
  /// it, and whatever matters has to be in the document.
  func remark(_ words: String) {
    guard !json else { return }
    // Standard error is the last resort: nobody could be told that it is broken.
    try? Streams.write("ritualctl: \(words)\n", to: STDERR_FILENO)
  }

  /// Why the command failed, and what to do next. `status` is the exit status, where it is not the failure's own.
  func failure(_ failure: Failure, showsKind: Bool = false, status: Int32? = nil) {
    if json {
      let error = ErrorDocument(failure, status: status ?? failure.exit.rawValue)
      let document = try? Document(error, warnings: warnings).text
      try? Streams.write((document ?? "{}") + "\n", to: STDERR_FILENO)
    } else if failure.exit != .cancelled {
      remark(failure.text(showsKind: showsKind))
    }
  }

  /// What the parser of the command line found wrong.
  func usage(_ text: String) {
    if json {
      failure(Failure(.usage, text))
    } else {
      try? Streams.write("ritualctl: \(ForeignText.shownLines(text))\n", to: STDERR_FILENO)
    }
  }
}

/// An answer: a value that is rendered twice.
protocol Answer {
  associatedtype Value: Encodable
  /// What --json prints: an object.
  var value: Value { get }
  /// What a person reads; nothing in it that could harm a terminal.
  func text(_ style: Style) -> String
}

/// A value as the JSON document that `--json` prints: one line, keys sorted, `formatVersion` among them, and nothing in it
/// that a terminal could obey.
struct Document<Value: Encodable>: Encodable {
  /// Grows when a script that reads the documents would misread one.
  static var formatVersion: Int { 1 }

  private let value: Value
  private let warnings: [String]

  /// The document of a value that encodes as an object.
  init(_ value: Value, warnings: [String] = []) { (self.value, self.warnings) = (value, warnings) }

  private enum Key: String, CodingKey { case formatVersion, warnings }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.formatVersion, forKey: .formatVersion)
    if !warnings.isEmpty { try container.encode(warnings, forKey: .warnings) }
    try value.encode(to: encoder)
  }

  /// The document, without a newline.
  var text: String {
    get throws { HarmlessJSON.escaped(String(decoding: try WireCoding.encode(self), as: UTF8.self)) }
  }
}

/// JSON as the encoder writes it still holds DEL, C1 controls and bidirectional marks. Outside of strings there is only
/// ASCII, so whatever `ForeignText` would not show is inside of one and can be written as `\u` (RFC 8259, section 7).
enum HarmlessJSON {
  static func escaped(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if scalar.value <= 0x7E || isHarmless(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { result += "\\u" + fourDigits(unit) }
      }
    }
    return result
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(scalar)
    return ForeignText.shown(text) == text
  }

  private static func fourDigits(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// Standard input, output and error without stdio, whose globals Swift 6 does not allow.
enum Streams {
  /// Writes all of `text`. A closed pipe ends the program by SIGPIPE, as it does every filter.
  static func write(_ text: String, to descriptor: Int32) throws {
    try write(Array(text.utf8), to: descriptor)
  }

  /// - Parameter what: what the bytes are, or where they go, for the error.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ what: String = "the answer") throws {
    do { try Descriptor.writeAll(descriptor, bytes) } catch {
      throw Failure(.failed, "\(ForeignText.shown(what)) cannot be written: \(errorDescription(error.errno))")
    }
  }

  /// A line of `descriptor` without its end; nil at the end of the stream. Not a byte beyond the line is read, so that the
  /// rest is there for whoever reads next.
  static func readLine(from descriptor: Int32, limit: Int) throws -> String? {
    var line: [UInt8] = []
    while true {
      guard let byte = try byte(from: descriptor) else { return line.isEmpty ? nil : text(line) }
      guard byte != UInt8(ascii: "\n") else { return text(line) }
      guard line.count < limit else { throw tooLong(limit) }
      line.append(byte)
    }
  }

  /// All of `descriptor`.
  static func readAll(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    do {
      let bytes = try Descriptor.readAll(descriptor, limit: limit)
      guard bytes.count <= limit else { throw tooLong(limit) }
      return bytes
    } catch let error as SystemCallError {
      throw unreadable(error)
    }
  }

  /// A secret that a script hands in: standard input without the newline at its end.
  static func readSecret(_ what: String, limit: Int) throws -> String {
    let line = try readLine(from: STDIN_FILENO, limit: limit)
    guard let line, !line.isEmpty else { throw Failure(.usage, "standard input holds no \(what)") }
    return line
  }

  private static func byte(from descriptor: Int32) throws -> UInt8? {
    do { return try Descriptor.read(descriptor, count: 1).first } catch { throw unreadable(error) }
  }

  private static func unreadable(_ error: SystemCallError) -> Failure {
    Failure(.failed, "the input cannot be read: \(errorDescription(error.errno))")
  }

  private static func text(_ line: [UInt8]) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
  }

  private static func tooLong(_ limit: Int) -> Failure { Failure(.usage, "the input is longer than \(limit) bytes") }
}
