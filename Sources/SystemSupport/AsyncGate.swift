import Synchronization

/// An asynchronous mutex: admits one task at a time, in order of arrival. Gates with different keys
/// are independent.
///
/// Waiting is not cancellable, because the protected operation (a write that has begun) must be
/// completed. The holder must therefore not wait for a network or a person. Thread-safe; `enter` on
/// a free gate does not leave the caller's actor.
public final class AsyncGate: Sendable {
  /// The waiting tasks of each held gate.
  private let queues = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

  public init() {}

  /// Proof that gates are held. Only `inside` makes one, and nothing can keep it.
  public struct Held: ~Copyable {
    fileprivate init() {}
  }

  /// Runs `body` inside the gates of all keys, which are acquired in the order given.
  public func inside<Value, Failure: Error>(
    _ keys: [String], isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Held) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    for key in keys { await enter(key) }
    defer { for key in keys { leave(key) } }
    return try await body(Held())
  }

  /// Acquires the gate. Each `enter` must be followed by exactly one `leave`.
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
