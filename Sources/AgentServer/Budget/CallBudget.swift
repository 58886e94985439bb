import AgentProtocol
import Synchronization
package import SystemSupport

/// The processor time that the calls of one process may take (PR-4): a fifth of a processor in the long run, a second at once.
/// A process that exceeds it is told so. Answers of the hot path are not counted. Safe from any thread.
package final class CallBudget: Sendable {
  /// In microseconds.
  static let burst = 1_000_000.0
  /// Microseconds a second.
  static let rate = 200_000.0
  /// Processes that are remembered. A full bucket says nothing, so those are forgotten first.
  static let mostProcesses = 1024

  private let clock: any AgentClock
  private let buckets = Mutex<[Int32: TokenBucket]>([:])

  package init(clock: any AgentClock) { self.clock = clock }

  /// How many processes are remembered.
  var processes: Int { buckets.withLock { $0.count } }

  /// Takes the usual cost of a call from the budget of the process `pid`.
  ///
  /// - Throws: `tooMany`, with the seconds until there is room.
  func admit(_ cost: MethodCost, _ pid: Int32) throws(AgentError) {
    let now = clock.now
    let later = with(pid, now) { $0.take(Double(cost.microseconds), now: now) }
    guard let later else { return }
    throw AgentError(
      .tooMany, "This program asks for too much at once. Please try again.",
      retryAfter: max(1, now.duration(to: later).seconds))
  }

  /// Charges what a call took beyond its usual cost.
  func charge(_ cost: MethodCost, used: Int, _ pid: Int32) {
    let surplus = used / Self.slowness - cost.microseconds
    guard surplus > 0 else { return }
    let now = clock.now
    with(pid, now) { $0.spend(Double(surplus), now: now) }
  }

  private func with<Value>(_ pid: Int32, _ now: BootTime, _ body: (inout TokenBucket) -> Value) -> Value {
    buckets.withLock { buckets in
      if buckets.count >= Self.mostProcesses, buckets[pid] == nil { Self.makeRoom(&buckets, now) }
      var bucket = buckets[pid] ?? TokenBucket(capacity: Self.burst, perSecond: Self.rate, now: now)
      defer { buckets[pid] = bucket }
      return body(&bucket)
    }
  }

  private static func makeRoom(_ buckets: inout [Int32: TokenBucket], _ now: BootTime) {
    buckets = buckets.filter { !$0.value.isFull(now: now) }
    if buckets.count >= mostProcesses, let any = buckets.keys.first { buckets[any] = nil }
  }

  /// How many times slower this build is than a release build.
  #if DEBUG
    static let slowness = 10
  #else
    static let slowness = 1
  #endif
}
