import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

// Output rules of ritualctl:
// - Standard output carries only the answer, for scripts to read. Everything else goes to standard
//   error.
// - A message on standard error starts with `ritualctl: `, without a capital and a full stop.
//   Messages from the agent are shown unchanged. The next step, a command if there is one, follows
//   on an indented line.
// - With --json a command prints one document with sorted keys and "formatVersion": 1: the answer
//   on standard output, or the error on standard error. Warnings are in its member "warnings";
//   notes are omitted. A command that follows events prints one document per line.
// - On a terminal, long lines are folded between words (`Style.folded`); what is to be copied is not.
// - --quiet suppresses notes, but never an answer, a warning or an error. A cancelled command
//   prints no message.
// - A question goes to the terminal (/dev/tty), so that it works with redirected streams.
// - Text for people is of the type `Words`, which escapes foreign text. In JSON it is escaped with \u.
//   Color never carries information that the text lacks. Each stream has its own Style.

/// The output of a command: its answer, notes, warnings and errors.
final class Output {
  var json: Bool
  let quiet: Bool
  /// The abilities of standard output.
  let style: Style
  /// The abilities of standard error.
  private let errorStyle: Style
  /// Creates the document that `finish` prints, from the warnings.
  private var document: (([String]) throws -> String)?
  private var warnings: [String] = []

  init(json: Bool, quiet: Bool, style: Style, errorStyle: Style) {
    (self.json, self.quiet, self.style, self.errorStyle) = (json, quiet, style, errorStyle)
  }

  /// Prints the answer: `value` as JSON, which `finish` prints because warnings may follow, or the text.
  ///
  /// - Parameter isFolded: false for a text that is to be copied or read by a program.
  func answer(_ value: some Codable, isFolded: Bool = true, _ text: (Style) -> Words) throws {
    guard json else { return try print((isFolded ? style.folded(text(style)) : text(style)).text) }
    document = { try Document(value, warnings: $0).text }
  }

  func answer(_ value: some Codable, _ text: Words, isFolded: Bool = true) throws {
    try answer(value, isFolded: isFolded) { _ in text }
  }

  func answer<Value: Answer>(_ value: Value) throws { try answer(value, isFolded: Value.isFolded, value.text) }

  /// Prints one of several answers immediately.
  func stream<Value: Answer>(_ value: Value) throws {
    let text = value.text(style)
    try print(json ? Document(value).text : (Value.isFolded ? style.folded(text) : text).text)
  }

  /// Prints the document of a command that succeeded.
  func finish() throws {
    guard let document else { return }
    self.document = nil
    try print(document(warnings))
  }

  private func print(_ text: String) throws {
    try Streams.write(text.isEmpty ? "" : text + "\n", to: STDOUT_FILENO)
  }

  /// Prints additional information, unless --quiet or --json is given.
  func note(_ words: Words) {
    if !quiet { remark(words) }
  }

  /// Prints a warning, or adds it to the document.
  func warning(_ words: Words) {
    if json { warnings.append(words.text) } else { remark(errorStyle.marked("warning:", .yellow) + " " + words) }
  }

  /// Prints a message immediately, even with --quiet, such as the URL of a sign-in. With --json it
  /// prints nothing, so the document must contain the information.
  func remark(_ words: Words) { remark(words, nil) }

  private func remark(_ words: Words, _ color: Style.Color?) {
    guard !json else { return }
    // A write error on standard error cannot be reported anywhere.
    let text = errorStyle.folded(errorStyle.marked("ritualctl:", color) + " " + words)
    try? Streams.write("\(text)\n", to: STDERR_FILENO)
  }

  /// Prints why the command failed, and the next steps. `status` replaces the failure's own exit
  /// status.
  func failure(_ failure: Failure, showsKind: Bool = false, status: Int32? = nil) {
    // Nobody reads the output any more, as `ritualctl status | true`.
    if failure.kind == Failure.closedPipe.kind { return }
    if json {
      let error = ErrorDocument(failure, status: status ?? failure.exit.rawValue)
      let document = try? Document(error, warnings: warnings).text
      try? Streams.write((document ?? "{}") + "\n", to: STDERR_FILENO)
    } else if failure.exit != .cancelled {
      remark(failure.text(showsKind: showsKind), .red)
    }
  }
}

