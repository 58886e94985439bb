import Glibc
import Logging

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

  /// Local time, for a person in front of the terminal.
  private static func timeOfDay() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
