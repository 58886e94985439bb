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
