import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// A network that returns, a machine that wakes up, a clock that is wrong.
@Suite(.accounts, .timeLimit(.minutes(10))) struct KernelEventTests {
  private var fixture: AccountsFixture { .current }

  /// Signs in, then answers refreshes with `outcome` until at least `tries` attempts have
  /// been made.
  private func exhaust(_ fixture: AccountsFixture, _ outcome: RefreshOutcome, tries: Int) async throws {
    fixture.server.answerRefreshes { _ in outcome }
    try await fixture.signIn()
    try await eventually("\(tries) tries") {
      fixture.clock.advance(by: RefreshPolicy.maxLatePause)
      return try await fixture.accounts.status(nil).refresh?.attempts ?? 0 >= tries
    }
    try await eventually("it rests") { try await fixture.accounts.status(nil).activity == AccountActivity.none }
  }

  @Test("a route that returns ends the long pause, and the attempt after the next one is early")
  func triesWhenTheNetworkReturns() async throws {
    try await exhaust(fixture, .transient(AuthError(.network, "no"), retryAfter: nil), tries: 10)
    let before = fixture.server.refreshes.count
    fixture.clock.advance(by: .seconds(3))
    await fixture.accounts.worldChanged(.network)
    try await eventually("the next try") { fixture.server.refreshes.count == before + 1 }
    try await eventually("it failed") { try await fixture.accounts.status(nil).refresh?.attempts == before + 1 }
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    fixture.clock.advance(by: RefreshPolicy.maxEarlyPause)
    try await eventually("the pause is short") { fixture.server.refreshes.count == before + 2 }
  }

  @Test(
    "a flapping route does not cause an attempt each second, and causes none while the server refuses")
  func boundsWhatTheNetworkCauses() async throws {
    try await exhaust(fixture, .transient(AuthError(.serverUnavailable, "500"), retryAfter: nil), tries: 8)
    let before = fixture.server.refreshes.count
    await fixture.accounts.worldChanged(.network)
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes.count == before)
    await fixture.accounts.worldChanged(.clock)
    fixture.clock.advance(by: .seconds(2))
    try await eventually("a wake-up is one") { fixture.server.refreshes.count == before + 1 }
    try await eventually("it rests") { try await fixture.accounts.status(nil).activity == AccountActivity.none }
    await fixture.accounts.worldChanged(.clock)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes.count == before + 1, "two seconds between tries at least")
  }

  @Test("a pause requested by the server outlasts a wake-up")
  func keepsRetryAfter() async throws {
    let limited = AuthError(.rateLimited, "later")
    try await exhaust(fixture, .transient(limited, retryAfter: .seconds(3000)), tries: 1)
    await fixture.accounts.worldChanged(.clock)
    fixture.clock.advance(by: .seconds(30))
    _ = await fixture.accounts.tick()
    #expect(fixture.server.refreshes.count == 1)
  }

  @Test(
    "TK-8: the clock skew is reported, follows a clock correction, and decides nothing", arguments: [-7200, 7200])
  func tellsTheSkew(skew: Int64) async throws {
    let clock = fixture.clock
    fixture.server.answerRefreshes { _ in
      .refreshed(.fixture("2", serverDate: Date(timeIntervalSince1970: Double(clock.wall.unixSeconds + skew))))
    }
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3400))
    try await eventually("a refresh") { try await fixture.token().accessToken == "access-2" }
    #expect(try await fixture.accounts.status(nil).refresh?.clockSkew == Int(skew))
    let words = try #require(await fixture.accounts.clockComplaints().first)
    #expect(words.contains("7200 s \(skew > 0 ? "behind" : "ahead of")"))
    fixture.clock.jumpWall(by: .seconds(skew))
    #expect(try await fixture.accounts.status(nil).refresh?.clockSkew == 0)
    #expect(await fixture.accounts.clockComplaints().isEmpty)
    for _ in 0..<50 {
      fixture.clock.advance(by: .seconds(60))
      _ = try await fixture.token()
    }
    #expect(fixture.server.refreshes.count == 1)
  }
}
