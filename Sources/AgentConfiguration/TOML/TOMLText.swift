import AgentProtocol

/// Writing TOML 1.0.0.
enum TOMLText {
  /// A basic string. Control characters are escaped.
  static func basicString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A part of a key that is an account's or a project's name: bare where it may be; a dot would divide it.
  static func key(_ name: String) -> String { name.utf8.contains(UInt8(ascii: ".")) ? basicString(name) : name }

  /// A key of the file as an error shows it.
  static func shownKey(_ names: [String]) -> String { ForeignText.shown(names.joined(separator: "."), limit: 40) }
}
