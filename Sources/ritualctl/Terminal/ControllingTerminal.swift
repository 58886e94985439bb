import Glibc

/// The terminal that a person sits at (/dev/tty, tty(4)), whatever the standard streams are.
final class ControllingTerminal {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Nil where there is none: cron, a unit, a pipe over ssh.
  static func open() -> ControllingTerminal? {
    let descriptor = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // It is opened to ask a question, and Ctrl-C is an answer.
    Interrupts.handle()
    return ControllingTerminal(descriptor)
  }

  /// Whether a person could answer here and reads what is printed: then a question is no surprise.
  static var isInUse: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks for a line.
  func ask(_ question: String) throws -> String {
    try Streams.write(question, to: descriptor)
    guard let line = try Streams.readLine(from: descriptor, limit: Self.lineLimit) else {
      // Ctrl-D: no answer is a no.
      throw Failure(.cancelled, "cancelled")
    }
    return line
  }

  /// Asks for a line that is not shown. However it ends, the terminal shows again what is typed.
  func askSecretly(_ question: String) throws -> String {
    try Echo.off(descriptor) { try ask(question) }
  }

  /// Asks for yes or no; no unless it is a clear yes.
  func confirm(_ question: String) throws -> Bool {
    ["y", "yes"].contains(try ask(question + " [y/N] ").lowercased())
  }

  /// Asks for one of `choices`: by the arrow keys and Enter, by its number, or by its name or the first letters of it.
  ///
  /// - Throws: `cancelled` for Escape, Ctrl-C and Ctrl-D.
  func choose(_ question: String, _ choices: [Menu.Choice]) throws -> Int {
    try Menu(question: question, choices: choices).choose(on: descriptor)
  }

  /// As much as a terminal gives in one line (N_TTY_BUF_SIZE, termios(3)).
  private static let lineLimit = 4096
}