/// An answer that can be rendered as JSON and as text. It must encode as an object, and is decodable too,
/// because the schema of the document is derived from it (`JSONDocument`).
protocol Answer: Codable {
  /// The text for a person.
  func text(_ style: Style) -> Words
  /// Whether long lines of the text are folded on a terminal. A text to copy is not.
  static var isFolded: Bool { get }
}

extension Answer {
  static var isFolded: Bool { true }
}

/// The type of a document that a command prints with `--json`, from which docs/json-output.md is
/// generated.
struct JSONDocument: Sendable {
  let type: any (Decodable & Sendable).Type
  /// When the command prints this document, if it has several.
  let when: String?

  init(_ type: any (Decodable & Sendable).Type, _ when: String? = nil) { (self.type, self.when) = (type, when) }
}

/// The JSON document of `--json`: one line, sorted keys including `formatVersion`, without
/// characters that control a terminal.
struct Document<Value: Encodable>: Encodable {
  /// The version of the format. It increases when an existing script would misread a document.
  static var formatVersion: Int { 1 }

  private let value: Value
  private let warnings: [String]

  /// Creates the document of a value that encodes as an object.
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

/// Escapes JSON for a terminal: the encoder's output can contain DEL, C1 controls and bidirectional
/// marks. JSON is ASCII outside of strings, so every character that `ForeignText` would escape is
/// in a string and can be written as `\u` (RFC 8259, section 7).
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

/// Reads and writes the standard streams without stdio, because Swift 6 does not allow its globals.
enum Streams {
  /// Writes all of `text`. If the pipe is closed, SIGPIPE ends the program, as for every filter; where
  /// the caller ignores SIGPIPE, the failure has no message.
  static func write(_ text: String, to descriptor: Int32) throws {
    try write(Array(text.utf8), to: descriptor)
  }

  /// Writes all of `bytes`.
  /// - Parameter what: the content or the destination, for the error message.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ what: String = "the output") throws {
    do { try Descriptor.writeAll(descriptor, bytes) } catch {
      if error.errno == EPIPE { throw Failure.closedPipe }
      throw Failure(.failed, "\(what) cannot be written: \(errorDescription(error.errno))")
    }
  }

  /// Reads a line and returns it without its line ending; nil at the end of the stream. Never reads
  /// beyond the line, so that a later reader gets the rest.
  /// - Throws: wrong usage for more than `limit` bytes, and for a line that is not UTF-8.
  static func readLine(from descriptor: Int32, limit: Int) throws -> String? {
    var line: [UInt8] = []
    while true {
      guard let byte = try byte(from: descriptor) else { return line.isEmpty ? nil : try text(line) }
      guard byte != UInt8(ascii: "\n") else { return try text(line) }
      guard line.count < limit else { throw tooLong(limit) }
      line.append(byte)
    }
  }

  /// Reads to the end of the stream.
  /// - Throws: wrong usage for more than `limit` bytes.
  static func readAll(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    let bytes = try readStart(from: descriptor, limit: limit)
    guard bytes.count <= limit else { throw tooLong(limit) }
    return bytes
  }

  /// Reads to the end of the stream, or soon after more than `limit` bytes.
  static func readStart(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    do { return try Descriptor.readAll(descriptor, limit: limit) } catch { throw unreadable(error) }
  }

  /// Waits for at most `count` bytes; empty at the end of the stream.
  static func read(from descriptor: Int32, count: Int) throws -> [UInt8] {
    do { return try Descriptor.read(descriptor, count: count) } catch { throw unreadable(error) }
  }

  /// Reads a secret that a script passes: the first line of standard input.
  static func readSecret(_ what: String, limit: Int) throws -> String {
    let line = try readLine(from: STDIN_FILENO, limit: limit)
    guard let line, !line.isEmpty else { throw Failure(.usage, "no \(what) on standard input") }
    return line
  }

  private static func byte(from descriptor: Int32) throws -> UInt8? {
    try read(from: descriptor, count: 1).first
  }

  private static func unreadable(_ error: SystemCallError) -> Failure {
    Failure(.failed, "the input cannot be read: \(errorDescription(error.errno))")
  }

  /// Repaired text would be another secret, and the same one for several wrong bytes.
  private static func text(_ line: [UInt8]) throws -> String {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure(
        .usage, "the input is not UTF-8 and was not sent", hint: "check the encoding of the file or terminal")
    }
    return text
  }

  private static func tooLong(_ limit: Int) -> Failure { Failure(.usage, "the input is longer than \(limit) bytes") }
}
