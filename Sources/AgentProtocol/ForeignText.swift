/// The one function that text from elsewhere (a server's error, a name, a path, an address) passes before a terminal,
/// a log, a metric or a page (PR-6): control and bidirectional characters are shown escaped, the length is bounded.
public enum ForeignText {
  /// The most characters that are shown: enough for an error, too few to fill a screen.
  public static let limit = 200

  /// `text` made harmless: what is not printable is written as `\u{…}`, and past `limit` characters an ellipsis stands.
  public static func shown(_ text: String, limit: Int = limit) -> String {
    // Nearly every text is one of these, which need no look at Unicode's tables.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      if isHarmless(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }

  /// The same for bytes that may not be UTF-8: each invalid sequence is shown as U+FFFD.
  public static func shown(_ bytes: some Sequence<UInt8>, limit: Int = limit) -> String {
    shown(String(decoding: Array(bytes), as: UTF8.self), limit: limit)
  }

  /// The same, escaped once more for HTML text and attribute values.
  public static func html(_ text: String, limit: Int = limit) -> String {
    var result = ""
    // By scalars: a quotation mark with a combining mark on it is another character, and still ends an attribute.
    for scalar in shown(text, limit: limit).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Printable, and without power over what is shown around it: no control, no format (bidirectional, zero width),
  /// no line separators, no private or unassigned characters.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
