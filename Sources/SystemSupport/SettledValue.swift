import Synchronization

/// A value that is set once and awaited by any number of tasks. Safe from any thread.
public final class SettledValue<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let waiters = WaiterList<Value>()

  public init() {}

  /// Nil until the value is set.
  public var settled: Value? { value.withLock { $0 } }

  /// Sets the value. Only the first call has an effect.
  public func settle(_ new: Value) {
    let isFirst = value.withLock { value in
      guard value == nil else { return false }
      value = new
      return true
    }
    if isFirst { waiters.resumeAll(returning: new) }
  }

  /// Returns the value once it is set.
  ///
  /// - Throws: `WaitFailure`.
  public func wait(until deadline: Deadline? = nil) async throws(WaitFailure) -> Value {
    try await waiters.wait(until: deadline) { settled }
  }
}
