import Glibc

/// The sandbox's time: the machine's, moved by an offset, or standing still until it is moved.
struct SandboxClock: Sendable {
  /// In nanoseconds: parts of a second as a `Double` lose one now and then, and a limit that refills in two seconds has not.
  private var offset: Int64 = 0
  private var frozenAt: Moment?

  var now: Moment { Moment(nanoseconds: (frozenAt ?? Self.machineNow).nanoseconds + offset) }

  mutating func advance(seconds: Double) { offset += Int64((seconds * 1_000_000_000).rounded()) }

  /// Stops or restarts the flow of time; neither makes it jump.
  mutating func setFrozen(_ frozen: Bool) {
    let before = now
    frozenAt = frozen ? Self.machineNow : nil
    offset += before.nanoseconds - now.nanoseconds
  }

  private static var machineNow: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
