import AgentProtocol
import Glibc

/// Times for a person: how long, and when by the clock on their wall.
enum Times {
  static var now: Timestamp { Timestamp(unixSeconds: Int64(time(nil))) }

  /// "40 s", "41 min", "5 h", "3 d": the largest unit that is not zero.
  static func length(_ seconds: Int64) -> String {
    switch max(0, seconds) {
    case ..<60: "\(max(0, seconds)) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// "14:32" for today, else "2026-11-22 14:32", in the zone of the user.
  static func clock(_ moment: Timestamp, now: Timestamp = now) -> String {
    let (then, today) = (local(moment), local(now))
    let clock = padded(then.tm_hour) + ":" + padded(then.tm_min)
    guard then.tm_year != today.tm_year || then.tm_yday != today.tm_yday else { return clock }
    return "\(then.tm_year + 1900)-\(padded(then.tm_mon + 1))-\(padded(then.tm_mday)) \(clock)"
  }

  private static func local(_ moment: Timestamp) -> tm {
    var (seconds, parts) = (time_t(moment.unixSeconds), tm())
    localtime_r(&seconds, &parts)
    return parts
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
