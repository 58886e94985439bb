package import AgentProtocol
import FoundationEssentials
import Synchronization
import SystemSupport

/// What a new subscriber gets: where the stream stands, what comes first, and the stream itself, which ends when the subscriber
/// is too slow.
package struct EventSubscription: Sendable {
  package let position: EventsSubscribe.Position
  /// The present state, or what was missed: as long as it is.
  package let first: [AgentEvent]
  package let events: AsyncStream<AgentEvent>
}

/// The agent's stream of events (SE-5): numbered, the last ones kept for who comes back, fanned out to subscribers.
///
/// Invariant: each subscriber sees every event after its position in order, or its stream ends. Owned by the `Accounts`
/// actor, so that the present state and the position of a subscription belong together.
struct EventLog {
  /// Events kept for a subscriber that comes back: some hours of a busy agent, at about 1 KiB each.
  static let kept = 512
  /// Events that may wait for one subscriber before it is cut off; more than any burst of 1,000 accounts makes at once
  /// would need is not kept for one that does not read.
  static let waiting = 2048

  /// Another one after each start.
  let epoch = UUID().uuidString.lowercased()
  private(set) var sequence: UInt64 = 0
  private var recent: [AgentEvent] = []
  private let subscribers = Subscribers()
  private var isFinished = false

  private struct Subscriber: Sendable {
    let tokens: Bool
    let continuation: AsyncStream<AgentEvent>.Continuation
  }

  /// Numbers the event and hands it to all subscribers; `token` goes only to those that asked for tokens.
  mutating func publish(
    _ type: EventType, at: Timestamp, account: String? = nil, status: AccountStatus? = nil, reason: String? = nil,
    approval: Approval? = nil, token: SessionToken.Result? = nil
  ) {
    sequence += 1
    let event = AgentEvent(
      sequence: sequence, type: type, at: at, account: account, status: status, reason: reason, approval: approval)
    recent.append(event)
    if recent.count > Self.kept { recent.removeFirst(recent.count - Self.kept) }
    for subscriber in subscribers.all {
      var copy = event
      if subscriber.tokens { copy.token = token }
      if case .dropped = subscriber.continuation.yield(copy) { subscriber.continuation.finish() }
    }
  }

  /// Begins a subscription: what was missed since `since` if all of that is still kept; else a `RESYNC` (where `since`
  /// was given) and `present`.
  mutating func subscribe(
    since: EventsSubscribe.Position?, tokens: Bool, at: Timestamp, present: [AgentEvent]
  ) -> EventSubscription {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AgentEvent.self, bufferingPolicy: .bufferingOldest(Self.waiting))
    subscribers.add(Subscriber(tokens: tokens, continuation: continuation))
    if isFinished { continuation.finish() }
    return EventSubscription(
      position: EventsSubscribe.Position(epoch: epoch, sequence: sequence),
      first: first(since: since, tokens: tokens, at: at, present: present), events: stream)
  }

  private func first(
    since: EventsSubscribe.Position?, tokens: Bool, at: Timestamp, present: [AgentEvent]
  ) -> [AgentEvent] {
    guard let since else { return present }
    let oldest = sequence - UInt64(recent.count)
    if since.epoch == epoch, since.sequence >= oldest, since.sequence <= sequence {
      let missed = recent.filter { $0.sequence > since.sequence }
      return tokens ? withPresentTokens(missed, present) : missed
    }
    return [AgentEvent(sequence: sequence, type: .resync, at: at)] + present
  }

  /// Tokens are not kept with the events; who missed a new one gets the present one with the last event that brought one.
  private func withPresentTokens(_ missed: [AgentEvent], _ present: [AgentEvent]) -> [AgentEvent] {
    var missed = missed
    for state in present {
      let last = missed.lastIndex { $0.account == state.account && [.tokenRefreshed, .signedIn].contains($0.type) }
      if let last { missed[last].token = state.token }
    }
    return missed
  }

  /// Forgets what is kept for subscribers that come back: it tells of people.
  mutating func forgetRecent() { recent = [] }

  /// How many subscribers there are.
  var subscriberCount: Int { subscribers.all.count }

  /// Ends every stream, present and future, at the agent's end.
  mutating func finish() {
    isFinished = true
    for subscriber in subscribers.all { subscriber.continuation.finish() }
  }

  /// The subscribers. One whose stream has ended is removed at once, on whichever thread that is. Safe from any thread.
  private final class Subscribers: Sendable {
    private struct State {
      var all: [UInt64: Subscriber] = [:]
      var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    var all: [Subscriber] { state.withLock { Array($0.all.values) } }

    func add(_ subscriber: Subscriber) {
      let id = state.withLock { state in
        state.lastID += 1
        state.all[state.lastID] = subscriber
        return state.lastID
      }
      subscriber.continuation.onTermination = { [weak self] _ in self?.remove(id) }
    }

    private func remove(_ id: UInt64) {
      // Freed outside of the lock.
      let removed = state.withLock { $0.all.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }
}
