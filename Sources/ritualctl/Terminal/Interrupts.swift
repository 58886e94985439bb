import AgentProtocol
import Glibc

/// Signals that end a command which waits for a person.
enum Interrupts {
  /// From now on Ctrl-C ends the program with the status for "cancelled"; it and the other signals give the terminal back
  /// first. The agent notices that the connection is gone and cancels the sign-in. Other commands die by the signal, so
  /// that a shell's loop around them ends too.
  static func handle() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) { signal(number, end) }
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
    if number == SIGINT { _exit(ExitStatus.cancelled.rawValue) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
