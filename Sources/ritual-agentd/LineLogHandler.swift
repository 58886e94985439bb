import AgentProtocol
import Glibc
import Logging

/// Writes each entry as one line to standard error, with one write(2), so that lines of several threads do not mix.
struct LineLogHandler: LogHandler {
  let destination: LogDestination
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  /// Longer than any message of ours; what is longer is foreign.
  private static let longest = 2000

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }
    // The last gate before terminal and journal (PR-6): whatever got this far, a line stays a line.
    let line = ForeignText.shown("\(event.message)" + details.joined(), limit: Self.longest)
    Terminal.write(prefix(event.level) + line + "\n", to: STDERR_FILENO)
  }

  private func prefix(_ level: Logger.Level) -> String {
    switch destination {
    case .journal: "<\(level.priority)>"
    case .text: "\(Self.timeOfDay()) \(level.rawValue) "
    }
  }

  private static func quoted(_ value: String) -> String { value.contains(" ") ? "\"\(value)\"" : value }

  /// Local time, for a person in front of the terminal.
  private static func timeOfDay() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension Logger.Level {
  /// The priority of syslog(3).
  fileprivate var priority: Int32 {
    switch self {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}
