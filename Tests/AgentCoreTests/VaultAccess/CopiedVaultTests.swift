import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine
@testable import SessionVault

/// A copied vault is not a second holder of its sessions.
@Suite(.lockEnvironment, .timeLimit(.minutes(10))) struct CopiedVaultTests {
  private var home: LockEnvironment { .current }

  /// Prepares a vault of machine 1 with a session, and with a sign-out that is pending at the
  /// server.
  private func prepare(_ home: LockEnvironment) async throws {
    try await withLock(home) { fixture async throws in
      try await fixture.signIn("work")
      try await fixture.signIn("gone", token: "g")
      fixture.server.failLogouts(with: AuthError(.network, "no"))
      #expect(try await fixture.accounts.signOut(SessionSignOut.Params(account: "gone")).pending == ["gone"])
    }
  }

  @Test("on another machine nothing is refreshed, sent or issued, and the status says what to do")
  func rests() async throws {
    try await prepare(home)
    let copy = home.copied(to: 2)
    try await withLock(copy) { fixture async throws in
      let status = try await fixture.accounts.status("work")
      #expect(status.state == .copied)
      #expect(!status.tokenUsable)
      #expect(await errorKind { try await fixture.token("work") } == .vaultCopied)
      #expect(await errorKind { try await fixture.accounts.refresh("work") } == .vaultCopied)
      #expect(await errorKind { try await fixture.accounts.apiTarget("work") } == .vaultCopied)
      #expect(await errorKind { try await fixture.accounts.signOut(.init(account: "work")) } == .vaultCopied)
      let all = try await fixture.accounts.signOut(.init(all: true))
      #expect(!all.accounts.contains("work"))
      #expect(all.failed?.contains { $0.account == "work" && $0.kind == .vaultCopied } == true)
      #expect(AgentError(.vaultCopied).data.hint == "ritualctl vault adopt")
      #expect(await fixture.access.summary().state == "copied")
      #expect(await fixture.access.complaints().contains { $0.contains("ritualctl vault adopt") })
      for _ in 0..<100 { fixture.clock.advance(by: .seconds(60)) }
      _ = await fixture.accounts.tick()
      #expect(copy.server.refreshes.isEmpty)
      #expect(copy.server.logouts.isEmpty)
    }
  }

  @Test("a session created in the copy is ended by a sign-out, also after a lock")
  func endsItsOwn() async throws {
    try await prepare(home)
    let copy = home.copied(to: 2)
    try await withLock(copy) { fixture async throws in
      try await fixture.signIn("here", token: "h")
      _ = try await fixture.access.lock(.manual)
      try await fixture.unlock()
      #expect(try await fixture.accounts.signOut(.init(account: "here")).pending == [])
      #expect(copy.server.logouts == ["access-h local"])
    }
  }

  @Test("adoption resumes sessions and pending sign-outs, and makes the old machine's copy inactive")
  func adopts() async throws {
    try await prepare(home)
    let copy = home.copied(to: 2)
    try await withLock(copy) { fixture async throws in
      #expect(try await fixture.access.adopt().accounts == ["work"])
      #expect(try await fixture.token("work") == "access-1")
      #expect(try await fixture.access.status().machine == "this")
      try await eventually("the sign-out goes on") { copy.server.logouts == ["access-g local"] }
      let call = try await fixture.nextRefresh()
      #expect(call.token.exposed == "refresh-1")
      call.answer(.refreshed(.fixture("2")))
    }
    try await withLock(copy) { fixture async throws in
      #expect(try await fixture.accounts.status("work").state != .copied)
    }
    try await withLock(home.copied(to: 1)) { fixture async throws in
      #expect(try await fixture.accounts.status("work").state == .copied)
    }
  }

  @Test("a new sign-in works for its account, over restarts, and ends no session of the other machine")
  func signsInAnew() async throws {
    try await prepare(home)
    let copy = home.copied(to: 2)
    try await withLock(copy) { fixture async throws in
      try await fixture.signIn("new", token: "n")
      try await fixture.signIn("work", token: "w")
      #expect(try await fixture.token("new") == "access-n")
      #expect(try await fixture.token("work") == "access-w")
      #expect(await fixture.access.summary().state == "copied")
      #expect(await fixture.revocations.count == 0)
      #expect(copy.server.logouts.isEmpty)
    }
    try await withLock(copy) { fixture async throws in
      #expect(try await fixture.accounts.status("new").state == .authenticated)
      #expect(try await fixture.access.adopt().accounts == [])
    }
    try await withLock(home.copied(to: 1)) { fixture async throws in
      #expect(try await fixture.accounts.status("new").state == .copied)
    }
  }

  @Test("a copy that returns brings the other machine's sessions, which are inactive there")
  func comesHome() async throws {
    try await prepare(home)
    try await withLock(home.copied(to: 2)) { try await $0.signIn("new", token: "n") }
    try await withLock(home.copied(to: 1)) { fixture async throws in
      #expect(try await fixture.accounts.status("work").state == .authenticated)
      #expect(try await fixture.accounts.status("new").state == .copied)
      #expect(try await fixture.access.adopt().accounts == ["new"])
    }
    try await withLock(home.copied(to: 1)) { fixture async throws in
      #expect(try await fixture.accounts.status("new").state == .authenticated)
    }
  }
}
