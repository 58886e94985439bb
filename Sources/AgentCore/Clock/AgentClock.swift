import AgentProtocol
import FoundationEssentials
import Glibc

/// A moment since boot on a clock that counts suspend and never jumps (CLOCK_BOOTTIME, clock_gettime(2)).
struct BootTime: Sendable, Hashable, Comparable, Codable {
  var nanoseconds: Int64

  func advanced(by duration: Duration) -> BootTime {
    let (seconds, attoseconds) = duration.components
    return BootTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  func duration(to other: BootTime) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

  static func < (left: BootTime, right: BootTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// The clock: one of the three seams. Expiry is judged by `now`; `wall` is for people, and for a reboot.
protocol AgentClock: Sendable {
  var now: BootTime { get }
  var wall: Timestamp { get }
  /// Another one after each boot; `now` of two boots cannot be compared.
  var bootID: String { get }
  /// Returns at `deadline` or soon after it; throws `CancellationError` at once when the task is cancelled.
  func sleep(until deadline: BootTime) async throws
}

extension AgentClock {
  func sleep(for duration: Duration) async throws { try await sleep(until: now.advanced(by: duration)) }

  /// The wall clock's reading at a moment of this boot.
  func wallTime(of moment: BootTime) -> Timestamp {
    Timestamp(unixSeconds: wall.unixSeconds + now.duration(to: moment).components.seconds)
  }
}

/// The machine's own clocks.
struct SystemClock: AgentClock {
  let bootID: String

  init() {
    // proc(5): a new random UUID at each boot. Without it (no /proc) no two starts are of one boot.
    let file = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    bootID = file.map { String($0.prefix { $0 != "\n" }) } ?? UUID().uuidString
  }

  var now: BootTime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  var wall: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(unixSeconds: Int64(time.tv_sec))
  }

  func sleep(until deadline: BootTime) async throws {
    let remaining = now.duration(to: deadline)
    guard remaining > .zero else { return try Task.checkCancellation() }
    try await ContinuousClock().sleep(for: remaining)
  }
}
