/// Percent-encoding of RFC 3986, section 2: everything but the unreserved characters.
package enum PercentEncoding {
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `?name=value&…`, in the order given.
  package static func query(_ items: [(String, String)]) -> String {
    "?" + items.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
  }

  /// The byte of the escape `%xx` at the beginning of `text`; nil if there is none.
  package static func escape(_ text: ArraySlice<UInt8>) -> UInt8? {
    guard text.first == UInt8(ascii: "%"), text.count >= 3 else { return nil }
    let digits = text.dropFirst().prefix(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard let high = digits[0], let low = digits[1] else { return nil }
    return UInt8(high << 4 | low)
  }

  /// Decodes once, as a server does; bytes outside of escapes stay unchanged.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let escape = escape(bytes[index...])
      result.append(escape ?? bytes[index])
      index += escape == nil ? 1 : 3
    }
    return result
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) }
}
