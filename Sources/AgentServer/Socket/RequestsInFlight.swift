import AgentProtocol
import SystemSupport

/// Counts the requests in flight on one connection, and enforces their limits. Bound to the event
/// loop.
struct RequestsInFlight {
  private(set) var requests = 0
  /// Answers that a stop of the agent waits for.
  private(set) var awaited = 0
  private var longFrames = 0
  /// Bytes reserved from the shared budget for an incomplete long frame.
  private var reserved = 0

  mutating func begin(_ load: Work.Load) {
    requests += load.requests
    awaited += load.awaited
    if load.reserved > 0 { longFrames += 1 }
  }

  /// Called when the answer to a frame is ready.
  mutating func finish(_ load: Work.Load) { awaited -= load.awaited }

  /// Called when all work of a frame has ended.
  mutating func release(_ load: Work.Load, _ budget: LongFrameBudget) {
    requests -= load.requests
    guard load.reserved > 0 else { return }
    longFrames -= 1
    budget.release(load.reserved)
  }

  /// Returns the error that refuses `load`, or nil if it may start.
  func refusal(of load: Work.Load) -> AgentError? {
    requests + load.requests <= RPCLimits.maxInFlight ? nil : .tooManyUnfinished
  }

  /// True while memory is reserved for an incomplete line.
  var isReadingLongLine: Bool { reserved > 0 }

  // MARK: - Long frames

  /// Reserves memory for a line of which `bytes` have arrived.
  ///
  /// - Returns: nil, or the error that refuses the line. After an error nothing is reserved for the
  ///   line.
  mutating func reserve(_ bytes: Int, _ budget: LongFrameBudget) -> AgentError? {
    let error: AgentError
    if bytes > Wire.longFrameLimit {
      error = .frameTooLarge
    } else if longFrames > 0 || refusal(of: Work.Load()) != nil {
      error = AgentError(.tooMany, "A connection can send only one long request at a time.")
    } else if budget.reserve(bytes - reserved) {
      reserved = bytes
      return nil
    } else {
      error = AgentError(.tooMany, "Too many long requests at once. Please try again.")
    }
    forgetReserved(budget)
    return error
  }

  /// Returns the reserved bytes, which are then released with the frame's load.
  mutating func takeReserved() -> Int {
    defer { reserved = 0 }
    return reserved
  }

  /// Releases the reservation of a line that will not be completed.
  mutating func forgetReserved(_ budget: LongFrameBudget) { budget.release(takeReserved()) }
}

/// Counts the requests in flight of all connections of one process. Bound to the event loop.
final class ProcessLoad {
  let pid: Int32
  var connections = 0
  /// Unanswered requests of the general path that do not wait for a person, and lines being parsed.
  private(set) var requests = 0
  /// Frames in flight that contain costly requests.
  private(set) var costly = 0

  init(pid: Int32) { self.pid = pid }

  var isFull: Bool { requests >= RPCLimits.maxInFlightPerProcess }

  /// True if `load` fits under the limits of the process. A batch starts as a whole.
  func hasRoom(for load: Work.Load) -> Bool {
    guard load.counted > 0 else { return true }
    return requests + load.counted <= RPCLimits.maxInFlightPerProcess
      && (!load.isCostly || costly < RPCLimits.maxCostlyPerProcess)
  }

  func begin(_ load: Work.Load) {
    requests += load.counted
    if load.isCostly { costly += 1 }
  }

  func finish(_ load: Work.Load) {
    requests -= load.counted
    if load.isCostly { costly -= 1 }
  }
}

/// Memory for frames over `Wire.frameLimit`, shared by all connections. Bound to the event loop.
final class LongFrameBudget {
  private var free: Int

  init(_ bytes: Int) { free = bytes }

  /// Reserves `bytes`; returns false if fewer are free.
  func reserve(_ bytes: Int) -> Bool {
    guard bytes <= free else { return false }
    free -= bytes
    return true
  }

  func release(_ bytes: Int) { free += bytes }
}
