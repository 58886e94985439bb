/// Escapes text from elsewhere (a server's error, a name, a path, a URL) before a terminal, a log,
/// a metric or a page shows it. Control and bidirectional characters are escaped, and the
/// length is limited.
public enum ForeignText {
  /// The default maximum of characters shown: enough for an error, too few to fill a screen.
  public static let limit = 200

  /// Returns `text` with unprintable characters written as `\u{…}`, and an ellipsis in place of
  /// what exceeds `limit` characters.
  public static func shown(_ text: String, limit: Int = limit) -> String {
    // Fast path: printable ASCII, by far the most common case, needs no Unicode tables.
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

  /// Returns escaped text for bytes that may not be UTF-8. Each invalid sequence is shown as
  /// U+FFFD.
  public static func shown(_ bytes: some Sequence<UInt8>, limit: Int = limit) -> String {
    shown(String(decoding: Array(bytes), as: UTF8.self), limit: limit)
  }

  /// Returns escaped text that is also safe in HTML text and attribute values.
  public static func html(_ text: String, limit: Int = limit) -> String {
    var result = ""
    // By scalar: a quotation mark with a combining mark is a different `Character`, but still ends
    // an attribute.
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

  /// Whether a scalar is printable and cannot affect the text around it. Excludes control, format
  /// (bidirectional, zero width), line separator, private-use and unassigned characters.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
