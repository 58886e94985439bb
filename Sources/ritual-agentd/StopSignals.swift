import Glibc

/// SIGTERM and SIGINT, taken by the main thread with sigwait(3).
///
/// A dispatch source would not do: libdispatch passes a signal on to its own thread by tgkill(2), which the unit denies, since
/// it reaches the user's other processes too. The signal would be lost.
struct StopSignals {
  private var signals = sigset_t()

  /// Blocks the signals in this thread and in those that it starts: call it before there is a second one.
  init() {
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls `body` at each signal. Does not return.
  func forward(to body: () -> Void) -> Never {
    while true {
      var (set, number) = (signals, Int32(0))
      if sigwait(&set, &number) == 0 { body() }
    }
  }
}
