import Synchronization

/// Wakes one waiting task; a signal that comes while nobody waits is kept, several are one. For a loop that sleeps
/// until a deadline which somebody else can bring forward.
final class WakeSignal: Sendable {
  private enum State {
    case idle
    case signalled
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  func signal() {
    let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { if case .waiting = state { state = .idle } else { state = .signalled } }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiter?.resume()
  }

  /// Returns at the next signal, or when the task is cancelled. One task may wait at a time.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumeNow = state.withLock { state in
          if case .idle = state, !Task.isCancelled {
            state = .waiting(continuation)
            return false
          }
          state = .idle
          return true
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
  }
}

extension AgentClock {
  /// Sleeps until `deadline`, `signal` or cancellation, whichever comes first.
  func sleep(until deadline: BootTime, or signal: WakeSignal) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await self.sleep(until: deadline) }
      group.addTask { await signal.wait() }
      await group.next()
      group.cancelAll()
    }
  }
}
