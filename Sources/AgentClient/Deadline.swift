import Glibc

/// A moment by which something must have happened, on CLOCK_MONOTONIC as poll(2) counts; or none.
struct Deadline {
  private let nanoseconds: Int64?

  /// `duration` from now; never for nil.
  init(after duration: Duration?) {
    guard let duration else {
      nanoseconds = nil
      return
    }
    // A wait of years is no wait for ever, but long enough; and it cannot overflow.
    let seconds = min(duration.components.seconds, 1_000_000_000)
    nanoseconds = Self.now + seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }

  /// Milliseconds for poll(2): -1 for ever, 0 when the moment has passed, rounded up so that no loop spins.
  var pollTimeout: Int32 {
    guard let nanoseconds else { return -1 }
    let left = max(0, nanoseconds - Self.now)
    return Int32(clamping: (left + 999_999) / 1_000_000)
  }

  /// What is left, for SO_SNDTIMEO (socket(7)), which takes zero for "for ever": hence at least a millisecond.
  var socketTimeout: timeval {
    let milliseconds = Int(pollTimeout)
    guard milliseconds >= 0 else { return timeval(tv_sec: 0, tv_usec: 0) }
    return timeval(tv_sec: milliseconds / 1000, tv_usec: max(1000, milliseconds % 1000 * 1000))
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
