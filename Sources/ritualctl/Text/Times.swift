import AgentProtocol
import ArgumentParser
import Glibc
import SystemSupport
import WebURLs

/// Times as all commands show them to people. Documents of `--json` have RFC 3339 in UTC.
enum Times {
  static var now: Timestamp { Timestamp(unixSeconds: Int64(time(nil))) }

  /// A time relative to now: "in 54 min", "now", "5 min ago", "in 2 d".
  static func relative(_ moment: Timestamp, now: Timestamp = now) -> Words {
    let seconds = moment.unixSeconds - now.unixSeconds
    if seconds == 0 { return "now" }
    return seconds > 0 ? "in \(durationText(seconds))" : "\(durationText(-seconds)) ago"
  }

  /// The time of the next attempt: "in 54 min", or "now" for one that is overdue and begins at any
  /// moment.
  static func upcoming(_ moment: Timestamp, now: Timestamp = now) -> Words { relative(max(moment, now), now: now) }

  /// The local time with its zone: "14:32 CET" for today, else "2026-11-22 14:32 CET".
  static func clock(_ moment: Timestamp, now: Timestamp = now) -> Words {
    let (then, today) = (LocalTime(unixSeconds: moment.unixSeconds), LocalTime(unixSeconds: now.unixSeconds))
    let clock: Words = "\(then.time.prefix(5)) \(then.zone, limit: 10)"
    return then.date == today.date ? clock : "\(then.date) \(clock)"
  }

  /// A sentence of the agent, with its times as local times. The agent writes them in UTC, because
  /// it does not know the reader's zone.
  static func localized(_ sentence: Words, now: Timestamp = now) -> Words {
    sentence.text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let (time, rest) = (word.prefix { $0 != "Z" } + "Z", word.drop { $0 != "Z" }.dropFirst())
      guard word.contains("Z"), rest.allSatisfy(\.isPunctuation), let moment = Timestamp(String(time)) else {
        return Words(harmless: String(word))
      }
      return "\(clock(moment, now: now))\(rest)"
    }.joined(separator: " ")
  }
}

/// The value of `--assurance`.
enum Assurance: String, CaseIterable, ExpressibleByArgument {
  case aal1, aal2
}

/// The output format of `token`.
enum TokenFormat: String, ExpressibleByArgument, CaseIterable {
  case raw, header, headers, env, json, curl

  /// Formats the token. For `json`, returns the token itself, because the caller prints a document.
  /// - Parameter key: The project's key, for `headers`.
  func text(_ token: String, key: String? = nil) -> String {
    switch self {
    case .headers:
      "{\"Authorization\":\(Quoted.literal("Bearer \(token)"))"
        + (key.map { ",\"apikey\":\(Quoted.literal($0))" } ?? "") + "}"
    case .raw, .json: token
    case .header: "Authorization: Bearer \(token)"
    case .env: "export RITUAL_ACCESS_TOKEN=\(Quoted.shell(token))"
    case .curl: "header = \(Quoted.literal("Authorization: Bearer \(token)"))"
    }
  }

  /// Checks a token from the server, which is visible ASCII (RFC 6750, section 2.1). A newline in it would start another header or another shell
  /// command.
  static func check(_ token: String) throws {
    guard token.isVisibleASCII else { throw Failure(.failed, "the server's access token contains invalid characters") }
  }
}

/// Quoting for other languages.
enum Quoted {
  /// Quotes text as one word of a POSIX shell (Shell Command Language, 2.2.2).
  static func shell(_ text: String) -> String {
    "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }

  /// Quotes text as one word only if necessary, because a quoted tilde is not expanded.
  static func ifNeeded(_ words: Words) -> Words { Words(harmless: ifNeeded(words.text)) }

  static func ifNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "/._-@+".utf8.contains($0)
    }
    return isPlain ? text : shell(text)
  }

  /// The text as a value in a configuration file of curl (curl(1), --config), and as a string literal of
  /// Python, JavaScript, Go and JSON.
  static func literal(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      if scalar == "\\" || scalar == "\"" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    } + "\""
  }
}
