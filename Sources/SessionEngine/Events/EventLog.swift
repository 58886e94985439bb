package import AgentProtocol
import FoundationEssentials
import Synchronization
import SystemSupport

/// A new subscription: its position in the stream, the first events, and the stream itself. The
/// stream ends if the subscriber is too slow.
package struct EventSubscription: Sendable {
  package let position: EventsSubscribe.Position
  /// The current state, or the missed events. Not bounded.
  package let first: [AgentEvent]
  package let events: AsyncStream<AgentEvent>
}

/// The agent's event stream: numbered events, the last of them kept for returning
/// subscribers.
///
/// Invariant: each subscriber sees every event after its position in order, or its stream ends.
/// Owned by the `Accounts` actor, so that the current state and the position of a subscription are
/// consistent.
struct EventLog {
  /// Maximum number of events kept for returning subscribers: some hours of a busy agent, about 1
  /// KiB each.
  static let maxKept = 512
  /// Maximum number of events buffered for one subscriber: more than 1,000 accounts cause at once.
  /// A subscriber that falls further behind is disconnected.
  static let maxBuffered = 2048

  /// A new identifier for each start.
  let epoch = UUID().uuidString.lowercased()
  private(set) var sequence: UInt64 = 0
  private var recent: [AgentEvent] = []
  private let subscribers = Subscribers()
  private var isFinished = false

  private struct Subscriber: Sendable {
    /// The accounts whose events are sent; nil for all.
    var accounts: Set<String>?
    let tokens: Bool
    let continuation: AsyncStream<AgentEvent>.Continuation
  }

  /// Numbers the event and sends it to all subscribers. `token` goes only to those that asked for
  /// tokens.
  mutating func publish(
    _ type: EventType, at: Timestamp, account: String? = nil, status: AccountStatus? = nil, reason: String? = nil,
    approval: Approval? = nil, token: SessionToken.Result? = nil, program: String? = nil
  ) {
    sequence += 1
    let event = AgentEvent(
      sequence: sequence, type: type, at: at, account: account, status: status, reason: reason, approval: approval,
      program: program)
    recent.append(event)
    if recent.count > Self.maxKept { recent.removeFirst(recent.count - Self.maxKept) }
    for subscriber in subscribers.all {
      guard Self.concerns(event, subscriber.accounts) else { continue }
      var copy = event
      if subscriber.tokens, Self.isAmong(subscriber.accounts, event) { copy.token = token }
      if case .dropped = subscriber.continuation.yield(copy) { subscriber.continuation.finish() }
    }
  }

  /// Whether the account of the event is among `accounts`; true for every event if `accounts` is nil.
  private static func isAmong(_ accounts: Set<String>?, _ event: AgentEvent) -> Bool {
    guard let accounts else { return true }
    return event.account.map(accounts.contains) ?? false
  }

  /// Whether an event is sent to a subscriber to `accounts`. The default account concerns every subscriber.
  private static func concerns(_ event: AgentEvent, _ accounts: Set<String>?) -> Bool {
    event.account == nil || event.type == .defaultChanged || isAmong(accounts, event)
  }

  /// Gives the subscribers to an account the events of its new name. Called between the last event
  /// with the old name and the first one with the new name.
  func renamed(_ account: String, to new: String) { subscribers.renamed(account, to: new) }

  /// Begins a subscription. It starts with the events after `since` if all of them are kept, else
  /// with `RESYNC` (if `since` is given) and `present`.
  /// - Parameter accounts: The accounts whose events are sent; nil for all.
  mutating func subscribe(
    since: EventsSubscribe.Position?, accounts: Set<String>? = nil, tokens: Bool, at: Timestamp, present: [AgentEvent]
  ) -> EventSubscription {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AgentEvent.self, bufferingPolicy: .bufferingOldest(Self.maxBuffered))
    subscribers.add(Subscriber(accounts: accounts, tokens: tokens, continuation: continuation))
    if isFinished { continuation.finish() }
    return EventSubscription(
      position: EventsSubscribe.Position(epoch: epoch, sequence: sequence),
      first: first(since: since, tokens: tokens, at: at, present: present).filter { Self.concerns($0, accounts) },
      events: stream)
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

  /// Tokens are not kept with events. A returning subscriber gets the current token with the last
  /// missed event that carried one.
  private func withPresentTokens(_ missed: [AgentEvent], _ present: [AgentEvent]) -> [AgentEvent] {
    var missed = missed
    for state in present {
      let last = missed.lastIndex { $0.account == state.account && Self.tokenEvents.contains($0.type) }
      if let last { missed[last].token = state.token }
    }
    return missed
  }

  private static let tokenEvents: [EventType] = [.tokenRefreshed, .signedIn, .mfaChallengeVerified]

  /// Forgets the events kept for returning subscribers, which contain personal data.
  mutating func forgetRecent() { recent = [] }

  var subscriberCount: Int { subscribers.all.count }

  /// Ends every stream, current and future, at shutdown.
  mutating func finish() {
    isFinished = true
    for subscriber in subscribers.all { subscriber.continuation.finish() }
  }

  /// The subscribers. A subscriber whose stream has ended is removed at once, on any thread. Safe
  /// from any thread.
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

    func renamed(_ account: String, to new: String) {
      state.withLock { state in
        for id in state.all.keys {
          if state.all[id]?.accounts?.remove(account) != nil { state.all[id]?.accounts?.insert(new) }
        }
      }
    }

    private func remove(_ id: UInt64) {
      // The removed subscriber is freed outside the lock.
      let removed = state.withLock { $0.all.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }
}
