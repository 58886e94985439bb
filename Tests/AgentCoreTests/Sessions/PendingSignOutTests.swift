import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.accounts, .timeLimit(.minutes(10))) struct PendingSignOutTests {
  private var fixture: AccountsFixture { .current }

  @Test("pending sign-outs are listed by account, and the next sign-out retries them before their pause ends")
  func areRetriedByTheNextSignOut() async throws {
    try await fixture.signIn("work", token: "1")
    try await fixture.signIn("home", user: "user-2", token: "7")
    fixture.server.failLogouts(with: AuthError(.network, "no"))
    #expect(await fixture.revocations.waiting == [])
    let first = try await fixture.accounts.signOut(SessionSignOut.Params(account: "work"))
    #expect(first.pending == ["work"])
    #expect(await fixture.revocations.waiting == ["work"])
    let tries = fixture.server.logouts.count
    fixture.server.failLogouts(with: nil)
    // The clock does not advance, so no retry is due by itself.
    let second = try await fixture.accounts.signOut(SessionSignOut.Params(account: "home"))
    #expect(second.pending == [])
    try await eventually("both are told") { await fixture.revocations.waiting == [] }
    #expect(Set(fixture.server.logouts.dropFirst(tries)) == ["access-1 local", "access-7 local"])
  }

  @Test("only a server that cannot be reached is called unreachable, and a sign-out on its way is no problem")
  func tellsWhy() async throws {
    try await fixture.signIn("work", token: "0")
    // No attempt begins.
    await fixture.revocations.beginLock()
    #expect(try await fixture.accounts.signOut(SessionSignOut.Params(account: "work")).pending == ["work"])
    #expect(await fixture.revocations.complaints == [])
    await fixture.revocations.begin()
    await fixture.revocations.tryAgain()
    try await eventually("the server is told") { await fixture.revocations.waiting == [] }
    for (token, error, words) in [
      ("1", AuthError(.network, "no"), "1 sign-out is pending (server unreachable)"),
      ("7", AuthError(.unexpected, "no"), "1 sign-out is pending (not confirmed by the server, and repeated later)"),
    ] {
      try await fixture.signIn("work", token: token)
      fixture.server.failLogouts(with: error)
      _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: "work"))
      #expect(await fixture.revocations.complaints == [words])
      fixture.server.failLogouts(with: nil)
      await fixture.revocations.tryAgain()
      try await eventually("the server is told") { await fixture.revocations.waiting == [] }
      #expect(await fixture.revocations.complaints == [])
    }
  }

  @Test("while the vault is locked, pending sign-outs are unknown")
  func areUnknown() async throws {
    await fixture.revocations.forgetSessions()
    #expect(await fixture.revocations.waiting == nil)
  }
}
