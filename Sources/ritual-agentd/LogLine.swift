import AgentProtocol
import Glibc
import Logging

/// An entry of the log as one line of text.
struct LogLine {
  /// Longer than any message of ours; what is longer is foreign.
  private static let longest = 2000

  let text: String

  /// The message, and behind it what it is about, in the order of the names. Which event it is says the message already.
  init(_ message: Logger.Message, _ metadata: Logger.Metadata) {
    let details = metadata.filter { $0.key != "event" }.sorted { $0.key < $1.key }
      .map { " \($0.key)=\(Self.quoted("\($0.value)"))" }
    // The last gate before terminal and journal (PR-6): whatever got this far, a line stays a line.
    text = ForeignText.shown("\(message)" + details.joined(), limit: Self.longest)
  }

  private static func quoted(_ value: String) -> String { value.utf8.contains(0x20) ? "\"\(value)\"" : value }
}
