/// The help and the usage errors of the programs that have no commands, in the form of `ritualctl`'s.
public enum ProgramText {
  /// The headings of the argument parser, and those of `ritualctl`.
  private static let headings = [
    ("OVERVIEW: ", ""), ("USAGE: ", "Usage: "), ("ARGUMENTS:", "Arguments:"), ("OPTIONS:", "Options:"),
  ]

  /// The parser's help with the headings of `ritualctl --help`.
  public static func help(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let (old, new) = headings.first(where: { line.hasPrefix($0.0) }) else { return String(line) }
      return new + line.dropFirst(old.count)
    }.joined(separator: "\n")
  }

  /// The parser's message without a capital and a full stop, and the command that shows the usage.
  public static func usageError(_ message: String, program: String) -> String {
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    let words = ForeignText.shown(text.prefix(1).lowercased() + text.dropFirst(), limit: 1000)
    return "\(program): \(words)\n  \(program) --help"
  }
}
