import AgentProtocol

extension ForeignText {
  /// Text of many lines for a terminal: newlines and tabs stay, all else that is not printable is escaped. Unbounded: for
  /// an answer that the user asked for.
  static func shownLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { shown(String($0), limit: .max) }.joined(separator: "\t")
      }
      .joined(separator: "\n")
  }
}
