import FoundationEssentials
import SystemSupport

/// Timestamps of RFC 3339, with 0 to 9 fraction digits: Go, and so GoTrue, drops trailing zeros.
enum RFC3339 {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The moment, to the precision of `Date`; nil if the text does not begin with a timestamp.
  static func date(_ text: String) -> Date? { try? style.parse(text) }
}

extension HTTPDate {
  static func date(_ text: String) -> Date? {
    unixSeconds(text).map { Date(timeIntervalSince1970: Double($0)) }
  }
}
