import SystemSupport

/// A time on the wire: RFC 3339 in UTC with whole seconds, such as `2026-11-21T04:48:17Z`. Coded as
/// that string.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let unixSeconds: Int64

  /// Creates a time from seconds since 1970-01-01T00:00:00Z.
  public init(unixSeconds: Int64) { self.unixSeconds = unixSeconds }

  /// The RFC 3339 text.
  public var description: String {
    let (days, second) = unixSeconds.quotientAndRemainder(flooringBy: 86_400)
    let date = CivilDate(daysSince1970: days)
    func padded(_ value: Int64, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(date.year, 4) + "-" + padded(date.month) + "-" + padded(date.day) + "T"
      + padded(second / 3600) + ":" + padded(second / 60 % 60) + ":" + padded(second % 60) + "Z"
  }

  /// Parses a time; nil unless `text` has exactly the format of `description`.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    // No text and no array is built: each record of an account has two times.
    func number(_ digits: Int, then separator: Unicode.Scalar) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<digits {
        guard let digit = rest.popFirst(), (0x30...0x39).contains(digit) else { return nil }
        value = value * 10 + Int64(digit - 0x30)
      }
      return rest.popFirst() == UInt8(ascii: separator) ? value : nil
    }
    guard let year = number(4, then: "-"), let month = number(2, then: "-"), let day = number(2, then: "T"),
      let hour = number(2, then: ":"), let minute = number(2, then: ":"), let second = number(2, then: "Z"),
      rest.isEmpty, hour < 24, minute < 60, second < 60, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    unixSeconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.unixSeconds < right.unixSeconds }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time in UTC")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
