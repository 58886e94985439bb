import Synchronization
import SystemSupport

/// Counts what a sender has sent. Thread-safe.
final class SendCounter: Sendable {
  private let sent = Atomic<Int>(0)

  var count: Int { sent.load(ordering: .relaxed) }

  func add(_ more: Int) { sent.add(more, ordering: .relaxed) }

  /// True if something was sent before, but nothing during a wait of 0.2 s.
  func isStalled() async -> Bool {
    let before = count
    try? await ContinuousClock().sleep(for: .milliseconds(200))
    return before > 0 && count == before
  }
}
