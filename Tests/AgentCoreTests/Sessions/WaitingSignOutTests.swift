import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// Sign-outs that the server is still to be told of.
@Suite(.timeLimit(.minutes(1))) struct WaitingSignOutTests {
  @Test("they are known by their accounts, and the next sign-out takes them along, however long their pause is")
  func areTakenAlong() async throws {
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
      // The clock stands still: nothing is due by itself.
      let second = try await fixture.accounts.signOut(SessionSignOut.Params(account: "home"))
      #expect(second.pending == [])
      try await eventually("both are told") { await fixture.revocations.waiting == [] }
      #expect(Set(fixture.server.logouts.dropFirst(tries)) == ["access-1 local", "access-7 local"])
    }
  }

  @Test("with a locked vault nobody knows")
  func areUnknown() async throws {
    try await withAccounts { fixture async throws in
      await fixture.revocations.forgetSessions()
      #expect(await fixture.revocations.waiting == nil)
    }
  }
}
