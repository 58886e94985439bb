import Glibc

/// The sandbox's time: the machine's, moved by an offset, or standing still until it is moved.
struct SandboxClock: Sendable {
  private var offsetSeconds: Double = 0
  private var frozenAt: Moment?

  var now: Moment { (frozenAt ?? Self.machineNow).adding(seconds: offsetSeconds) }

  mutating func advance(seconds: Double) { offsetSeconds += seconds }

  /// Stops or restarts the flow of time; neither makes it jump.
  mutating func setFrozen(_ frozen: Bool) {
    let before = now
    frozenAt = frozen ? Self.machineNow : nil
    offsetSeconds += Double(before.nanoseconds - now.nanoseconds) / 1_000_000_000
  }

  private static var machineNow: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
