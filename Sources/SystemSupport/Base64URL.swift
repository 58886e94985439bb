package import FoundationEssentials

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7636, appendix A).
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let base64 = Data(bytes).base64EncodedString()
    return String(
      base64.prefix { $0 != "=" }.map { character in
        switch character {
        case "+": "-"
        case "/": "_"
        default: character
        }
      })
  }

  /// Nil for anything that `encode` would not write.
  package static func decode(_ text: some StringProtocol) -> Data? {
    guard text.utf8.allSatisfy(isDigit) else { return nil }
    var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while base64.utf8.count % 4 != 0 { base64.append("=") }
    guard let data = Data(base64Encoded: base64), encode(data) == text else { return nil }
    return data
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
