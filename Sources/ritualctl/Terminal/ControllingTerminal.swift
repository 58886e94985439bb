import AgentProtocol
import FoundationEssentials
import Glibc
import Synchronization

/// The controlling terminal (/dev/tty, tty(4)), independent of the standard streams.
final class ControllingTerminal {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    Interrupts.forgetsTerminal(descriptor)
    close(descriptor)
  }

  /// Opens the terminal. Returns nil if there is none: in cron, in a unit, in a pipe over ssh.
  static func open() -> ControllingTerminal? {
    let descriptor = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The terminal is opened to ask a question, and Ctrl-C cancels the question.
    Interrupts.handle()
    Interrupts.usesTerminal(descriptor)
    return ControllingTerminal(descriptor)
  }

  /// Opens the terminal for `copy`.
  ///
  /// - Throws: a failure if there is no terminal, or only one that could show the copied text.
  static func withClipboard() throws -> ControllingTerminal {
    guard let terminal = open() else {
      throw Failure(.failed, "there is no terminal whose clipboard can be used", hint: "over SSH, use: ssh -t")
    }
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !["", "dumb", "linux"].contains(type) else {
      throw Failure(.failed, "this terminal has no clipboard (TERM=\(type))")
    }
    return terminal
  }

  /// Sends text to the clipboard of the terminal, also over ssh (OSC 52 of XTerm Control Sequences).
  /// A terminal that does not allow this ignores it.
  func copy(_ text: String) throws {
    try Streams.write("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}", to: descriptor)
  }

  /// Whether standard input and standard error are terminals, so that a person expects and can
  /// answer a question.
  static var isInUse: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Shows lines between questions.
  func show(_ text: Words) throws { try write(text + "\n") }

  func write(_ text: Words) throws {
    try Streams.write(Style(.never, isJSON: false, of: descriptor).folded(text).text, to: descriptor)
  }

  func ask(_ question: Words) throws -> String {
    try write(question)
    do { return try readLine() } catch let failure as Failure where failure.exit == .cancelled {
      // Ctrl-D leaves the cursor behind the question.
      try write("\n")
      throw failure
    }
  }

  /// Reads a line.
  /// - Throws: `cancelled` for Ctrl-D.
  func readLine() throws -> String {
    guard let line = try Streams.readLine(from: descriptor, limit: Self.lineLimit) else {
      throw Failure(.cancelled, "cancelled")
    }
    return line
  }

  /// Waits for a line on the terminal, or for input on one of `others`. Returns whether the terminal
  /// has a line.
  func hasInput(or others: [Int32], within limit: Duration) -> Bool {
    var entries = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = limit.components.seconds * 1000
    return poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds)) > 0 && entries[0].revents != 0
  }

  /// Discards what was typed and not read, such as a part of a code, so that it is not taken for an
  /// answer or for a command.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Asks for a line without echo. The echo is restored in every case.
  func askSecretly(_ question: Words) throws -> String {
    // The newline is still echoed, so that the next output starts on a new line.
    try TerminalModes.changed(descriptor, { $0.c_lflag = $0.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL) }) {
      try ask(question)
    }
  }

  /// Asks a yes/no question, again after any other word.
  func confirm(_ question: Words, byDefault: Bool = false) throws -> Bool {
    while true {
      let answer = try ask("\(question) [\(byDefault ? "Y/n" : "y/N")] ")
      switch answer.lowercased().split(whereSeparator: \.isWhitespace).joined() {
      case "": return byDefault
      case "y", "yes": return true
      case "n", "no": return false
      default: try write("Enter yes or no.\n")
      }
    }
  }

  /// Asks before something that cannot be undone.
  ///
  /// - Parameters:
  ///   - what: The step that cannot be undone, such as `a removal`.
  ///   - command: The command that does it without a question.
  static func confirm(_ question: Words, final what: Words, orElse command: Words) throws {
    guard isInUse, let terminal = open() else {
      throw Failure(.usage, "\(what) cannot be undone, and there is no terminal to confirm it", hint: command)
    }
    guard try terminal.confirm(question) else { throw Failure(.cancelled, "cancelled") }
  }

  /// The maximum length of a line that a terminal delivers (N_TTY_BUF_SIZE, termios(3)).
  private static let lineLimit = 4096
}

/// Temporary changes of a terminal's modes (termios(3)).
enum TerminalModes {
  /// Runs `body` with changed modes. The previous modes are restored in every case, also after a
  /// signal.
  ///
  /// - Throws: a failure if `descriptor` is not a terminal, and any error from `body`.
  static func changed<Result>(
    _ descriptor: Int32, _ change: (inout termios) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { throw unchangeable }
    savedModes.pointee = modes
    changedTerminal.store(descriptor, ordering: .releasing)
    Interrupts.handle()
    // If the program were stopped here, the shell would get a terminal with changed modes.
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
    Failure(.failed, "the terminal's mode cannot be changed")
  }

  /// Restores the terminal's modes. Async-signal-safe (signal-safety(7)): calls only tcsetattr(3).
  static func restore() {
    let descriptor = changedTerminal.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 { tcsetattr(descriptor, TCSAFLUSH, savedModes) }
  }
}

/// The descriptor of the terminal whose modes are changed, or -1.
private let changedTerminal = Atomic<Int32>(-1)

/// Unsafe because a signal handler reads it. Written only while `changedTerminal` is -1, when the
/// handler does not read it.
///
/// Allocated separately and never freed: for a global `termios`, Swift 6.3.1 reserves 57 of its 60
/// bytes (without the padding before the speeds), and the memory behind it was overwritten. Found
/// by the address sanitizer.
nonisolated(unsafe) private let savedModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)

/// The core dump limit. A core dump of this program would contain tokens and passwords.
enum CoreDumps {
  /// Disables core dumps for this process and, by inheritance, for the program that it becomes.
  static func turnOff() { setLimit(to: 0) }

  /// Restores the caller's limit, for a child process that holds no secrets.
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
