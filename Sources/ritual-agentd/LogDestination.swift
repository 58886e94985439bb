import Glibc
import Logging

/// Where the log goes, and in which form.
enum LogDestination {
  /// The journal, with fields (sd_journal_sendv(3)); it adds the time itself.
  case journal
  /// A terminal or a file: the time and the level in words.
  case text

  /// systemd.exec(5): JOURNAL_STREAM holds the device and inode of the stream to the journal, and is inherited; it counts
  /// only if our standard error is still that stream.
  static func ofThisProcess() -> LogDestination {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }), fstat(STDERR_FILENO, &status) == 0
    else { return .text }
    return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .text
  }

  /// Makes this the destination of every logger of the process. Once only.
  func install(level: Logger.Level) {
    LoggingSystem.bootstrap { [self] _ in
      switch self {
      case .journal: JournalLogHandler(logLevel: level)
      case .text: LineLogHandler(logLevel: level)
      }
    }
  }
}
