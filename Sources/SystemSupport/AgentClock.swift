import Glibc
import Synchronization

/// The clock. Expiry is judged by `now`. Wall-clock time is for display, and for times that are
/// stored across reboots.
public protocol AgentClock: Sendable {
  var now: BootTime { get }
  /// Seconds since 1970 in UTC (CLOCK_REALTIME).
  var wallSeconds: Int64 { get }
  /// An identifier that changes with each boot; values of `now` from different boots are not
  /// comparable.
  var bootID: String { get }
  /// Returns at `deadline` or shortly after. Throws `CancellationError` immediately if the task is
  /// cancelled.
  func sleep(until deadline: BootTime) async throws
}

extension AgentClock {
  public func sleep(for duration: Duration) async throws { try await sleep(until: now.advanced(by: duration)) }

  /// Returns the deadline `duration` from now.
  public func deadline(after duration: Duration) -> Deadline {
    Deadline(moment: now.advanced(by: duration), clock: self)
  }
}

/// A point in time on a clock.
public struct Deadline: Sendable {
  public let moment: BootTime
  public let clock: any AgentClock

  public init(moment: BootTime, clock: any AgentClock) {
    self.moment = moment
    self.clock = clock
  }
}

/// The clocks of the machine.
public struct SystemClock: AgentClock {
  public let bootID: String

  public init() { bootID = Self.readBootID() }

  public var now: BootTime { Self.now }

  fileprivate static var now: BootTime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public var wallSeconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// The maximum sleep. A timer of the runtime may not count the time during which the machine is
  /// suspended, so a long sleep is split.
  private static let maxSleep: Duration = .seconds(30)

  public func sleep(until deadline: BootTime) async throws {
    try Task.checkCancellation()
    while true {
      let remaining = now.duration(to: deadline)
      guard remaining > .zero else { return }
      try await Sleepers.all.sleep(until: now.advanced(by: min(remaining, Self.maxSleep)))
    }
  }

  /// Returns the boot id (proc(5)), a random UUID that changes at each boot. Without /proc, each
  /// start of the process counts as a new boot.
  private static func readBootID() -> String {
    guard let bytes = Descriptor.contents(of: "/proc/sys/kernel/random/boot_id"), !bytes.isEmpty else {
      return "start-\(UInt64.random(in: .min ... .max))"
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

/// The sleeping tasks of `SystemClock`. A cancelled `Task.sleep` keeps its task and its timer, some
/// KiB, until its deadline, and each request to a server has a deadline that is nearly always
/// cancelled. Here a cancelled sleep leaves nothing, and all sleeps share a timer. Thread-safe.
private final class Sleepers: Sendable {
  static let all = Sleepers()

  private struct Sleeper {
    let deadline: BootTime
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var sleepers: [UInt64: Sleeper] = [:]
    var lastID: UInt64 = 0
    /// When the earliest timer fires. Later timers may be running, and have no effect.
    var timer: BootTime?
  }

  private let state = Mutex(State())

  func sleep(until deadline: BootTime) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          startTimer(&state, for: deadline)
        }
        // A cancellation before the registration has found nothing to end.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
  }

  private func startTimer(_ state: inout State, for deadline: BootTime) {
    if let timer = state.timer, timer <= deadline { return }
    state.timer = deadline
    // Not a child of the sleep that starts it: other sleeps wait for it after that one has ended.
    Task.detached { [self] in
      try? await ContinuousClock().sleep(for: max(.zero, SystemClock.now.duration(to: deadline)))
      fired(deadline)
    }
  }

  private func fired(_ timer: BootTime) {
    let now = SystemClock.now
    let due = state.withLock { state in
      if state.timer == timer { state.timer = nil }
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { state.sleepers[id] = nil }
      if let next = state.sleepers.values.map(\.deadline).min() { startTimer(&state, for: next) }
      return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }
}

/// A time since boot on a clock that includes suspend and never jumps (CLOCK_BOOTTIME,
/// clock_gettime(2)).
public struct BootTime: Sendable, Hashable, Comparable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns the time `duration` later. Saturates on overflow.
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
  /// The duration in fractional seconds, as used in the protocol.
  public var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
