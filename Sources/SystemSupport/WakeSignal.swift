import Synchronization

/// Wakes a task that sleeps until a deadline which another task can bring forward. A signal that comes while no task waits is
/// kept; several of them count as one. Safe from any thread.
public final class WakeSignal: Sendable {
  private let isSignalled = Mutex(false)
  private let waiters = WaiterList<Void>()

  public init() {}

  public func signal() {
    isSignalled.withLock { $0 = true }
    waiters.resumeAll()
  }

  /// Returns at the next signal, at the deadline, or when the task is cancelled.
  public func wait(until deadline: Deadline? = nil) async {
    try? await waiters.wait(until: deadline) { isSignalled.withLock { $0 } ? () : nil }
    isSignalled.withLock { $0 = false }
  }
}

extension AgentClock {
  /// Sleeps until `deadline`, `signal` or cancellation, whichever comes first.
  public func sleep(until deadline: BootTime, or signal: WakeSignal) async {
    await signal.wait(until: Deadline(moment: deadline, clock: self))
  }
}
