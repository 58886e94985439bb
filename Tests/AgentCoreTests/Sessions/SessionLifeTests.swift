import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import TestKit
import Testing

@testable import AgentCore

@Suite(.timeLimit(.minutes(1))) struct SessionLifeTests {
  @Test("SE-3: a restart restores every session without a sign-in, and hands out its token at once")
  func survivesARestart() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { try await $0.signIn("work") }
      clock.advance(by: .seconds(600))
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(try await fixture.token().expiresIn == 3000)
        #expect(try await fixture.accounts.status(nil).name == "work")
        #expect(fixture.server.refreshes.isEmpty)
      }
    }
  }

  @Test("TK-8: over a reboot the wall clock decides where it is plausible, else a refresh follows")
  func survivesAReboot() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { try await $0.signIn() }
      clock.reboot(after: .seconds(600))
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(try await fixture.token().expiresIn == 3000)
      }
      clock.jumpWall(by: -7200)
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        let call = try await fixture.server.nextRefresh()
        call.answer(.refreshed(.fixture("2")))
        try await eventually("the refreshed token") { (try? await fixture.token().accessToken) == "access-2" }
      }
    }
  }

  @Test("TK-8: a wall clock that jumps neither refreshes nor serves dead tokens", arguments: [-36_000, 36_000])
  func ignoresTheWallClock(jump: Int64) async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      fixture.clock.jumpWall(by: jump)
      fixture.clock.advance(by: .seconds(31))
      #expect(try await fixture.token().expiresIn == 3569)
      #expect(fixture.server.refreshes.isEmpty)
    }
  }

  @Test("SE-3: a restored session is checked with the server in the background; a refusal causes a refresh")
  func asksTheServer() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    let refusal = AuthError(.sessionNotFound, "gone", status: 403)
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { try await $0.signIn() }
      let server = ScriptedAuthServer()
      server.answerUser(with: .failure(refusal))
      try await withAccounts(storage: storage, clock: clock, folder: folder, server: server) { fixture async throws in
        #expect(try await fixture.token().accessToken == "access-1")
        try await fixture.server.nextRefresh().answer(.fatal(.tokenNotFound, refusal))
        try await eventually("the end shows") { try await fixture.accounts.status(nil).state == .signInNeeded }
      }
    }
  }

  @Test("SE-4: sign-out ends the session at the server and in the vault")
  func signsOut() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let result = try await fixture.accounts.signOut(SessionSignOut.Params())
      #expect(result == SessionSignOut.Result(accounts: ["default"], pending: []))
      #expect(fixture.server.logouts == ["access-1 local"])
      #expect(try await fixture.store.load("default").session == nil)
      #expect(try await fixture.store.loadRevocations().isEmpty)
      #expect(await kindOfError { try await fixture.token() } == .signInNeeded)
    }
  }

  @Test("SE-4: without network the local part is done, and the revocation is kept over a restart")
  func signsOutOffline() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn()
        fixture.server.failLogouts(with: AuthError(.network, "no"))
        let result = try await fixture.accounts.signOut(SessionSignOut.Params(scope: .global))
        #expect(result.pending == ["default"])
        #expect(try await fixture.store.load("default").session == nil)
      }
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(try await fixture.server.nextLogout() == "access-1")
        try await eventually("the queue is empty") { try await fixture.store.loadRevocations().isEmpty }
        #expect(fixture.server.logouts == ["access-1 global"])
      }
    }
  }

  @Test("SE-4: a revocation whose access token has died is refreshed first")
  func refreshesBeforeALateLogout() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn()
        fixture.server.failLogouts(with: AuthError(.network, "no"))
        _ = try await fixture.accounts.signOut(SessionSignOut.Params())
      }
      clock.advance(by: .seconds(4000))
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        let call = try await fixture.server.nextRefresh()
        #expect(call.token.exposed == "refresh-1")
        call.answer(.refreshed(.fixture("2")))
        #expect(try await fixture.server.nextLogout() == "access-2")
      }
    }
  }

  @Test("an answer that comes after the sign-out changes nothing, and its session is ended")
  func dropsALateAnswer() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      fixture.clock.advance(by: .seconds(3400))
      let call = try await fixture.server.nextRefresh()
      _ = try await fixture.accounts.signOut(SessionSignOut.Params())
      #expect(try await fixture.server.nextLogout() == "access-1")
      call.answer(.refreshed(.fixture("2")))
      #expect(try await fixture.server.nextLogout() == "access-2")
      #expect(try await fixture.accounts.status(nil).state == .unauthenticated)
      #expect(try await fixture.store.load("default").session == nil)
    }
  }

  @Test("an answer that comes after a new sign-in changes nothing (supabase-swift#1371)")
  func dropsAnAnswerForAnotherSession() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      fixture.clock.advance(by: .seconds(3400))
      let call = try await fixture.server.nextRefresh()
      try await fixture.signIn(token: "10")
      #expect(try await fixture.server.nextLogout() == "access-1")
      call.answer(.refreshed(.fixture("2")))
      #expect(try await fixture.server.nextLogout() == "access-2")
      #expect(try await fixture.token().accessToken == "access-10")
      #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-10")
    }
  }

  @Test("SI-15: a sign-in that ends as another user replaces nothing, and the new session is revoked")
  func refusesTheWrongUser() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      #expect(await kindOfError { try await fixture.signIn(user: "user-2", token: "9") } == .wrongUser)
      #expect(try await fixture.server.nextLogout() == "access-9")
      #expect(try await fixture.token().accessToken == "access-1")
      try await fixture.signIn(user: "user-2", token: "10", replace: true)
      #expect(try await fixture.token().accessToken == "access-10")
      #expect(try await fixture.server.nextLogout() == "access-1")
    }
  }

  @Test("SI-10: one sign-in at a time for an account")
  func refusesASecondSignIn() async throws {
    try await withAccounts { fixture async throws in
      let ticket = try await fixture.accounts.beginSignIn(
        account: nil, project: nil, provider: .google, replace: false)
      #expect(await kindOfError { try await fixture.signIn() } == .flowBusy)
      await fixture.accounts.endSignIn(ticket)
      try await fixture.signIn()
    }
  }

  @Test("a sign-in that cannot be stored leaves the old session as it is")
  func keepsTheOldSessionWhenTheDiskIsFull() async throws {
    let storage = MemoryStorage()
    try await withAccounts(storage: storage) { fixture async throws in
      try await fixture.signIn()
      storage.failWrites(with: .diskFull)
      #expect(await kindOfError { try await fixture.signIn(token: "9") } == .storageFull)
      storage.failWrites(with: nil)
      #expect(try await fixture.server.nextLogout() == "access-9")
      #expect(try await fixture.token().accessToken == "access-1")
      #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
    }
  }

  @Test("SE-2: a configuration that names another origin sends nothing there and loses nothing")
  func keepsASessionOfAnotherOrigin() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchFolder { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { try await $0.signIn() }
      clock.advance(by: .seconds(4000))
      try await withAccounts(
        storage: storage, clock: clock, folder: folder, url: "http://127.0.0.1:10"
      ) { fixture async throws in
        #expect(try await fixture.accounts.status(nil).state == .misconfigured)
        #expect(await kindOfError { try await fixture.token() } == .misconfigured)
        clock.advance(by: .seconds(60))
        #expect(fixture.server.refreshes.isEmpty)
        #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-1")
        _ = fixture.projects.apply(try AccountsFixture.configuration())
        await fixture.accounts.configurationChanged()
        try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
        try await eventually("it goes on") { (try? await fixture.token().accessToken) == "access-2" }
      }
    }
  }
}
