import AgentProtocol

/// A numbered list on the terminal, and a question for one of its entries. It moves no cursor, so that
/// it suits every terminal, serial lines and screen readers.
struct Menu {
  struct Choice {
    /// The text in the list.
    let title: Words
    /// The word to type, as on the command line.
    let name: String
  }

  let question: Words
  let choices: [Choice]

  /// - Returns: the index of the choice.
  /// - Throws: `cancelled` for Ctrl-D.
  func choose(on terminal: ControllingTerminal) throws -> Int {
    try terminal.show(question)
    for (index, choice) in choices.enumerated() { try terminal.show("  \(index + 1)  \(choice.title)") }
    while true {
      let line = try terminal.ask("Enter a number (1-\(choices.count)) or a name: ")
      if let index = named(line) { return index }
      let word = Self.trimmed(line)
      if !word.isEmpty { try terminal.show("no such choice: \(word, limit: 40)") }
    }
  }

  /// The index of the choice with the number or name in `answer`, or whose name or title starts
  /// with it. Nil if no choice or more than one matches.
  func named(_ answer: String) -> Int? {
    let word = Self.trimmed(answer).lowercased()
    if let number = Int(word) { return choices.indices.contains(number - 1) ? number - 1 : nil }
    guard !word.isEmpty else { return nil }
    if let exact = choices.firstIndex(where: { $0.name == word }) { return exact }
    let found = choices.indices.filter {
      choices[$0].name.hasPrefix(word) || choices[$0].title.text.lowercased().hasPrefix(word)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The text without spaces and line ends at both ends.
  static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
