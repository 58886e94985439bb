import FoundationEssentials
import Glibc

/// A JSON value, for data without its own type: metadata, claims, and responses built member by
/// member.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses exactly one document; trailing bytes are an error.
  init(parsing bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
  }

  /// The document with sorted keys, so that responses are reproducible.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for NaN and infinity, which neither JSON text nor this module's code can
    // produce.
    return (try? encoder.encode(self)).map(Array.init) ?? Array("null".utf8)
  }

  subscript(member: String) -> JSON? {
    if case .object(let members) = self { members[member] } else { nil }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var int: Int? { if case .int(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }

  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// A string, or `null` for nil.
  static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

/// Encodings and random strings of the wire format.
enum Text {
  /// Lowercase hexadecimal digits.
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Base64url without padding (RFC 4648 section 5).
  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func base64URLDecoded(_ text: some StringProtocol) -> [UInt8]? {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map(Array.init)
  }

  static func sha256Hex(_ text: String) -> String { hex(Digest.sha256(Array(text.utf8))) }

  /// Returns `count` characters of `alphabet`, from the system's random number generator.
  static func random(_ count: Int, from alphabet: String = "abcdefghijklmnopqrstuvwxyz234567") -> String {
    let letters = Array(alphabet)
    return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  /// A random UUID in lowercase, as Go prints it.
  static func uuid() -> String { UUID().uuidString.lowercased() }

  /// The text with HTML's five special characters escaped, for element content and attribute
  /// values.
  static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}

/// An instant of the sandbox's clock: nanoseconds since 1970-01-01T00:00:00Z.
struct Moment: Comparable, Hashable, Sendable {
  var nanoseconds: Int64

  /// Whole seconds since 1970, rounded down, as in `exp`, `iat` and `expires_at`.
  var unixSeconds: Int { Int(nanoseconds / 1_000_000_000) }

  /// The instant as PostgreSQL stores it, in microseconds.
  var truncatedToMicroseconds: Moment { Moment(nanoseconds: nanoseconds / 1000 * 1000) }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  func adding(seconds: Double) -> Moment {
    Moment(nanoseconds: nanoseconds + Int64(seconds * 1_000_000_000))
  }

  /// RFC 3339 in UTC with `digits` fraction digits; nil selects Go's rule: nine digits without
  /// trailing zeros.
  func rfc3339(digits: Int? = nil) -> String {
    // The 1 keeps the zeros in front.
    let fraction = String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst()
    var kept = fraction.prefix(digits ?? 9)
    if digits == nil { while kept.hasSuffix("0") { kept.removeLast() } }
    return formatted("%Y-%m-%dT%H:%M:%S") + (kept.isEmpty ? "" : "." + kept) + "Z"
  }

  /// IMF-fixdate of RFC 9110 section 5.6.7, for the `Date` header.
  var httpDate: String { formatted("%a, %d %b %Y %H:%M:%S GMT") }

  /// The time in UTC by strftime(3), in the C locale, which no code here changes.
  private func formatted(_ format: String) -> String {
    var (time, parts) = (time_t(unixSeconds), tm())
    gmtime_r(&time, &parts)
    return String(unsafeUninitializedCapacity: 40) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, format, &parts) }
    }
  }
}
