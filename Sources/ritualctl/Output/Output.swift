// The voice of ritualctl:
// - Standard output carries the answer alone: what a script reads. All else goes to standard error.
// - There every line of ours begins with `ritualctl: `, without capital and full stop. The agent's words for a user are
//   shown as they are. The next step, a command if there is one, stands below, indented.
// - With --json a command prints one document, with sorted keys and "formatVersion": 1: its answer on standard output, or
//   its error on standard error. Warnings are its member "warnings"; notes are left out. A command that follows events
//   prints one document a line.
// - --quiet silences notes; never an answer, a warning or an error. A cancelled sign-in says nothing (SI-10).
// - A question goes to the terminal itself (/dev/tty), so that it works with redirected streams.
// - Text from elsewhere passes ForeignText, in JSON as \u escapes. Colour says nothing that the words do not.

import AgentProtocol
import Glibc

/// Where a command's answer and its remarks go.
final class Output {
  var json: Bool
  let quiet: Bool
  let style: Style
  /// Makes the document that is printed at the end of the command, with the warnings.
  private var document: (([String]) throws -> String)?
  private var warnings: [String] = []

  init(json: Bool, quiet: Bool, style: Style) {
    (self.json, self.quiet, self.style) = (json, quiet, style)
  }

  /// Prints the answer; with --json `finish` does, for warnings may follow.
  func answer(_ answer: some Answer) throws {
    guard json else { return try print(answer.text(style)) }
    let value = answer.value
    document = { try Document(value, warnings: $0).text }
  }

  /// Prints one answer of many, at once.
  func stream(_ answer: some Answer) throws {
    try print(json ? Document(answer.value).text : answer.text(style))
  }

  /// The command has ended well: prints its document.
  func finish() throws {
    guard let document else { return }
    self.document = nil
    try print(document(warnings))
  }

  private func print(_ text: String) throws {
    try Streams.write(text.isEmpty ? "" : text + "\n", to: STDOUT_FILENO)
  }

  /// Something worth knowing.
  func note(_ words: String) {
    if !quiet { remark(words) }
  }

  /// Something that the user should look at.
  func warning(_ words: String) {
    if json { warnings.append(words) } else { remark("warning: " + words) }
  }

  /// Something that has to be said at once, whatever --quiet says: the URL of a sign-in. With --json there is no place for
  /// it, and whatever matters has to be in the document.
  func remark(_ words: String) {
    guard !json else { return }
    // Standard error is the last resort: nobody could be told that it is broken.
    try? Streams.write("ritualctl: \(words)\n", to: STDERR_FILENO)
  }

  /// Why the command failed, and what to do next. `status` is the exit status, where it is not the failure's own.
  func failure(_ failure: Failure, showsKind: Bool = false, status: Int32? = nil) {
    if json {
      let error = ErrorDocument(failure, status: status ?? failure.exit.rawValue)
      let document = try? Document(error, warnings: warnings).text
      try? Streams.write((document ?? "{}") + "\n", to: STDERR_FILENO)
    } else if failure.exit != .cancelled {
      remark(failure.text(showsKind: showsKind))
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
