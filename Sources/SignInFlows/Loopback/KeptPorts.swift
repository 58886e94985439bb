/// Listeners whose flow is over: their ports stay bound until the flow's deadline, so that no other user can serve a
/// look-alike to a browser that comes late. Bounded: the oldest port makes room.
struct KeptPorts {
  private var kept: [(listener: LoopbackListener, timer: Task<Void, Never>)] = []

  /// - Returns: the listener that had to make room, to be closed.
  mutating func add(_ listener: LoopbackListener, _ timer: Task<Void, Never>) -> LoopbackListener? {
    kept.append((listener, timer))
    guard kept.count > SignInBounds.keptPorts else { return nil }
    let oldest = kept.removeFirst()
    oldest.timer.cancel()
    return oldest.listener
  }

  /// Takes out the listener on `port`.
  mutating func take(_ port: Int) -> LoopbackListener? {
    guard let index = kept.firstIndex(where: { $0.listener.port == port }) else { return nil }
    let found = kept.remove(at: index)
    found.timer.cancel()
    return found.listener
  }

  mutating func takeAll() -> [LoopbackListener] {
    for entry in kept { entry.timer.cancel() }
    defer { kept = [] }
    return kept.map(\.listener)
  }
}
