import AgentProtocol

/// A piece of a page. Text that is put into it is escaped by `ForeignText.html`: no place that builds a page can forget it.
///
///     let greeting: HTML = "<p>Hello, \(name)</p>"
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  /// Characters of one inserted text: the longest is an address in the form, 320 bytes at most.
  private static let limit = 400

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  private init(raw: String) { text = raw }

  /// The pieces one after the other, each on lines of its own.
  static func lines(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

  /// What stands in a raw text element (`style`), where nothing is escaped. For literals of this source alone.
  static func verbatim(_ source: StaticString) -> HTML { HTML(raw: "\(source)") }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ foreign: String) { text += ForeignText.html(foreign, limit: HTML.limit) }

    mutating func appendInterpolation(_ piece: HTML) { text += piece.text }

    mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
  }
}
