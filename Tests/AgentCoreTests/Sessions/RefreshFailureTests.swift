import AgentProtocol
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct RefreshFailureTests {
  private var fixture: AccountsFixture { .current }

  private let offline = AuthError(.network, "not reachable")

  @Test("TK-5: after three attempts the account is degraded, keeps its session, and is retried", .accounts)
  func degrades() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3400))
    for _ in 0..<3 { try await fixture.answerNext(.transient(offline, retryAfter: nil)) }
    try await eventually("the account is degraded") {
      try await fixture.accounts.status(nil).state == .degraded
    }
    #expect(try await fixture.token().accessToken == "access-1")
    #expect(fixture.server.refreshes == ["refresh-1", "refresh-1", "refresh-1"])
    try await fixture.answerNext(.refreshed(.fixture("2")))
    try await eventually("it is well again") { try await fixture.accounts.status(nil).state == .authenticated }
    #expect(try await fixture.token().accessToken == "access-2")
  }

  @Test("TK-5: callers wait for the quick attempts and then get the error kind of the failure", .accounts)
  func tellsCallersAfterThreeTries() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(60))
    let caller = Task { await errorKind { try await fixture.token(rejected: fingerprint("access-1")) } }
    for _ in 0..<3 { try await fixture.answerNext(.transient(offline, retryAfter: nil)) }
    #expect(await caller.value == .offline)
    #expect(fixture.server.refreshes.count == 3)
  }

  @Test("TK-5: Retry-After is respected for every caller", .accounts)
  func keepsRetryAfter() async throws {
    try await fixture.signIn(life: 10)
    fixture.clock.advance(by: .seconds(11))
    let caller = Task { await errorKind { try await fixture.token() } }
    let limited = AuthError(.rateLimited, "later")
    try await fixture.server.nextRefresh().answer(.transient(limited, retryAfter: .seconds(100)))
    #expect(await caller.value == .rateLimited)
    fixture.clock.advance(by: .seconds(50))
    let error = try #require(await errorOf { try await fixture.token() })
    #expect(error.kind == .rateLimited)
    #expect((error.data.retryAfter ?? 0) >= 50)
    #expect(fixture.server.refreshes.count == 1)
    fixture.clock.advance(by: .seconds(80))
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    try await eventually("the token is back") { (try? await fixture.token().accessToken) == "access-2" }
  }

  @Test("a fatal answer does not end a session if the vault holds a newer token", .accounts)
  func looksAtTheVaultFirst() async throws {
    let call = try await fixture.signInUntilRefresh()
    var stored = try await fixture.store.load("default")
    stored.session?.refreshToken = "refresh-7"
    stored.session?.accessToken = "access-7"
    stored.session?.received = Receipt(fixture.clock)
    try await fixture.store.save(stored)
    call.answer(.fatal(.tokenAlreadyUsed, AuthError(.unreadable, "used")))
    try await eventually("the newer session is taken") { try await fixture.token().accessToken == "access-7" }
  }

  @Test(
    "a rejected key or a banned user keeps the session, and is retried slowly", .accounts, arguments: [false, true])
  func keepsASessionThatIsMisconfigured(banned: Bool) async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3400))
    let error = AuthError(banned ? .userBanned : .gatewayRefused, "no")
    try await fixture.server.nextRefresh().answer(banned ? .banned(error) : .misconfigured(error))
    try await eventually("the failure is noted") {
      try await fixture.accounts.status(nil).refresh?.attempts == 1
    }
    fixture.clock.advance(by: .seconds(199))
    #expect(fixture.server.refreshes.count == 1)
    #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
  }
}
