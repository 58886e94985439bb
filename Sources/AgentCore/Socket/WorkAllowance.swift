import NIOCore
import SystemSupport

/// What work may take of the processor that is not answered from memory: at once as much as was saved up, in the long run
/// its share of the time. Who asks now and then never meets it. A hundred clients that ask without a pause do, and leave
/// the processor to the others: the agent stays a process that mostly sleeps, which the kernel runs at once when it is
/// woken (sched(7)). Bound to the event loop.
struct WorkAllowance {
  private let saved: Int64
  private let part: Int64
  private var balance: Int64
  private var updated: NIODeadline

  /// `saved` at once, and one `part` of the time.
  init(saved: TimeAmount, part: Int, now: NIODeadline = .now()) {
    self.saved = saved.nanoseconds
    self.part = Int64(part)
    balance = saved.nanoseconds
    updated = now
  }

  /// Counts work that was done or begun. More than there was is owed, as much as can be saved and no more: work that is only
  /// counted when it is done must not shut out others for minutes.
  mutating func spend(_ time: TimeAmount, now: NIODeadline = .now()) {
    balance = max(-saved, filled(now) - time.nanoseconds)
    updated = max(updated, now)
  }

  /// How long there is nothing to spend.
  func wait(now: NIODeadline = .now()) -> TimeAmount { .nanoseconds(max(0, -filled(now)) * part) }

  /// What was spent and is not saved up again.
  func used(now: NIODeadline = .now()) -> TimeAmount { .nanoseconds(saved - filled(now)) }

  private func filled(_ now: NIODeadline) -> Int64 {
    now > updated ? min(saved, balance + (now - updated).nanoseconds / part) : balance
  }
}
