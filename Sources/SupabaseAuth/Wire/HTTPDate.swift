import FoundationEssentials

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
