import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// Sign-outs whose revocation at the server is pending.
@Suite(.timeLimit(.minutes(10))) struct PendingSignOutTests {
  @Test("pending sign-outs are listed by account, and the next sign-out retries them before their pause ends")
  func areRetriedByTheNextSignOut() async throws {
    try await withAccounts { fixture async throws in
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
  }

  @Test("while the vault is locked, pending sign-outs are unknown")
  func areUnknown() async throws {
    try await withAccounts { fixture async throws in
      await fixture.revocations.forgetSessions()
      #expect(await fixture.revocations.waiting == nil)
    }
  }
}
