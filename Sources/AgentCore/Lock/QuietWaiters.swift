import SystemSupport

/// Who waits until nothing is under way any more. Owned by an actor.
struct QuietWaiters {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

  mutating func resumeAll() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
