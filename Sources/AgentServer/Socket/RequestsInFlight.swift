import AgentProtocol
import SystemSupport

/// What one connection has begun and not ended, and the bounds on that. Bound to the event loop.
struct RequestsInFlight {
  private(set) var requests = 0
  /// Answers that a stop of the agent waits for.
  private(set) var awaited = 0
  private var longFrames = 0
  /// Bytes of the shared budget, for a long frame that has not ended yet.
  private var reserved = 0

  mutating func begin(_ load: Work.Load) {
    requests += load.requests
    awaited += load.awaited
    if load.reserved > 0 { longFrames += 1 }
  }

  /// A frame's answer has come.
  mutating func finish(_ load: Work.Load) { awaited -= load.awaited }

  /// A frame's tasks have ended.
  mutating func release(_ load: Work.Load, _ budget: LongFrameBudget) {
    requests -= load.requests
    guard load.reserved > 0 else { return }
    longFrames -= 1
    budget.release(load.reserved)
  }

  /// Why nothing more of `load` may be begun; nil where it may.
  func refusal(of load: Work.Load) -> AgentError? {
    requests + load.requests <= RPCBounds.inFlight ? nil : .tooManyUnfinished
  }

  /// Memory is reserved for a line that has not ended.
  var isReadingLongLine: Bool { reserved > 0 }

  // MARK: - Long frames

  /// Sets memory aside for a line that has `bytes` by now.
  ///
  /// - Returns: why not; then nothing is set aside for it any more.
  mutating func reserve(_ bytes: Int, _ budget: LongFrameBudget) -> AgentError? {
    let error: AgentError
    if bytes > Wire.longFrameLimit {
      error = .frameTooLarge
    } else if longFrames > 0 || refusal(of: Work.Load()) != nil {
      error = AgentError(.tooMany, "One long request at a time on a connection.")
    } else if budget.reserve(bytes - reserved) {
      reserved = bytes
      return nil
    } else {
      error = AgentError(.tooMany, "Too many long requests at once. Please try again.")
    }
    forgetReserved(budget)
    return error
  }

  /// What was set aside, which the frame's tasks give back.
  mutating func takeReserved() -> Int {
    defer { reserved = 0 }
    return reserved
  }

  /// The line will not end.
  mutating func forgetReserved(_ budget: LongFrameBudget) { budget.release(takeReserved()) }
}

/// What the connections of one process have begun and not ended. Bound to the event loop.
final class ProcessLoad {
  let pid: Int32
  var connections = 0
  /// Requests of the general path without their answers, and lines that are being parsed.
  private(set) var requests = 0
  /// Frames with costly requests.
  private(set) var costly = 0

  init(pid: Int32) { self.pid = pid }

  var isFull: Bool { requests >= RPCBounds.inFlightOfOneProcess }

  /// A batch is begun whole.
  func hasRoom(for load: Work.Load) -> Bool {
    guard load.counted > 0 else { return true }
    return requests + load.counted <= RPCBounds.inFlightOfOneProcess
      && (!load.isCostly || costly < RPCBounds.costlyOfOneProcess)
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

/// The memory that frames over the usual bound share over all connections. Bound to the event loop.
final class LongFrameBudget {
  private var free: Int

  init(_ bytes: Int) { free = bytes }

  /// Sets `bytes` aside; false where there is not so much left.
  func reserve(_ bytes: Int) -> Bool {
    guard bytes <= free else { return false }
    free -= bytes
    return true
  }

  func release(_ bytes: Int) { free += bytes }
}
