import SessionEngine
import Synchronization
import SystemSupport

/// Kernel events that were not reported yet, one of each kind: of several of a kind one report is enough, and none displaces
/// another kind. Safe from any thread.
final class PendingKernelEvents: Sendable {
  private struct State {
    var kinds: Set<KernelEvent> = []
    var hasEnded = false

    mutating func takeNext() -> KernelEvent? {
      let event = KernelEvent.allCases.first { kinds.contains($0) }
      if let event { kinds.remove(event) }
      return event
    }
  }

  private let state = Mutex(State())
  private let wake = WakeSignal()

  func add(_ event: KernelEvent) {
    state.withLock { _ = $0.kinds.insert(event) }
    wake.signal()
  }

  /// No more events come.
  func end() {
    state.withLock { $0.hasEnded = true }
    wake.signal()
  }

  /// The next event, the clock's first; waits for one. For one task.
  ///
  /// - Returns: nil after `end`, or when the task is cancelled.
  func next() async -> KernelEvent? {
    while !Task.isCancelled {
      if let event = state.withLock({ $0.takeNext() }) { return event }
      if state.withLock(\.hasEnded) { return nil }
      await wake.wait()
    }
    return nil
  }
}
