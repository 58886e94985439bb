import Synchronization
import SystemSupport

/// Counts what a sender has sent.
final class Sent: Sendable {
  private let sent = Atomic<Int>(0)

  var count: Int { sent.load(ordering: .relaxed) }

  func add(_ more: Int) { sent.add(more, ordering: .relaxed) }

  /// Whether nothing was sent for a fifth of a second, after something was.
  func standsStill() async -> Bool {
    let before = count
    try? await ContinuousClock().sleep(for: .milliseconds(200))
    return before > 0 && count == before
  }
}
