/// A moment since boot on a clock that counts suspend and never jumps (CLOCK_BOOTTIME, clock_gettime(2)).
public struct BootTime: Sendable, Hashable, Comparable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment `duration` later. A moment that does not fit is the last or the first one.
  public func advanced(by duration: Duration) -> BootTime {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isTooLong else { return BootTime(nanoseconds: seconds < 0 ? .min : .max) }
    let (step, isStepTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(step)
    guard !isStepTooLong, !isTooLate else { return BootTime(nanoseconds: seconds < 0 ? .min : .max) }
    return BootTime(nanoseconds: sum)
  }

  public func duration(to other: BootTime) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  public static func < (left: BootTime, right: BootTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
  /// The duration as seconds with a fraction, as the protocol writes durations.
  public var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
