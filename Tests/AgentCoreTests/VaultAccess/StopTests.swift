import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// A stop, a lock and a sleep write what an earlier write could not store. Each test fails
/// a write, makes the disk work again, and ends the agent before the write is retried.
@Suite(.timeLimit(.minutes(10))) struct StopTests {
  /// How the memory of the agent ends.
  enum End: CaseIterable, Sendable { case stop, lock }

  /// Runs `first`, ends the agent, and runs `second` after a start with the same vault, or after an unlock.
  private func ending(
    _ end: End, _ first: @escaping @Sendable (LockFixture) async throws -> Void,
    then second: @escaping @Sendable (LockFixture) async throws -> Void
  ) async throws {
    try await withLockEnvironment { home async throws in
      try await withLock(home) { fixture async throws in
        try await first(fixture)
        home.storage.failWrites(with: nil)
        guard end == .lock else { return }
        _ = try await fixture.access.lock(.manual)
        try await fixture.unlock()
        try await second(fixture)
      }
      guard end == .stop else { return }
      try await withLock(home) { try await second($0) }
    }
  }

  @Test("a refreshed session", arguments: End.allCases)
  func storesARefresh(end: End) async throws {
    try await ending(end) { fixture async throws in
      let call = try await fixture.signInUntilRefresh()
      fixture.home.storage.failWrites(with: .diskFull)
      call.answer(.refreshed(.fixture("2")))
      try await eventually("it is kept in memory") { await fixture.accounts.accounts["default"]?.unsaved != nil }
    } then: { fixture async throws in
      #expect(try await fixture.accounts.store().load("default").session?.refreshToken == "refresh-2")
      #expect(try await fixture.token() == "access-2")
    }
  }

  @Test("a verified session", arguments: End.allCases)
  func storesAVerification(end: End) async throws {
    try await ending(end) { fixture async throws in
      try await fixture.signIn(with: [.app])
      let (caller, sent) = try await fixture.verifyUntilSent()
      fixture.home.storage.failWrites(with: .diskFull)
      sent.answer(.success(.verified("2")))
      #expect(await errorOf { try await caller.value }?.kind == .storageFull)
    } then: { fixture async throws in
      let stored = try #require(try await fixture.accounts.store().load("default").session)
      #expect(stored.refreshToken == "refresh-2" && stored.verification == nil)
      #expect(try await fixture.accounts.status(nil).assurance?.current == "aal2")
    }
  }

  @Test("the record from before a sign-in that failed, and the end of the new session", arguments: End.allCases)
  func undoesASignIn(end: End) async throws {
    try await ending(end) { fixture async throws in
      try await fixture.signIn()
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      fixture.home.storage.failWrites(with: .diskFull)
      await #expect(throws: AgentError.self) { try await fixture.signIn(token: "2") }
      await #expect(throws: AgentError.self) { try await fixture.signIn("new", user: "user-3", token: "3") }
    } then: { fixture async throws in
      #expect(await fixture.accounts.list().map(\.name) == ["default"])
      #expect(try await fixture.token() == "access-1")
      fixture.server.failLogouts(with: nil)
      try await eventually("the sessions that were refused end") {
        fixture.clock.advance(by: .seconds(2))
        return fixture.server.logouts.contains("access-2 local") && fixture.server.logouts.contains("access-3 local")
      }
    }
  }

  @Test("the revocation of a session that was replaced", arguments: End.allCases)
  func storesARevocation(end: End) async throws {
    try await ending(end) { fixture async throws in
      try await fixture.signIn()
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      try await fixture.signIn(token: "2")
      try await eventually("the server does not answer") { !fixture.server.logouts.isEmpty }
    } then: { fixture async throws in
      let tried = fixture.server.logouts.count
      fixture.server.failLogouts(with: nil)
      try await eventually("the session that was replaced ends") {
        fixture.clock.advance(by: .seconds(2))
        return fixture.server.logouts.dropFirst(tried).contains("access-1 local")
      }
    }
  }

  @Test("renewed tokens of a revocation", arguments: End.allCases)
  func storesRenewedTokensOfARevocation(end: End) async throws {
    try await ending(end) { fixture async throws in
      try await fixture.signIn()
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      _ = try await fixture.accounts.signOut(SessionSignOut.Params())
      fixture.home.storage.failWrites(with: .diskFull)
      fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
      try await eventually("the tokens are renewed") {
        fixture.clock.advance(by: .seconds(900))
        return fixture.server.logouts.contains("access-2 local")
      }
    } then: { fixture async throws in
      #expect(try await fixture.accounts.store().loadAll().revocations.map(\.refreshToken) == ["refresh-2"])
      fixture.server.failLogouts(with: nil)
    }
  }

  @Test("facts about the user, the default account, and a limit of the server", arguments: End.allCases)
  func storesTheRest(end: End) async throws {
    try await ending(end) { fixture async throws in
      let accounts = fixture.accounts
      fixture.home.storage.beforeWrite(skipping: 1) { .diskFull }
      try await fixture.signIn("work")
      #expect(await accounts.settings.defaultAccount == "work")
      fixture.home.storage.failWrites(with: .diskFull)
      await accounts.profileSeen(onboarding: "needed", try accounts.profileTarget("work"))
      await accounts.seen(
        User(id: "user-1", email: "new@example.org"), of: "work", .elsewhere, asked: fixture.clock.now)
    } then: { fixture async throws in
      let status = try await fixture.accounts.status(nil)
      #expect(status.name == "work")
      #expect(status.onboarding == "needed")
      #expect(status.user?.email == "new@example.org")
    }
  }

  @Test("the end of a session by the server, and what it teaches", arguments: End.allCases)
  func storesAnEnd(end: End) async throws {
    try await ending(end) { fixture async throws in
      let call = try await fixture.signInUntilRefresh()
      fixture.home.storage.failWrites(with: .diskFull)
      call.answer(.fatal(.timebox, AuthError(.sessionExpired, "over", status: 400)))
      try await eventually("the session has ended") {
        let limits = await fixture.accounts.settings.limits(of: AccountsFixture.origin)
        return try await fixture.accounts.status(nil).state == .signInNeeded && limits != nil
      }
    } then: { fixture async throws in
      let origin = AccountsFixture.origin
      #expect(try await fixture.accounts.status(nil).state == .signInNeeded)
      #expect(await fixture.accounts.settings.limits(of: origin)?.timebox != nil)
    }
  }

  @Test("before a sleep, a session that could not be stored is stored, without the pause of its retry")
  func storesBeforeASleep() async throws {
    try await withAccounts { fixture async throws in
      let call = try await fixture.signInUntilRefresh()
      fixture.storage.failWrites(with: .diskFull)
      call.answer(.refreshed(.fixture("2")))
      try await eventually("it is kept in memory") { await fixture.accounts.accounts["default"]?.unsaved != nil }
      fixture.storage.failWrites(with: nil)
      await fixture.accounts.beginSleep()
      await fixture.accounts.waitUntilReadyForSleep()
      #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-2")
    }
  }
}
