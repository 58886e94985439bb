import FoundationEssentials

/// Lenient decoding of untrusted JSON: a member that is missing, null or of another type is nil,
/// never an error.
extension KeyedDecodingContainer {
  func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }

  func text(_ key: Key) -> String? { lenient(String.self, key) }

  func date(_ key: Key) -> Date? { text(key).flatMap(RFC3339.date) }

  /// Returns an integer, also one that is written as `60.0`.
  func integer(_ key: Key) -> Int? {
    lenient(Int.self, key) ?? lenient(Double.self, key).flatMap { Int(exactly: $0) }
  }

  /// Returns the string members of an object.
  func texts(in key: Key) -> [String: String] {
    (try? nestedContainer(keyedBy: AnyKey.self, forKey: key).texts) ?? [:]
  }
}

extension KeyedDecodingContainer<AnyKey> {
  var texts: [String: String] {
    allKeys.reduce(into: [:]) { texts, key in texts[key.stringValue] = text(key) }
  }
}

/// A key that is not known in advance.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// An element that may be of another type, so that one invalid element does not reject the whole
/// list.
struct Lenient<Value: Decodable>: Decodable {
  let value: Value?
  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension String {
  /// True if the string is not empty and every byte is visible ASCII, so that it can stand in a
  /// header or a URL unchanged.
  var isPrintableASCII: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// The string if it can be a server's error code, else nil: at most 64 letters, digits, `_`, `-`,
  /// `.` and spaces (`invalid request` has one).
  var asServerCode: String? {
    guard !isEmpty, utf8.count <= 64 else { return nil }
    let isCode = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: " "):
        true
      default: false
      }
    }
    return isCode ? self : nil
  }
}
