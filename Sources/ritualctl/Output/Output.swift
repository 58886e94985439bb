// The voice of ritualctl:
// - Standard output carries the answer alone: what a script reads. All else goes to standard error.
// - There every line of ours begins with `ritualctl: `, without capital and full stop. The agent's words for a user are
//   shown as they are. The next step, a command if there is one, stands below, indented.
// - With --json the answer is one document with sorted keys and "formatVersion": 1; an error is one too.
// - --quiet silences notes; never an answer, a warning or an error. A cancelled sign-in says nothing (SI-10).
// - A question goes to the terminal itself (/dev/tty), so that it works with redirected streams.
// - Text from elsewhere passes ForeignText, in JSON as \u escapes. Colour says nothing that the words do not.

import AgentProtocol
import Glibc

/// Where a command's answer and its remarks go.
struct Output {
  let json: Bool
  let quiet: Bool
  let style: Style

  /// Prints the answer.
  func answer(_ answer: some Answer) throws {
    let text = json ? try Document(answer.value).text : answer.text(style)
    try Streams.write(text.isEmpty ? "" : text + "\n", to: STDOUT_FILENO)
  }

  /// Something worth knowing.
  func note(_ words: String) {
    if !quiet { remark(words) }
  }

  /// Something that the user should look at.
  func warning(_ words: String) { remark("warning: " + words) }

  /// Something that has to be said whatever --quiet says.
  func remark(_ words: String) {
    // Standard error is the last resort: nobody could be told that it is broken.
    try? Streams.write("ritualctl: \(words)\n", to: STDERR_FILENO)
  }

  /// Why the command failed, and what to do next.
  func failure(_ failure: Failure, showsKind: Bool = false) {
    if json {
      let document = try? Document(ErrorDocument(failure)).text
      try? Streams.write((document ?? "{}") + "\n", to: STDERR_FILENO)
    } else if failure.exit != .cancelled {
      let kind = showsKind ? " (\(failure.kind))" : ""
      remark(([failure.message + kind] + failure.hints.map { "  " + $0 }).joined(separator: "\n"))
    }
  }

  /// What the parser of the command line found wrong.
  func usage(_ text: String) {
    if json {
      failure(Failure(.usage, text))
    } else {
      try? Streams.write("ritualctl: \(ForeignText.shownLines(text))\n", to: STDERR_FILENO)
    }
  }
}

/// An answer: a value that is rendered twice.
protocol Answer {
  associatedtype Value: Encodable
  /// What --json prints: an object.
  var value: Value { get }
  /// What a person reads; nothing in it that could harm a terminal.
  func text(_ style: Style) -> String
}
