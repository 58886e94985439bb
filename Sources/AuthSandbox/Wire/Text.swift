import Crypto
import FoundationEssentials

/// Encodings and random texts of the wire format.
enum Text {
  /// Lower-case hexadecimal digits.
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// RFC 4648 section 5, without padding.
  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func base64URLDecoded(_ text: some StringProtocol) -> [UInt8]? {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map(Array.init)
  }

  static func sha256Hex(_ text: String) -> String { hex(SHA256.hash(data: Array(text.utf8))) }

  /// `count` characters out of `alphabet`, from the system's generator.
  static func random(_ count: Int, from alphabet: String = "abcdefghijklmnopqrstuvwxyz234567") -> String {
    let letters = Array(alphabet)
    return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  /// A random UUID as Go prints it, in lower case.
  static func uuid() -> String { UUID().uuidString.lowercased() }

  /// The text with the five characters of HTML escaped, for element content and attribute values alike.
  static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
