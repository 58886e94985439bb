import AgentProtocol
import Glibc

/// Signals that end a command which waits for a person.
enum Interrupts {
  /// From now on Ctrl-C ends the program with the status for "cancelled"; it and the other signals restore the terminal
  /// first. The agent notices that the connection is gone and cancels the sign-in. Other commands die by the signal, so
  /// that a shell's loop around them ends too.
  static func handle() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) { signal(number, end) }
  }

  /// With --json a cancelled command prints its error as every failure does. Made now: the signal handler may not allocate
  /// memory (signal-safety(7)). Called once, before `handle`.
  static func prepareDocument() {
    let failure = Failure(.cancelled, "cancelled")
    let document = try? Document(ErrorDocument(failure, status: failure.exit.rawValue)).text
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: (document?.utf8.count ?? 0) + 1)
    _ = bytes.initialize(from: Array((document ?? "").utf8) + [UInt8(ascii: "\n")])
    cancelledDocument = UnsafeRawBufferPointer(bytes)
  }

  /// What the caller has ignored (nohup, a script's background job) stays so.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // Functions cannot be compared; as addresses they can.
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

/// Unsafe, because a signal handler reads it: written once, before the handler is installed.
nonisolated(unsafe) private var cancelledDocument: UnsafeRawBufferPointer?
