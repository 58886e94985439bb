import Glibc
import Synchronization

/// The processor time of one call, as far as it runs on threads that measure: `CostlyThreads` and `WorkThread`. Safe from any
/// thread.
package final class CallMeter: Sendable {
  /// The meter of the call that the task works for.
  @TaskLocal package static var current: CallMeter?

  private let used = Atomic<Int64>(0)

  package var microseconds: Int { Int(used.load(ordering: .relaxed) / 1000) }

  package init() {}

  /// Runs `body` on this thread and counts its time.
  package func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
    let begun = Self.threadTime
    defer { used.add(Self.threadTime - begun, ordering: .relaxed) }
    return try body()
  }

  /// Processor time of this thread in nanoseconds: on a busy machine the clock on the wall shows other programs' time too.
  private static var threadTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
