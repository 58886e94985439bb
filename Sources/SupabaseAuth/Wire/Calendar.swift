import FoundationEssentials

/// The proleptic Gregorian calendar in UTC.
enum CivilCalendar {
  /// Days since 1970-01-01; nil for a day that does not exist.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(of: month, in: year) else {
      return nil
    }
    // Years begin in March here, so that the leap day is the last of its year; 146 097 days are 400 years.
    let y = month > 2 ? year : year - 1
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }
}

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

/// `Sun, 06 Nov 1994 08:49:37 GMT`: the one form that RFC 9110, section 5.6.7, lets a sender write.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].count == 4, words[0].last == ",", words[5] == "GMT",
      let day = number(words[1], 2), let month = months.firstIndex(where: { $0 == words[2] }),
      let year = number(words[3], 4), let days = CivilCalendar.days(year, month + 1, day),
      let seconds = timeOfDay(words[4])
    else { return nil }
    return Date(timeIntervalSince1970: Double(days * 86400 + seconds))
  }

  private static func timeOfDay(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }
}
