import AgentConfiguration
import AgentProtocol
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct LockTests {
  private var fixture: LockFixture { .current }
  private var home: LockEnvironment { .current }

  @Test(
    "a refresh in flight is completed and stored first, and no token is issued meanwhile, also if the lock's caller leaves",
    .lock, arguments: [false, true])
  func finishesWhatWasSent(isCallerGone: Bool) async throws {
    let call = try await fixture.signInUntilRefresh()
    let lock = Task { try await fixture.access.lock(.manual) }
    try await eventually("the lock begins") { await fixture.accounts.lockState.isOpen == false }
    #expect(await errorKind { try await fixture.token() } == .vaultLocked)
    #expect(await fixture.accounts.lockState.isLocked == false, "it waits for the answer")
    if isCallerGone { lock.cancel() }
    call.answer(.refreshed(.fixture("2")))
    _ = try await lock.value
    #expect(fixture.vault.isLocked)
    try await fixture.unlock()
    #expect(try await fixture.token() == "access-2")
    #expect(fixture.server.refreshes == ["refresh-1"])
    #expect(fixture.server.logouts.isEmpty)
  }

  @Test("settings that the disk did not take before a lock are kept, and stored after the unlock", .lock)
  func keepsSettings() async throws {
    let accounts = fixture.accounts
    try await fixture.signIn("work")
    try await fixture.signIn("home", user: "user-2", token: "2")
    home.storage.failWrites(with: .diskFull)
    try? await accounts.changeSettings(isKept: true) { $0.defaultAccount = "home" }
    _ = try await fixture.access.lock(.manual)
    home.storage.failWrites(with: nil)
    try await fixture.unlock()
    #expect(try await fixture.token() == "access-2")
    #expect(try await accounts.store().loadAll().settings.defaultAccount == "home")
  }

  @Test("a lock waits at most 2 s for an answer; a late answer changes nothing and ends no session", .lock)
  func goesOnWithoutAnswer() async throws {
    let call = try await fixture.signInUntilRefresh()
    let began = fixture.clock.now
    let lock = Task { try await fixture.access.lock(.manual) }
    // Advances the clock to the moments until which the lock may wait, at most 3 s (VA-4).
    for moment in [2000, 2500, 3000].map({ began.advanced(by: .milliseconds($0)) }) {
      try await eventually("the lock waits, or is complete") {
        if fixture.clock.isAwaited(at: moment) { return true }
        return await fixture.accounts.lockState.isLocked
      }
      if await !fixture.accounts.lockState.isLocked {
        fixture.clock.advance(by: fixture.clock.now.duration(to: moment))
      }
    }
    try await eventually("locked within 3 s") { await fixture.accounts.lockState.isLocked }
    #expect(began.duration(to: fixture.clock.now) >= VaultAccess.answerTime)
    _ = try await lock.value
    call.answer(.refreshed(.fixture("2")))
    try await fixture.unlock()
    let again = try await fixture.server.nextRefresh()
    #expect(again.token.exposed == "refresh-1", "the server gives the same session again")
    again.answer(.refreshed(.fixture("3")))
    try await eventually("the answer counts") { try await fixture.token() == "access-3" }
    #expect(fixture.server.logouts.isEmpty)
  }

  @Test("an unlock leaves the vault unlocked or locked, never in between, even if its caller is cancelled", .lock)
  func completesUnlockOfCancelledCaller() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("correct horse")
    _ = try await fixture.access.lock(.manual)
    home.derivation.hold()
    let before = home.derivation.count
    let unlock = Task { try await fixture.unlock("correct horse") }
    try await eventually("the key is tried") { home.derivation.count > before }
    unlock.cancel()
    home.derivation.release()
    _ = try? await unlock.value
    #expect(await fixture.accounts.lockState.isOpen && !fixture.vault.isLocked)
    #expect(try await fixture.token() == "access-1")
  }

  @Test("a caller that waits for a refresh gets vaultLocked", .lock)
  func tellsWaiters() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3590))
    async let kind = errorKind { try await fixture.accounts.refresh(nil) }
    let call = try await fixture.server.nextRefresh()
    try await eventually("the caller waits") { fixture.accounts.waiters.count == 1 }
    async let lock = fixture.access.lock(.manual)
    #expect(await kind == .vaultLocked)
    call.answer(.refreshed(.fixture("2")))
    _ = try await lock
  }

  @Test("every request about an account gets vaultLocked, also for unknown names; known names are listed", .lock)
  func refusesWhileLocked() async throws {
    try await fixture.signIn("work")
    try await fixture.signIn("home", token: "h")
    _ = try await fixture.access.lock(.manual)
    let accounts = fixture.accounts
    for name in ["work", "nobody", nil] {
      #expect(await errorKind { try await fixture.token(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.status(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.refresh(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.explain(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.use(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.apiTarget(name) } == .vaultLocked)
      #expect(await errorKind { try await accounts.signOut(.init(account: name)) } == .vaultLocked)
      #expect(await errorKind { try await fixture.signIn(name) } == .vaultLocked)
    }
    #expect(await errorKind { try await accounts.signOut(.init(all: true)) } == .vaultLocked)
    let list = await accounts.list()
    #expect(list.map(\.name) == ["home", "work"])
    #expect(list.allSatisfy { $0.state == .locked && $0.user == nil && !$0.tokenUsable })
    #expect(list.map(\.isDefault) == [false, true])
    #expect(await fixture.access.summary().state == "locked")
    #expect(AgentError(.vaultLocked).data.hint == "ritualctl unlock")
  }

  @Test("memory keeps only the names: no session, no token, no email address", .lock)
  func forgets() async throws {
    try await fixture.signIn()
    fixture.server.failLogouts(with: AuthError(.network, "no"))
    try await fixture.signIn("other", token: "o")
    _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: "other"))
    _ = try await fixture.access.lock(.manual)
    #expect(await fixture.accounts.accounts.isEmpty)
    #expect(await fixture.revocations.items.isEmpty)
    #expect(
      fixture.accounts.tokens.freshest(account: "default", rejected: nil, now: fixture.clock.now) == nil)
    var kept = ""
    dump(await fixture.accounts.events, to: &kept)
    #expect(kept.contains("VAULT_LOCKED"))
    #expect(!kept.contains("anna@example.org"))
  }

  @Test(
    "nothing is refreshed while locked; after the unlock overdue requests are sent and subscribers notified", .lock)
  func goesOnAfterUnlock() async throws {
    try await fixture.signIn()
    fixture.server.failLogouts(with: AuthError(.network, "no"))
    try await fixture.signIn("other", token: "o")
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    let ended = try await fixture.accounts.signOut(SessionSignOut.Params(account: "other"))
    #expect(ended.pending == ["other"])
    fixture.server.failLogouts(with: nil)
    let logouts = fixture.server.logouts.count
    _ = try await fixture.access.lock(.manual)
    for _ in 0..<60 { fixture.clock.advance(by: .seconds(60)) }
    #expect(await fixture.accounts.tick() >= fixture.clock.now.advanced(by: .seconds(29)))
    #expect(fixture.server.refreshes.isEmpty)
    #expect(fixture.server.logouts.count == logouts)
    // The access token of the session to be ended has expired by now, so the session is
    // refreshed first.
    fixture.server.answerRefreshes { .refreshed(.fixture($0 == "refresh-1" ? "2" : "o2")) }
    try await fixture.unlock()
    try await eventually("the refresh goes out") { try await fixture.token() == "access-2" }
    try await eventually("the sign-out goes out") {
      // Requests to one server are spread over time.
      fixture.clock.advance(by: .milliseconds(100))
      return fixture.server.logouts.last == "access-o2 local"
    }
    var types: [EventType] = []
    for await event in subscription.events {
      types.append(event.type)
      if event.type == .vaultUnlocked { break }
    }
    #expect(types.contains(.vaultLocked))
    #expect(types.last == .vaultUnlocked)
  }

  @Test("a flow that was requested before a lock does not start after it")
  func endsRequestedFlows() async throws {
    try await withSignIn { fixture async throws in
      let service = fixture.service
      let ticket = try await fixture.accounts.beginSignIn(
        account: nil, project: nil, provider: .google, replace: false)
      let locks = await service.locks
      let flow = Flow(.provider, ticket, waitTimeout: .seconds(60), now: fixture.clock.now)
      await service.endForLock()
      #expect(await errorKind { try await service.begin(flow, locks) } == .vaultLocked)
      #expect(await service.flows.isEmpty)
      #expect(await fixture.accounts.signIns.isEmpty)
    }
  }

  @Test("sign-ins in progress end with vaultLocked")
  func endsFlows() async throws {
    try await withSignIn { fixture async throws in
      let flow = try await fixture.start()
      async let kind = errorKind { try await fixture.service.wait(flow.id) }
      await fixture.accounts.beginLock()
      await fixture.service.endForLock()
      #expect(await kind == .vaultLocked)
      #expect(await fixture.accounts.signIns.isEmpty)
    }
  }
}
