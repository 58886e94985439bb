import FoundationEssentials

/// Timestamps of RFC 3339, section 5.6, with any number of fraction digits: Go drops trailing zeros, so GoTrue writes
/// 0 to 9 of them, and Foundation's parsers expect none or three.
enum RFC3339 {
  /// The moment, to the precision of `Date`; nil for anything that is not a timestamp.
  static func date(_ text: String) -> Date? {
    var bytes = ArraySlice(text.utf8)
    guard let year = number(&bytes, 4), eat("-", &bytes), let month = number(&bytes, 2), eat("-", &bytes),
      let day = number(&bytes, 2), eat("Tt", &bytes), let hour = number(&bytes, 2), eat(":", &bytes),
      let minute = number(&bytes, 2), eat(":", &bytes), let second = number(&bytes, 2),
      let fraction = fraction(&bytes), let offset = offset(&bytes), bytes.isEmpty
    else { return nil }
    // 60 is a leap second (section 5.7); it counts as the first second of the next minute.
    guard let days = CivilCalendar.days(year, month, day), hour < 24, minute < 60, second <= 60 else { return nil }
    let seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// UTC with three fraction digits.
  static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>, _ digits: Int) -> Int? {
    guard bytes.count >= digits else { return nil }
    var value = 0
    for byte in bytes.prefix(digits) {
      guard let digit = digit(byte) else { return nil }
      value = value * 10 + digit
    }
    bytes = bytes.dropFirst(digits)
    return value
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  /// Takes one byte if it is one of `choices`.
  private static func eat(_ choices: StaticString, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard let byte = bytes.first, choices.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    bytes = bytes.dropFirst()
    return true
  }

  /// Nothing, or a point and 1 to 9 digits.
  private static func fraction(_ bytes: inout ArraySlice<UInt8>) -> Double? {
    guard eat(".", &bytes) else { return 0 }
    let digits = bytes.prefix { digit($0) != nil }
    guard (1...9).contains(digits.count), let value = number(&bytes, digits.count) else { return nil }
    return digits.reduce(Double(value)) { value, _ in value / 10 }
  }

  /// `Z`, or `+hh:mm` in seconds east of UTC.
  private static func offset(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    if eat("Zz", &bytes) { return 0 }
    let isWest = bytes.first == UInt8(ascii: "-")
    guard eat("+-", &bytes), let hours = number(&bytes, 2), eat(":", &bytes), let minutes = number(&bytes, 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}
