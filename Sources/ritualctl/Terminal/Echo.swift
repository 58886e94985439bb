import Glibc
import Synchronization

/// Switches a terminal's echo off for the time of a password.
enum Echo {
  static func off<Result>(_ descriptor: Int32, _ body: () throws -> Result) throws -> Result {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      throw Failure(.failed, "the terminal cannot be asked without showing what is typed")
    }
    savedModes = modes
    echoless.store(descriptor, ordering: .releasing)
    Interrupts.handle()
    // A program that is stopped here would leave a shell without echo behind.
    let stopHandler = signal(SIGTSTP, SIG_IGN)
    defer {
      restore()
      signal(SIGTSTP, stopHandler)
    }
    modes.c_lflag &= ~tcflag_t(ECHO)
    // The newline is still shown, so that the next output begins on a line of its own.
    modes.c_lflag |= tcflag_t(ECHONL)
    guard tcsetattr(descriptor, TCSAFLUSH, &modes) == 0 else {
      throw Failure(.failed, "the terminal cannot be asked without showing what is typed")
    }
    return try body()
  }

  /// Gives the terminal back as it was. Async-signal-safe (signal-safety(7)): tcsetattr(3) alone.
  static func restore() {
    let descriptor = echoless.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 { tcsetattr(descriptor, TCSAFLUSH, &savedModes) }
  }
}

/// The terminal without echo; -1 for none.
private let echoless = Atomic<Int32>(-1)

/// Unsafe, for a signal handler reads it: written only while `echoless` is -1, when the handler does not look.
nonisolated(unsafe) private var savedModes = termios()
