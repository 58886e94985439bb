import Glibc
import SystemSupport

/// SIGTERM, SIGINT, and SIGHUP, which a shell sends to a program in the background when its terminal
/// closes: received by the main thread with sigwait(3). The units reload with `ritualctl reload`, so
/// SIGHUP means no reload here.
///
/// A dispatch source does not work: libdispatch passes a signal to its own thread with tgkill(2),
/// which the unit denies, because tgkill(2) reaches the user's other processes too. The signal
/// would be lost.
struct StopSignals {
  private var signals = sigset_t()

  /// Blocks the signals in this thread and in the threads that it starts. Must be called before a
  /// second thread exists.
  init() {
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] { sigaddset(&signals, number) }
    // A blocked signal would arrive although nohup(1) lets it be ignored.
    if !isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls `body` for each signal. Does not return.
  func forward(to body: () -> Void) -> Never {
    while true {
      var (set, number) = (signals, Int32(0))
      if sigwait(&set, &number) == 0 { body() }
    }
  }
}
