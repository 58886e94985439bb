import Synchronization

/// Lets one task at a time through, first come, first served. Gates with different keys are independent.
///
/// Not cancellable: a task that has come to the gate passes it, because what it protects (a write that has begun) must be
/// completed. It must therefore not be held while its holder waits for a network or a person. Safe from any thread; an actor
/// that calls `enter` on a free gate is not left.
public final class AsyncGate: Sendable {
  /// The queue of each gate that is taken.
  private let queues = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

  public init() {}

  /// Returns when the gate is the caller's. Each `enter` is followed by one `leave`.
  public func enter(_ key: String = "", isolation: isolated (any Actor)? = #isolation) async {
    if takeIfFree(key) { return }
    await withCheckedContinuation { continuation in
      let isFree = queues.withLock { queues in
        guard queues[key] != nil else {
          queues[key] = []
          return true
        }
        queues[key]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  public func leave(_ key: String = "") {
    let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
      guard queues[key]?.isEmpty == false else {
        queues[key] = nil
        return nil
      }
      return queues[key]?.removeFirst()
    }
    next?.resume()
  }

  private func takeIfFree(_ key: String) -> Bool {
    queues.withLock { queues in
      guard queues[key] == nil else { return false }
      queues[key] = []
      return true
    }
  }
}
