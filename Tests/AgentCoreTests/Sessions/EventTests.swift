import AgentProtocol
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct EventTests {
  @Test("SE-5: a new subscriber gets the current state, then every change in order")
  func tellsThePresentThenTheChanges() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn("work")
      let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
      try await fixture.signIn("home", user: "user-2", token: "5")
      _ = try await fixture.accounts.use("home")
      let events = try await first(3, of: subscription)
      #expect(events.map(\.type) == [.initialSession, .signedIn, .defaultChanged])
      #expect(events.map(\.account) == ["work", "home", "home"])
      #expect(events[0].sequence == subscription.position.sequence)
      #expect(events[1].sequence == events[0].sequence + 1)
      #expect(events[2].sequence == events[1].sequence + 1)
      #expect(events[0].token?.accessToken == "access-1")
      #expect(events[1].token?.accessToken == "access-5")
    }
  }

  @Test("only a subscriber that asked for tokens gets them")
  func keepsTokensBack() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
      try await fixture.signIn(token: "2")
      for event in try await first(2, of: subscription) { #expect(event.token == nil) }
    }
  }

  @Test("a rename ends the old name and begins the new one")
  func announcesARename() async throws {
    try await withAccounts { fixture in
      try await fixture.signIn("old")
      let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
      _ = try await fixture.accounts.rename("old", to: "new")
      let events = try await first(3, of: subscription)
      #expect(events.map(\.type) == [.initialSession, .signedOut, .signedIn])
      #expect(events.map(\.account) == ["old", "old", "new"])
      #expect(events[1].status?.state == .unauthenticated)
      #expect(events[2].token?.accessToken == "access-1")
    }
  }

  @Test("a subscriber that resumes misses nothing, or gets a resync")
  func resumesOrResyncs() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let position = await fixture.accounts.subscribe(EventsSubscribe.Params()).position
      try await fixture.signIn(token: "2")
      let resumed = await fixture.accounts.subscribe(EventsSubscribe.Params(since: position))
      #expect(try await first(1, of: resumed).map(\.type) == [.signedIn])
      let foreign = EventsSubscribe.Position(epoch: "another", sequence: position.sequence)
      let fresh = await fixture.accounts.subscribe(EventsSubscribe.Params(since: foreign))
      #expect(try await first(2, of: fresh).map(\.type) == [.resync, .initialSession])
    }
  }

  @Test("a subscriber to tokens that resumes gets the newest token it missed")
  func resumesWithTheToken() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let position = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true)).position
      try await fixture.signIn(token: "2")
      try await fixture.signIn(token: "3")
      let resumed = await fixture.accounts.subscribe(EventsSubscribe.Params(since: position, tokens: true))
      let missed = try await first(2, of: resumed)
      #expect(missed.map(\.type) == [.signedIn, .signedIn])
      #expect(missed.map { $0.token?.accessToken } == [nil, "access-3"])
    }
  }

  @Test("a subscriber that does not read is disconnected, and another one gets every event")
  func cutsOffTheSlow() async {
    var log = EventLog()
    let time = Timestamp(unixSeconds: 0)
    let slow = log.subscribe(since: nil, tokens: false, at: time, present: [])
    for _ in 0...EventLog.maxBuffered { log.publish(.stateChanged, at: time) }
    let quick = log.subscribe(since: nil, tokens: false, at: time, present: [])
    log.publish(.signedIn, at: time)
    let tooOld = EventsSubscribe.Position(epoch: log.epoch, sequence: 1)
    let late = log.subscribe(since: tooOld, tokens: false, at: time, present: [])
    log.finish()
    #expect(await types(of: slow).count == EventLog.maxBuffered, "what it had in hand, and then the end")
    #expect(await types(of: quick) == [.signedIn])
    #expect(await types(of: late) == [.resync])
  }

  @Test("a cancelled subscriber is removed at once, without a further event")
  func forgetsTheGone() async throws {
    var log = EventLog()
    let time = Timestamp(unixSeconds: 0)
    for _ in 0..<10 {
      let subscription = log.subscribe(since: nil, tokens: false, at: time, present: [])
      let reading = Task { for await _ in subscription.events {} }
      reading.cancel()
      await reading.value
    }
    // A subscription that is never read.
    _ = log.subscribe(since: nil, tokens: false, at: time, present: [])
    #expect(log.subscriberCount == 0)
  }

  @Test("the initial state is complete, for any number of accounts")
  func tellsOfEveryAccount() async {
    var log = EventLog()
    let time = Timestamp(unixSeconds: 0)
    let present = (0..<3 * EventLog.maxBuffered).map {
      AgentEvent(sequence: 0, type: .initialSession, at: time, account: "account-\($0)")
    }
    let subscription = log.subscribe(since: nil, tokens: false, at: time, present: present)
    log.publish(.stateChanged, at: time)
    log.finish()
    #expect(await types(of: subscription).count == present.count + 1)
  }

  /// Returns the types of all events of a finished subscription.
  private func types(of subscription: EventSubscription) async -> [EventType] {
    await subscription.events.reduce(into: subscription.first.map(\.type)) { $0.append($1.type) }
  }

}

/// Returns the first events of a subscription, as soon as there are that many.
func first(_ count: Int, of subscription: EventSubscription) async throws -> [AgentEvent] {
  var events = subscription.first
  if events.count >= count { return Array(events.prefix(count)) }
  for await event in subscription.events {
    events.append(event)
    if events.count == count { return events }
  }
  throw ConditionTimeout(what: "\(count) events, got \(events.count)")
}
