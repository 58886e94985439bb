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

  /// Makes each of the signals write its number to a pipe, instead of ending the program.
  static func write(_ numbers: [Int32], to pipe: Int32) {
    stopEnd.store(pipe, ordering: .releasing)
    for number in numbers where !isIgnored(number) {
      signal(number) { number in
        // Only write(2), which is async-signal-safe (signal-safety(7)).
        let (end, error) = (stopEnd.load(ordering: .acquiring), errno)
        var byte = UInt8(truncatingIfNeeded: number)
        if end >= 0 { _ = Glibc.write(end, &byte, 1) }
        errno = error
      }
    }
  }

  private static let end: @convention(c) (Int32) -> Void = { number in
    TerminalModes.restore()
    if number == SIGINT {
      if let document = cancelledDocument { _ = Glibc.write(STDERR_FILENO, document.baseAddress, document.count) }
      _exit(ExitStatus.cancelled.rawValue)
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// Unsafe because a signal handler reads it. Written once, before the handler is installed.
nonisolated(unsafe) private var cancelledDocument: UnsafeRawBufferPointer?

/// Ctrl-C as an answer to a question: while a listener exists, Ctrl-C does not end the program. There
/// is at most one at a time.
final class InterruptListener {
  /// Readable after Ctrl-C; nil if Ctrl-C is ignored, or if no pipe can be made.
  let descriptor: Int32?
  private let writeEnd: Int32
  private var former: (@convention(c) (Int32) -> Void)?

  init() {
    var ends: [Int32] = [-1, -1]
    guard !isIgnored(SIGINT), pipe(&ends) == 0 else {
      (descriptor, writeEnd) = (nil, -1)
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, writeEnd) = (ends[0], ends[1])
    interruptEnd.store(ends[1], ordering: .releasing)
    former = signal(SIGINT) { _ in
      // Only write(2), which is async-signal-safe (signal-safety(7)).
      let (end, error) = (interruptEnd.load(ordering: .acquiring), errno)
      var byte: UInt8 = 0
      if end >= 0 { _ = write(end, &byte, 1) }
      errno = error
    }
  }

  deinit {
    guard let descriptor else { return }
    signal(SIGINT, former)
    interruptEnd.store(-1, ordering: .releasing)
    close(descriptor)
    close(writeEnd)
  }

  var wasInterrupted: Bool {
    guard let descriptor else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }
}

/// The write end of the pipe of `Interrupts.write`, or -1.
private let stopEnd = Atomic<Int32>(-1)

/// The write end of the listener's pipe, or -1.
private let interruptEnd = Atomic<Int32>(-1)
