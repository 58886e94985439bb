import AgentProtocol
import Dispatch
import SessionVault
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
  private var fixture: AccountsFixture { .current }

  @Test("EG-6: the change of the user is reported before the new user's token is published", .accounts)
  func reportsTheOwnerFirst() async throws {
    try await fixture.signIn("work")
    let (tokens, clock, published) = (fixture.accounts.tokens, fixture.clock, Mutexed<[String?]>([]))
    fixture.observers.add { fact in
      guard case .ownerChanged = fact else { return }
      published.value.append(tokens.freshest(account: "work", rejected: nil, now: clock.now)?.result.accessToken)
    }
    try await fixture.signIn("work", user: "user-2", token: "2", replace: true)
    #expect(published.value == ["access-1"])
  }

  @Test("what changes in memory while a change is written is kept", .accounts)
  func keepsWhatChangesDuringAWrite() async throws {
    try await fixture.signIn("work")
    let accounts = fixture.accounts
    let write = fixture.storage.holdWrite()
    let user = User(id: "user-1", email: "new@example.org")
    async let change: Void = accounts.seen(user, of: "work", .elsewhere, asked: accounts.clock.now)
    try await write.isHeld.wait()
    fixture.server.answerRefreshes { _ in .transient(AuthError(.network, "off"), retryAfter: nil) }
    let caller = Task { try? await accounts.refresh("work") }
    try await eventually("the refresh fails") { await accounts.accounts["work"]?.attempts.isEmpty == false }
    write.release.signal()
    await change
    #expect(await accounts.accounts["work"]?.newest?.user.email == "new@example.org")
    #expect(await accounts.accounts["work"]?.failures ?? 0 > 0)
    caller.cancel()
    _ = await caller.value
  }

  @Test("TK-2: a token is refreshed before its expiry, and callers get the old token meanwhile", .accounts)
  func refreshesAhead() async throws {
    try await fixture.signIn()
    #expect(try await fixture.accounts.explain(nil).explanation.contains { $0.hasPrefix("Next refresh in ") })
    // 3600 s of lifetime, minus 300 s of lead and half of the 75 s of jitter.
    fixture.clock.advance(by: .seconds(3600 - 300 - 37))
    let call = try await fixture.server.nextRefresh()
    #expect(try await fixture.token().accessToken == "access-1")
    call.answer(.refreshed(.fixture("2")))
    try await eventually("the new token is served") { try await fixture.token().accessToken == "access-2" }
  }

  @Test("TK-3: every waiter gets the error, too", .accounts)
  func sharesTheError() async throws {
    try await fixture.signIn(life: 10)
    fixture.clock.advance(by: .seconds(11))
    async let kinds = withTaskGroup(of: ErrorKind?.self) { group in
      for _ in 0..<20 { group.addTask { await errorKind { try await fixture.token() } } }
      return await group.reduce(into: [ErrorKind?]()) { $0.append($1) }
    }
    let error = AuthError(.unreadable, "no")
    try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, error))
    #expect(await Set(kinds) == [.signInNeeded])
  }

  @Test("a cancelled caller does not end the refresh (supabase-swift#707)", .accounts)
  func survivesTheCaller() async throws {
    try await fixture.signIn(life: 10)
    fixture.clock.advance(by: .seconds(11))
    let caller = Task { try await fixture.token() }
    let call = try await fixture.server.nextRefresh()
    caller.cancel()
    #expect(await errorKind { try await caller.value } == .cancelled)
    call.answer(.refreshed(.fixture("2")))
    try await eventually("the new token is stored and served") {
      try await fixture.token().accessToken == "access-2"
    }
  }

  @Test("TK-4: a caller that rejects an old token gets the newer one, without a refresh", .accounts)
  func answersTheNewerToken() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(60))
    let answer = try await fixture.token(rejected: fingerprint("access-0"))
    #expect(answer.accessToken == "access-1")
    #expect(answer.unchanged == nil)
    #expect(fixture.server.refreshes.isEmpty)
  }

  @Test("TK-4: a rejected token causes one refresh; rejected again within 5 s, it is returned as unchanged", .accounts)
  func refreshesTheRejectedToken() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(60))
    async let answer = fixture.token(rejected: fingerprint("access-1"))
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    #expect(try await answer.accessToken == "access-2")
    fixture.clock.advance(by: .seconds(4))
    let again = try await fixture.token(rejected: fingerprint("access-2"))
    #expect(again.accessToken == "access-2")
    #expect(again.unchanged == true)
    #expect(fixture.server.refreshes == ["refresh-1"])
    fixture.clock.advance(by: .seconds(2))
    async let third = fixture.token(rejected: fingerprint("access-2"))
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("3")))
    #expect(try await third.accessToken == "access-3")
  }

  @Test("refuses a rejected token that is not given by its hash, because it would never match", .accounts)
  func refusesABrokenFingerprint() async throws {
    try await fixture.signIn()
    let shouted = fingerprint("access-1").uppercased()
    #expect(await errorKind { try await fixture.token(rejected: shouted) } == .invalidParams)
    #expect(await errorKind { try await fixture.token(rejected: "access-1") } == .invalidParams)
  }

  @Test("an extreme minimum lifetime is handled like any other", .accounts, arguments: [1e300, 1e19, -1e300])
  func survivesAnyMinimum(minTTL: Double) async throws {
    try await fixture.signIn()
    let answer = fixture.accounts.tokens.answer(
      account: nil, minTTL: minTTL, rejected: nil, now: fixture.clock.now)
    #expect((answer == nil) == (minTTL > 0))
  }

  @Test("without accounts a sign-in is needed; an unknown name is reported as such", .accounts)
  func tellsWhatIsMissing() async throws {
    #expect(await errorKind { try await fixture.token() } == .signInNeeded)
    #expect(await errorKind { try await fixture.token("home") } == .unknownAccount)
  }
}
