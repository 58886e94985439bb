import Synchronization

/// Identifies the state that a request was sent for. A response applies only while that state is current.
///
/// Unique in this process, also over locks, and increasing: what was begun before a lock has a lower
/// revision than the lock.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  /// A new revision.
  init() { number = Self.last.add(1, ordering: .relaxed).newValue }

  package var description: String { "\(number)" }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
