import Glibc
import Synchronization

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

/// Changes a terminal's modes (termios(3)) for a time.
enum TerminalModes {
  /// Runs `body` with `change` made. However it ends, by a signal too, the terminal is as it was.
  ///
  /// - Throws: where `descriptor` is no terminal, and what `body` throws.
  static func changed<Result>(
    _ descriptor: Int32, _ change: (inout termios) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { throw unchangeable }
    savedModes.pointee = modes
    changedTerminal.store(descriptor, ordering: .releasing)
    Interrupts.handle()
    // A program that is stopped here would leave a changed terminal to the shell.
    let stopHandler = signal(SIGTSTP, SIG_IGN)
    defer {
      restore()
      signal(SIGTSTP, stopHandler)
    }
    change(&modes)
    guard tcsetattr(descriptor, TCSAFLUSH, &modes) == 0 else { throw unchangeable }
    return try body()
  }

  private static var unchangeable: Failure {
    Failure(.failed, "the terminal cannot be asked without showing what is typed")
  }

  /// Gives the terminal back as it was. Async-signal-safe (signal-safety(7)): tcsetattr(3) alone.
  static func restore() {
    let descriptor = changedTerminal.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 { tcsetattr(descriptor, TCSAFLUSH, savedModes) }
  }
}

/// The terminal whose modes are changed; -1 for none.
private let changedTerminal = Atomic<Int32>(-1)

/// Unsafe, for a signal handler reads it: written only while `changedTerminal` is -1, when the handler does not look.
///
/// In memory of its own, which is never given back: for a global `termios` Swift 6.3.1 sets aside 57 of its 60 bytes (it
/// forgets what pads it before the speeds), and what lies behind was overwritten. The address sanitizer found it.
nonisolated(unsafe) private let savedModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)

/// Switches a terminal's echo off for the time of a password.
enum Echo {
  static func off<Result>(_ descriptor: Int32, _ body: () throws -> Result) throws -> Result {
    // The newline is still shown, so that the next output begins on a line of its own.
    try TerminalModes.changed(
      descriptor,
      { modes in
        modes.c_lflag &= ~tcflag_t(ECHO)
        modes.c_lflag |= tcflag_t(ECHONL)
      }, body)
  }
}

/// Core dumps of this program would hold tokens and passwords (VA-1).
enum CoreDumps {
  /// For this process, and by inheritance for what it becomes.
  static func turnOff() { setLimit(to: 0) }

  /// Back to what the caller allowed, for a program that holds nothing of ours.
  static func allow() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    setLimit(to: limit.rlim_max)
  }

  private static func setLimit(to soft: rlim_t) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = soft
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
