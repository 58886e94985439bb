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
