import AgentProtocol
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct EventTests {
  private var fixture: AccountsFixture { .current }

  @Test("SE-5: a new subscriber gets the current state, then every change in order", .accounts)
  func tellsThePresentThenTheChanges() async throws {
    try await fixture.signIn("work")
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
    try await fixture.signIn("home", user: "user-2", token: "5")
    _ = try await fixture.accounts.use("home")
    let events = try await subscription.events(3)
    #expect(events.map(\.type) == [.initialSession, .signedIn, .defaultChanged])
    #expect(events.map(\.account) == ["work", "home", "home"])
    #expect(events[0].sequence == subscription.position.sequence)
    #expect(events[1].sequence == events[0].sequence + 1)
    #expect(events[2].sequence == events[1].sequence + 1)
    #expect(events[0].token?.accessToken == "access-1")
    #expect(events[1].token?.accessToken == "access-5")
  }

  @Test("only a subscriber that asked for tokens gets them", .accounts)
  func keepsTokensBack() async throws {
    try await fixture.signIn()
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    try await fixture.signIn(token: "2")
    for event in try await subscription.events(2) { #expect(event.token == nil) }
  }

  @Test("a rename ends the old name and begins the new one", .accounts)
  func announcesARename() async throws {
    try await fixture.signIn("old")
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
    _ = try await fixture.accounts.rename("old", to: "new")
    let events = try await subscription.events(3)
    #expect(events.map(\.type) == [.initialSession, .signedOut, .signedIn])
    #expect(events.map(\.account) == ["old", "old", "new"])
    #expect(events[1].status?.state == .unauthenticated)
    #expect(events[2].token?.accessToken == "access-1")
  }

  @Test(
    "SE-5: a subscriber to one account gets its events and those without an account, and no other's token", .accounts)
  func followsOneAccount() async throws {
    try await fixture.signIn("work")
    try await fixture.signIn("home", user: "user-2", token: "5")
    let subscription = try await fixture.accounts.subscription(.init(accounts: ["work"], tokens: true))
    try await fixture.signIn("home", user: "user-2", token: "6")
    _ = try await fixture.accounts.use("home")
    await fixture.accounts.tellLocked("a test")
    let events = try await subscription.events(4)
    #expect(events.map(\.type) == [.initialSession, .defaultChanged, .vaultLocked, .stateChanged])
    #expect(events.map(\.account) == ["work", "home", nil, "work"])
    #expect(events.map { $0.token?.accessToken } == ["access-1", nil, nil, nil])
  }

  @Test(
    "a subscription to an account follows its rename, and gets no event of a later account with the old name", .accounts
  )
  func followsARename() async throws {
    try await fixture.signIn("work")
    let subscription = try await fixture.accounts.subscription(.init(accounts: ["work"], tokens: true))
    _ = try await fixture.accounts.rename("work", to: "office")
    try await fixture.signIn("work", user: "user-2", token: "5")
    try await fixture.signIn("office", token: "6")
    let events = try await subscription.events(4)
    #expect(events.map(\.type) == [.initialSession, .signedOut, .signedIn, .signedIn])
    #expect(events.map(\.account) == ["work", "work", "office", "office"])
    #expect(events.map { $0.token?.accessToken } == ["access-1", nil, "access-1", "access-6"])
  }

  @Test("a subscription to an account gets the events of the next account with its name", .accounts)
  func followsTheName() async throws {
    try await fixture.signIn("home")
    try await fixture.signIn("work", user: "user-2", token: "5")
    let subscription = try await fixture.accounts.subscription(.init(accounts: ["work"], tokens: true))
    _ = try await fixture.accounts.remove("work")
    try await fixture.signIn("work", user: "user-3", token: "6")
    let events = try await subscription.events(4)
    #expect(events.map(\.account) == ["work", "work", "work", "work"])
    #expect(events.last?.token?.accessToken == "access-6")
  }

  @Test("a subscriber to one account that resumes, or gets a resync, gets nothing of another", .accounts)
  func resumesOneAccount() async throws {
    try await fixture.signIn("work")
    try await fixture.signIn("home", user: "user-2", token: "5")
    let position = await fixture.accounts.subscribe(EventsSubscribe.Params()).position
    try await fixture.signIn("home", user: "user-2", token: "6")
    try await fixture.signIn("work", token: "2")
    let missed = try await fixture.accounts.subscription(.init(since: position, accounts: ["work"], tokens: true))
      .first
    #expect(missed.map(\.account) == ["work"])
    #expect(missed.map { $0.token?.accessToken } == ["access-2"])
    let foreign = EventsSubscribe.Position(epoch: "another", sequence: 1)
    let fresh = try await fixture.accounts.subscription(.init(since: foreign, accounts: ["work"], tokens: true)).first
    #expect(fresh.map(\.type) == [.resync, .initialSession] && fresh.map(\.account) == [nil, "work"])
  }

  @Test("a subscription with tokens names accounts that exist; while locked, no name is unknown", .accounts)
  func refusesNames() async throws {
    try await fixture.signIn("work")
    let accounts = fixture.accounts
    for (params, kind) in [
      (EventsSubscribe.Params(tokens: true), ErrorKind.invalidParams),
      (.init(accounts: [], tokens: true), .invalidParams),
      (.init(accounts: []), .invalidParams), (.init(accounts: ["none"]), .unknownAccount),
      (.init(accounts: ["work", "none"], tokens: true), .unknownAccount),
    ] {
      #expect(await errorOf { try await accounts.subscription(params) }?.kind == kind, "\(params)")
    }
    await accounts.forgetSessions()
    for name in ["work", "none"] {
      #expect(await errorOf { try await accounts.subscription(.init(accounts: [name])) }?.kind == .vaultLocked)
    }
    #expect(await errorOf { try await accounts.subscription(.init()) } == nil)
  }

  @Test("a sign-in that makes an account the default is followed by an event", .accounts)
  func tellsTheFirstDefault() async throws {
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    try await fixture.signIn("work")
    let events = try await subscription.events(2)
    #expect(events.map(\.type) == [.signedIn, .defaultChanged])
  }

  @Test("a subscriber that resumes misses nothing, or gets a resync", .accounts)
  func resumesOrResyncs() async throws {
    try await fixture.signIn()
    let position = await fixture.accounts.subscribe(EventsSubscribe.Params()).position
    try await fixture.signIn(token: "2")
    let resumed = await fixture.accounts.subscribe(EventsSubscribe.Params(since: position))
    #expect(try await resumed.events(1).map(\.type) == [.signedIn])
    let foreign = EventsSubscribe.Position(epoch: "another", sequence: position.sequence)
    let fresh = await fixture.accounts.subscribe(EventsSubscribe.Params(since: foreign))
    #expect(try await fresh.events(2).map(\.type) == [.resync, .initialSession])
  }

  @Test("a subscriber to tokens that resumes gets the newest token it missed", .accounts)
  func resumesWithTheToken() async throws {
    try await fixture.signIn()
    let position = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true)).position
    try await fixture.signIn(token: "2")
    try await fixture.signIn(token: "3")
    let resumed = await fixture.accounts.subscribe(EventsSubscribe.Params(since: position, tokens: true))
    let missed = try await resumed.events(2)
    #expect(missed.map(\.type) == [.signedIn, .signedIn])
    #expect(missed.map { $0.token?.accessToken } == [nil, "access-3"])
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
