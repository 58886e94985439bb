import Synchronization

/// Counts the rounds of the refresh loop, for whoever has to know that it goes round (the watchdog), or when something may
/// be due at another time (the status text). Safe from any thread.
final class RefreshPulse: Sendable {
  private struct State {
    var rounds: UInt64 = 0
    var lastWaiter: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Rounds so far.
  var rounds: UInt64 { state.withLock { $0.rounds } }

  /// The loop has gone round once.
  func beat() {
    let waiting = state.withLock { state in
      state.rounds += 1
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when there were more than `count` rounds, or the task is cancelled.
  func round(after count: UInt64) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumeNow = state.withLock { state in
          if state.rounds > count || Task.isCancelled { return true }
          state.waiting[id] = continuation
          return false
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }
}
