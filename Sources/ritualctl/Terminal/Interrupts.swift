import AgentProtocol
import Glibc
import Synchronization
import SystemSupport

/// Signal handling of commands that wait for a person.
enum Interrupts {
  /// Installs signal handlers. Ctrl-C then ends the program with the status for "cancelled"; all
  /// handled signals restore the terminal first. The agent cancels the sign-in when the connection
  /// closes. Commands without handlers die by the signal, so that a shell loop around them ends
  /// too.
  static func handle() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) { signal(number, end) }
  }

  /// Prepares the error document that a cancelled command prints with --json, because the signal
  /// handler must not allocate memory (signal-safety(7)). Called once, before `handle`.
  static func prepareDocument() {
    let failure = Failure(.cancelled, "cancelled")
    let document = try? Document(ErrorDocument(failure, status: failure.exit.rawValue)).text
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: (document?.utf8.count ?? 0) + 1)
    _ = bytes.initialize(from: Array((document ?? "").utf8) + [UInt8(ascii: "\n")])
    cancelledDocument = UnsafeRawBufferPointer(bytes)
  }

  /// Names the terminal on which a question may be open. Without one, standard error is used.
  static func usesTerminal(_ descriptor: Int32) { openTerminal.store(descriptor, ordering: .releasing) }

  static func forgetsTerminal(_ descriptor: Int32) {
    _ = openTerminal.compareExchange(expected: descriptor, desired: -1, ordering: .acquiringAndReleasing)
  }

  private static let end: @convention(c) (Int32) -> Void = { number in
    TerminalModes.restore()
    if number == SIGINT {
      endLine()
      if let document = cancelledDocument { _ = Glibc.write(STDERR_FILENO, document.baseAddress, document.count) }
      _exit(ExitStatus.cancelled.rawValue)
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}

extension Interrupts {
  /// Moves the cursor to a new line, so that the shell's prompt does not follow a question or `^C`.
  /// Async-signal-safe: isatty(3) is one ioctl(2).
  static func endLine() {
    let terminal = openTerminal.load(ordering: .acquiring)
    let descriptor = terminal >= 0 ? terminal : STDERR_FILENO
    guard isatty(descriptor) == 1 else { return }
    var newline = UInt8(ascii: "\n")
    _ = Glibc.write(descriptor, &newline, 1)
  }
}

/// The descriptor of the open `ControllingTerminal`, or -1.
private let openTerminal = Atomic<Int32>(-1)

/// Unsafe because a signal handler reads it. Written once, before the handler is installed.
nonisolated(unsafe) private var cancelledDocument: UnsafeRawBufferPointer?

/// Signals as input: while a listener exists, its signals do not end the program. There is at most one at a
/// time.
final class SignalListener {
  private let pipe = Pipe()
  private var former: [(number: Int32, handler: (@convention(c) (Int32) -> Void)?)] = []

  /// Signals that the caller ignores (nohup) stay ignored.
  init(_ numbers: [Int32]) {
    guard let pipe else { return }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    listenerEnd.store(pipe.writing, ordering: .releasing)
    for number in numbers where !isIgnored(number) {
      let handler = signal(number) { number in
        // Only write(2), which is async-signal-safe (signal-safety(7)).
        let (end, error) = (listenerEnd.load(ordering: .acquiring), errno)
        var byte = UInt8(truncatingIfNeeded: number)
        if end >= 0 { _ = write(end, &byte, 1) }
        errno = error
      }
      former.append((number, handler))
    }
  }

  deinit {
    for (number, handler) in former { signal(number, handler) }
    listenerEnd.store(-1, ordering: .releasing)
  }

  /// Readable after a signal; -1, which poll(2) ignores, if no pipe can be made.
  var descriptor: Int32 { pipe?.reading ?? -1 }

  /// Takes the next signal; nil if there is none.
  func next() -> Int32? {
    var number: UInt8 = 0
    return read(descriptor, &number, 1) == 1 ? Int32(number) : nil
  }

  /// Waits until a signal arrives, `other` is readable, or the time is over.
  ///
  /// - Returns: the signal, or nil.
  func wait(_ limit: Duration?, or other: Int32 = -1) -> Int32? {
    var entries = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = limit.map { Int32(clamping: $0.components.seconds * 1000 + 500) } ?? -1
    guard poll(&entries, 2, milliseconds) > 0 || errno == EINTR else { return nil }
    return next()
  }
}

/// The write end of the listener's pipe, or -1.
private let listenerEnd = Atomic<Int32>(-1)
