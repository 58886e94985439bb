import AgentCore
import AgentProtocol
import Glibc
import Logging

/// Hands each entry to the journal: the line that `journalctl` shows, and each thing that it is about as a field of its own,
/// `RITUAL_ACCOUNT`, `RITUAL_EVENT`, `RITUAL_ERROR_KIND` and so on (docs/systemd.md).
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
    // A journal that is gone for the moment: its stream may still take the line (sd-daemon(3): the priority comes first).
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
