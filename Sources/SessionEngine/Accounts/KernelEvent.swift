import SystemSupport

/// What the kernel tells that makes deadlines and failures worth another look.
package enum KernelEvent: String, Sendable, CaseIterable {
  /// The wall clock was set, or the machine woke from a suspend.
  case clock
  /// A route came or went.
  case network
}
