import Glibc
import Synchronization

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
