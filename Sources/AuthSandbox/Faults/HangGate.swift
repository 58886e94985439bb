import Synchronization

/// Where requests hang until they are let go.
final class HangGate: Sendable {
  private struct Waiters {
    var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var next: UInt64 = 0
  }

  private let waiters = Mutex(Waiters())

  /// Requests that hang now.
  var count: Int { waiters.withLock { $0.held.count } }

  /// Returns when the gate is opened, or throws where the task is cancelled (the sandbox stops).
  func wait() async throws {
    let id = waiters.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isCancelled = waiters.withLock { state in
          if Task.isCancelled { return true }
          state.held[id] = wake
          return false
        }
        if isCancelled { wake.resume() }
      }
    } onCancel: {
      waiters.withLock { $0.held.removeValue(forKey: id) }?.resume()
    }
    try Task.checkCancellation()
  }

  /// Lets all go that hang now; later ones hang again.
  func open() {
    let held = waiters.withLock { state in
      defer { state.held = [:] }
      return state.held
    }
    for wake in held.values { wake.resume() }
  }
}
