import Dispatch
import Glibc

/// SIGTERM and SIGINT as an event to await.
struct EndingSignals {
  private let sources: [any DispatchSourceSignal]
  private let arrivals: AsyncStream<Void>

  init() {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    self.arrivals = arrivals
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { arrival.yield() }
      source.resume()
      return source
    }
  }

  /// Returns at the first of the signals.
  func wait() async {
    for await _ in arrivals { return }
  }
}
