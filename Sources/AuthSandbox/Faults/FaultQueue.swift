/// The faults that wait for their request, first come, first served.
struct FaultQueue: Sendable {
  /// One fault on one endpoint.
  struct Entry: Sendable {
    var endpoint: SandboxEndpoint
    var fault: Fault
    /// nil for ever.
    var remaining: Int?
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ fault: Fault, at endpoint: SandboxEndpoint, count: Int?) {
    entries.append(Entry(endpoint: endpoint, fault: fault, remaining: count))
  }

  mutating func clear() { entries = [] }

  /// The first fault that strikes a request for `endpoint`.
  mutating func take(for endpoint: SandboxEndpoint) -> Fault? {
    guard let index = entries.firstIndex(where: { $0.endpoint.covers(endpoint) }) else { return nil }
    let fault = entries[index].fault
    if let remaining = entries[index].remaining {
      entries[index].remaining = remaining - 1
      if remaining <= 1 { entries.remove(at: index) }
    }
    return fault
  }
}
