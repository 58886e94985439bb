import AgentCore
import AgentProtocol
import Glibc
import Logging
import SystemSupport

/// The destination and format of the log.
enum LogDestination {
  /// The journal, with fields (sd_journal_sendv(3)). The journal adds the time.
  case journal
  /// A terminal or a file, with the time and the name of the level.
  case text

  /// Returns the destination for this process. JOURNAL_STREAM (systemd.exec(5)) holds the device
  /// and inode of the journal stream. It is inherited, so it counts only if standard error is still
  /// that stream.
  static func ofThisProcess() -> LogDestination {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }), fstat(STDERR_FILENO, &status) == 0
    else { return .text }
    return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .text
  }

  /// Makes this the destination of every logger of the process. Must be called only once.
  func install(level: Logger.Level) {
    LoggingSystem.bootstrap { [self] _ in
      switch self {
      case .journal: JournalLogHandler(logLevel: level)
      case .text: LineLogHandler(logLevel: level)
      }
    }
  }
}

/// Writes each entry to the journal: the line that `journalctl` shows, and each metadata value as a
/// field, such as `RITUAL_ACCOUNT`, `RITUAL_EVENT` and `RITUAL_ERROR_KIND` (docs/systemd.md).
struct JournalLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = LogLine(event.message, all)
    var entry = JournalEntry(line.text, priority: event.level.priority, identifier: "ritual-agentd")
    for (key, value) in all {
      // Only errors have a kind.
      entry.add("RITUAL_" + (key == "kind" ? "ERROR_KIND" : key), ForeignText.shown("\(value)", limit: 1000))
    }
    // If the journal is unavailable, its stream may still accept the line (sd-daemon(3): the
    // priority comes first).
    if !entry.send() { Terminal.write("<\(event.level.priority)>\(line.text)\n", to: STDERR_FILENO) }
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

/// Writes each entry as one line to standard error, with one write(2), so that lines of several threads do not mix.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = LogLine(event.message, metadata.merging(event.metadata ?? [:]) { $1 })
    Terminal.write("\(Self.timeOfDay()) \(event.level.rawValue) \(line.text)\n", to: STDERR_FILENO)
  }

  /// The local time of day, for a person at the terminal.
  private static func timeOfDay() -> String { LocalTime().time }
}

/// A log entry as one line of text.
struct LogLine {
  /// Maximum characters of a line: more than the agent's own messages need.
  private static let maxLength = 2000

  let text: String

  /// The message, followed by the metadata in the order of its keys. The `event` key is left out,
  /// because the message already names the event.
  init(_ message: Logger.Message, _ metadata: Logger.Metadata) {
    let details = metadata.filter { $0.key != "event" }.sorted { $0.key < $1.key }
      .map { " \($0.key)=\(Self.quoted("\($0.value)"))" }
    // The last check before terminal and journal: whatever an entry contains, it stays one
    // line.
    text = ForeignText.shown("\(message)" + details.joined(), limit: Self.maxLength)
  }

  private static func quoted(_ value: String) -> String { value.utf8.contains(0x20) ? "\"\(value)\"" : value }
}
