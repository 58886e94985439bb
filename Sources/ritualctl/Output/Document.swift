import AgentProtocol
import FoundationEssentials

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
