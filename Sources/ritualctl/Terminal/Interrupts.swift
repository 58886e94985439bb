import AgentProtocol
import Glibc

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

  /// Whether the caller ignores a signal (nohup, a background job of a script). Such a signal stays
  /// ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // Swift cannot compare functions, only their addresses.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let end: @convention(c) (Int32) -> Void = { number in
    TerminalModes.restore()
    if number == SIGINT {
      if let document = cancelledDocument { _ = write(STDERR_FILENO, document.baseAddress, document.count) }
      _exit(ExitStatus.cancelled.rawValue)
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// Unsafe because a signal handler reads it. Written once, before the handler is installed.
nonisolated(unsafe) private var cancelledDocument: UnsafeRawBufferPointer?
