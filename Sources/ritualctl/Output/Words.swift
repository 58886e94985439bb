import AgentProtocol

/// Text for a person. Everything that prints for people takes `Words`, and a `String` becomes a part of
/// them only escaped: what comes from the agent, a server, a file or the command line cannot control the
/// terminal.
///
/// Literals are ours and stay as they are. An interpolated string is escaped and shortened by
/// `ForeignText`, to `limit` characters if one is given: `"\(path, limit: 4096)"`.
struct Words: Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The escaped text.
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Escapes a foreign text.
  init(_ foreign: some StringProtocol, limit: Int = ForeignText.limit) {
    text = ForeignText.shown(String(foreign), limit: limit)
  }

  /// Escapes a foreign text of several lines. Newlines and tabs are kept, and the length is not
  /// limited, because the user requested this text.
  init(lines foreign: String) {
    text = foreign.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { ForeignText.shown(String($0), limit: .max) }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Text that this program made of harmless parts, or that was escaped before.
  init(harmless text: String) { self.text = text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ words: Words) { text += words.text }

    mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

    /// Disfavored, so that a literal in an interpolation is one of `Words`.
    @_disfavoredOverload
    mutating func appendInterpolation(_ foreign: some StringProtocol, limit: Int = ForeignText.limit) {
      text += Words(foreign, limit: limit).text
    }
  }

  var description: String { text }

  var isEmpty: Bool { text.isEmpty }

  static func + (left: Words, right: Words) -> Words { Words(harmless: left.text + right.text) }

  static func += (left: inout Words, right: Words) { left.text += right.text }

  /// The words as the start of a sentence.
  var capitalized: Words { Words(harmless: text.prefix(1).uppercased() + text.dropFirst()) }

  func padded(to count: Int) -> Words { Words(harmless: text.padded(to: count)) }

  /// The text with its middle replaced by an ellipsis, in at most `limit` columns.
  func shortened(to limit: Int) -> Words { Words(harmless: DisplayText.shortened(text, to: limit)) }
}

extension Sequence<Words> {
  func joined(separator: Words = "") -> Words { Words(harmless: map(\.text).joined(separator: separator.text)) }
}

extension Sequence where Element: StringProtocol {
  /// The foreign texts, each escaped, in a list such as `work, home`.
  func listed(limit: Int = ForeignText.limit) -> Words { map { Words($0, limit: limit) }.joined(separator: ", ") }
}
