package import FoundationEssentials

/// Base64 with the URL-safe alphabet, without padding (RFC 4648, section 5; RFC 7636, appendix A).
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let base64 = Data(bytes).base64EncodedData()
    return String(decoding: base64.prefix { $0 != UInt8(ascii: "=") }.map(digit), as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: byte
    }
  }

  /// Decodes `text`; nil unless it is exactly what `encode` writes.
  package static func decode(_ text: some StringProtocol) -> Data? {
    guard text.utf8.allSatisfy(isDigit) else { return nil }
    let plain = text.utf8.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
    let padding = Array(repeating: UInt8(ascii: "="), count: (4 - plain.count % 4) % 4)
    guard let data = Data(base64Encoded: Data(plain + padding)), encode(data) == text else { return nil }
    return data
  }

  /// Inlinable, because the proxy looks at each digit of a placeholder token.
  @inlinable
  package static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension UInt8 {
  /// True for an ASCII letter or digit.
  package var isASCIIAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

package enum Hexadecimal {
  /// Decodes pairs of lowercase hexadecimal digits; nil for any other text.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    let digits = text.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension Sequence<UInt8> {
  /// The bytes as lowercase hexadecimal digits.
  package var hexadecimal: String {
    // Each record of the vault has a name of this kind, so nothing is allocated but the text.
    let bytes = Array(self)
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = Self.digit(byte >> 4)
        text[2 * index + 1] = Self.digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

/// Unpredictable random text.
package enum RandomText {
  /// Returns `count` random bytes in lowercase hexadecimal, which never begins with a hyphen like a
  /// command-line option. `SystemRandomNumberGenerator` reads getrandom(2), the kernel's generator:
  /// suitable for secrets, and it never fails once the machine has booted.
  package static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
  }

  /// Returns `count` random bytes in base64url.
  package static func base64url(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}

/// Comparison of secrets.
package enum ConstantTime {
  /// Returns whether both strings are equal. The time depends only on their lengths, so that an
  /// attacker cannot measure how many leading characters of a guess are right.
  package static func equal(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
