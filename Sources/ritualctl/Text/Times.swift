import AgentProtocol
import ArgumentParser
import Glibc
import SystemSupport

/// Readable durations and times of day.
enum Times {
  static var now: Timestamp { Timestamp(unixSeconds: Int64(time(nil))) }

  /// A duration in its largest nonzero unit: "40 s", "41 min", "5 h", "3 d".
  static func length(_ seconds: Int64) -> String {
    switch max(0, seconds) {
    case ..<60: "\(max(0, seconds)) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// The local time: "14:32" for today, else "2026-11-22 14:32".
  static func clock(_ moment: Timestamp, now: Timestamp = now) -> String {
    let (then, today) = (LocalTime(unixSeconds: moment.unixSeconds), LocalTime(unixSeconds: now.unixSeconds))
    let clock = String(then.time.prefix(5))
    return then.date == today.date ? clock : "\(then.date) \(clock)"
  }
}

/// The output format of `token`.
enum TokenFormat: String, ExpressibleByArgument, CaseIterable {
  case raw, header, env, json, curl

  /// Formats the token. For `json`, returns the token itself, because the caller prints a document.
  func text(_ token: String) -> String {
    switch self {
    case .raw, .json: token
    case .header: "Authorization: Bearer \(token)"
    case .env: "export RITUAL_ACCESS_TOKEN=\(Quoted.shell(token))"
    case .curl: "header = \(Quoted.curl("Authorization: Bearer \(token)"))"
    }
  }

  /// Whether the text is visible ASCII, as every token is (RFC 6750, section 2.1).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Checks a token from the server. A newline in it would start another header or another shell
  /// command.
  static func check(_ token: String) throws {
    guard isToken(token) else { throw Failure(.failed, "the server's access token contains invalid characters") }
  }
}

/// Quoting for other languages.
enum Quoted {
  /// Quotes text as one word of a POSIX shell (Shell Command Language, 2.2.2).
  static func shell(_ text: String) -> String {
    "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }

  /// Quotes text as a value in a configuration file of curl (curl(1), --config).
  static func curl(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
