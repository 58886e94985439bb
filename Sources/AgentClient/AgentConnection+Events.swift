public import AgentProtocol
import FoundationEssentials

extension AgentConnection {
  /// Subscribes this connection to the agent's events (SE-5): the present state comes first, as events.
  public func subscribe(
    since: EventsSubscribe.Position? = nil, tokens: Bool = false
  ) throws -> EventsSubscribe.Position {
    try call(EventsSubscribe.self, EventsSubscribe.Params(since: since, tokens: tokens ? true : nil))
  }

  /// The next event of a subscribed connection; nil if none came within `timeout` (nil: waits for ever).
  /// - Throws: `.disconnected` when the agent ends or drops a subscriber that was too slow: connect again, and subscribe
  ///   `since` the last event seen.
  public func nextEvent(timeout: Duration? = nil) throws -> AgentEvent? {
    let deadline = Deadline(after: timeout)
    while events.isEmpty {
      guard try readLine(deadline) else { return nil }
    }
    return events.removeFirst()
  }

  /// Calls `body` with each event until it returns false or the connection ends.
  public func forEachEvent(_ body: (AgentEvent) throws -> Bool) throws {
    while let event = try nextEvent() {
      guard try body(event) else { return }
    }
  }

  /// Keeps an event for `nextEvent`; other notifications are for newer clients.
  func takeNotification(_ method: String, _ line: Data) throws {
    guard method == AgentEvent.method else { return }
    guard events.count < Self.mostKeptEvents else {
      throw AgentClientError.protocolViolation("more events came than anybody asked for")
    }
    do {
      let envelope = try WireCoding.decode(RequestEnvelope<AgentEvent>.self, from: line)
      if let event = envelope.params { events.append(event) }
    } catch {
      throw AgentClientError.protocolViolation("it is no event", cause: error)
    }
  }

  /// Events that are kept while a call waits for its answer: far more than an agent publishes in such a time.
  private static let mostKeptEvents = 4096
}
