import Glibc

/// An instant by the sandbox's clock: nanoseconds since 1970-01-01T00:00:00Z.
struct Moment: Comparable, Hashable, Sendable {
  var nanoseconds: Int64

  /// Whole seconds since 1970, rounded down, as in `exp`, `iat` and `expires_at`.
  var unixSeconds: Int { Int(nanoseconds / 1_000_000_000) }

  /// PostgreSQL keeps microseconds: what went through its tables has lost the rest.
  var truncatedToMicroseconds: Moment { Moment(nanoseconds: nanoseconds / 1000 * 1000) }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  func adding(seconds: Double) -> Moment {
    Moment(nanoseconds: nanoseconds + Int64(seconds * 1_000_000_000))
  }

  /// RFC 3339 in UTC with `digits` fraction digits, or by Go's rule (`digits` nil): nine, trailing zeros dropped.
  func rfc3339(digits: Int? = nil) -> String {
    let parts = civil
    let fraction = padded(Int(nanoseconds % 1_000_000_000), 9)
    var kept = String(fraction.prefix(digits ?? 9))
    if digits == nil { while kept.hasSuffix("0") { kept.removeLast() } }
    let head = "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    let time = "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    return head + "T" + time + (kept.isEmpty ? "" : "." + kept) + "Z"
  }

  /// IMF-fixdate of RFC 9110 section 5.6.7, for the `Date` header.
  var httpDate: String {
    let parts = civil
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let time = "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    let day = "\(padded(parts.day, 2)) \(months[parts.month - 1]) \(padded(parts.year, 4))"
    return "\(weekdays[parts.weekday]), \(day) \(time) GMT"
  }

  private var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int) {
    var time = time_t(unixSeconds)
    var broken = tm()
    gmtime_r(&time, &broken)
    return (
      Int(broken.tm_year) + 1900, Int(broken.tm_mon) + 1, Int(broken.tm_mday), Int(broken.tm_hour),
      Int(broken.tm_min), Int(broken.tm_sec), Int(broken.tm_wday)
    )
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
