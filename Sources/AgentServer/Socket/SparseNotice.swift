import NIOCore
import SystemSupport

/// Lets a notice through once a second: what a hostile client makes happen thousands of times fills no journal, and costs
/// no more than the deed itself. Bound to the event loop.
struct SparseNotice {
  /// Between two notices: often enough for whoever follows the journal.
  private static let pause = TimeAmount.seconds(1)

  private var next: NIODeadline?
  private var unsaid = 0

  /// Whether it is said now, with how many were not said since the last one; nil where it is not.
  mutating func say(now: NIODeadline = .now()) -> Int? {
    if let next, now < next {
      unsaid += 1
      return nil
    }
    defer { unsaid = 0 }
    next = now + Self.pause
    return unsaid
  }
}
