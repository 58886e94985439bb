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
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      bytes[19] == 90
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: bytes[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    unixSeconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    guard description == text else { return nil }
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
