import Glibc

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Equatable {
  package let year: Int64
  /// 1 to 12.
  package let month: Int64
  /// 1 to 31.
  package let day: Int64

  // By Howard Hinnant's "chrono-compatible low-level date algorithms": years begin in March, so that the leap day is the
  // last day of a year; 146097 days are 400 years, and 719468 lie between 0000-03-01 and 1970.

  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  }

  /// Returns nil for a day that does not exist, and for years before 0 and after 9999.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
  }

  package var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  /// Division that rounds toward minus infinity, so that times before 1970 keep their date.
  package func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`: the form of a date that RFC 9110, section 5.6.7, lets a sender write.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970; nil for any other text.
  package static func unixSeconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].count == 4, words[0].last == ",", words[5] == "GMT",
      let day = number(words[1], 2), let month = months.firstIndex(where: { $0 == words[2] }),
      let year = number(words[3], 4), let date = CivilDate(year: year, month: Int64(month) + 1, day: day),
      let seconds = timeOfDay(words[4])
    else { return nil }
    return date.daysSince1970 * 86_400 + seconds
  }

  private static func timeOfDay(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(text)
  }
}

/// A time of day and date in the zone of the process (localtime_r(3)).
package struct LocalTime: Sendable {
  /// Such as `2026-11-21`.
  package let date: String
  /// Such as `04:48:17`.
  package let time: String
  /// The zone's abbreviation at that time, such as `CET`, or its offset, such as `-03`.
  package let zone: String

  package init(unixSeconds: Int64 = Int64(Glibc.time(nil))) {
    var (seconds, parts) = (time_t(unixSeconds), tm())
    localtime_r(&seconds, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    date = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
    zone = parts.tm_zone.map { String(cString: $0) } ?? ""
  }
}

/// A duration in one unit, rounded: "40 s", "54 min", "5 h", "3 d". Negative durations are zero.
package func durationText(_ seconds: Int64) -> String {
  func rounded(_ unit: Int64) -> Int64 { seconds / unit + (seconds % unit * 2 >= unit ? 1 : 0) }
  return switch seconds {
  case ..<0: "0 s"
  case ..<90: "\(seconds) s"
  case ..<5400: "\(rounded(60)) min"
  case ..<129_600: "\(rounded(3600)) h"
  default: "\(rounded(86_400)) d"
  }
}
