import AgentProtocol
import Dispatch
import SessionVault
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite struct AccountNamesTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  @Test("a renamed account keeps its session, its user's facts and the default role, also after a restart", .restarts)
  func renames() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn("old")
      try await fixture.signIn("other", user: "user-2", token: "2")
      #expect(try await fixture.accounts.rename("old", to: "new").isDefault)
      #expect(await fixture.accounts.list().map(\.name) == ["new", "other"])
      #expect(try await fixture.token().accessToken == "access-1")
      #expect(try await fixture.token("new").accessToken == "access-1")
      #expect(await errorKind { try await fixture.token("old") } == .unknownAccount)
    }
    try await home.start { fixture async throws in
      #expect(await fixture.accounts.list().map(\.name) == ["new", "other"])
      #expect(try await fixture.token().account == "new")
      #expect(try await fixture.store.load("new").renamedFrom == nil)
      #expect(fixture.server.logouts.isEmpty)
    }
  }

  @Test("a name that is taken or invalid, a running sign-in and a refresh in flight refuse a rename", .accounts)
  func refuses() async throws {
    try await fixture.signIn("old")
    try await fixture.signIn("other", user: "user-2", token: "2")
    for name in ["other", "Other", "", "a/b", "old"] {
      #expect(await errorKind { try await fixture.accounts.rename("old", to: name) } == .invalidParams)
    }
    for name in ["old", "new"] {
      let ticket = try await fixture.accounts.beginSignIn(
        account: name, project: nil, provider: .email, replace: false)
      #expect(await errorKind { try await fixture.accounts.rename("old", to: "new") } == .flowBusy)
      await fixture.accounts.endSignIn(ticket)
    }
    async let forced = fixture.accounts.refresh("old")
    let refresh = try await fixture.server.nextRefresh()
    #expect(await errorKind { try await fixture.accounts.rename("old", to: "new") } == .notReady)
    refresh.answer(.refreshed(.fixture("3")))
    _ = try await forced
    #expect(try await fixture.accounts.rename("old", to: "new").name == "new")
  }

  @Test("a later account with the former name stays", .restarts)
  func keepsALaterAccount() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn("new")
      var record = try await fixture.store.load("new")
      record.renamedFrom = "old"
      try await fixture.store.save(record)
      fixture.clock.advance(by: .seconds(5))
      try await fixture.signIn("old", user: "user-2", token: "2")
    }
    try await home.start { fixture async throws in
      #expect(await fixture.accounts.list().map(\.name) == ["new", "old"])
    }
  }

  @Test("a removed account is signed out and leaves no record; the default is chosen again by the user", .restarts)
  func removes() async throws {
    try await home.start { fixture async throws in
      let empty = fixture.storage.files.count
      try await fixture.signIn("old")
      let one = fixture.storage.files.count
      try await fixture.signIn("other", user: "user-2", token: "2")
      #expect(try await fixture.accounts.remove("other") == SessionRemove.Result(account: "other", isPending: false))
      #expect(try await fixture.server.nextLogout() == "access-2")
      try await eventually("its files are gone") { fixture.storage.files.count == one }
      #expect(one > empty)
      #expect(try await fixture.accounts.remove("old").account == "old")
      #expect(await errorKind { try await fixture.token() } == .signInNeeded)
      #expect(await errorKind { try await fixture.accounts.remove("old") } == .unknownAccount)
      try await fixture.signIn("a", token: "3")
      try await fixture.signIn("b", user: "user-2", token: "4")
      _ = try await fixture.accounts.remove("a")
      #expect(await errorKind { try await fixture.token() } == .unknownAccount)
      #expect(try await fixture.accounts.use("b").isDefault)
    }
    try await home.start { fixture async throws in
      #expect(await fixture.accounts.list().map(\.name) == ["b"])
    }
  }

  @Test("an account that could not be removed keeps its session; its removal may be pending at the server", .accounts)
  func undoesAFailedRemoval() async throws {
    try await fixture.signIn("work")
    fixture.storage.afterNextRemoval { .io }
    await #expect(throws: AgentError.self) { try await fixture.accounts.remove("work") }
    #expect(try await fixture.token("work").accessToken == "access-1")
    #expect(try await fixture.store.load("work").session?.refreshToken == "refresh-1")
    #expect(try await fixture.store.loadAll().revocations.isEmpty && fixture.server.logouts.isEmpty)
    fixture.server.failLogouts(with: AuthError(.network, "off"))
    #expect(try await fixture.accounts.remove("work").isPending)
    #expect(fixture.server.logouts.last == "access-1 local")
  }

  @Test("a sign-out and a rename that a lock overtakes fail with vaultLocked", .accounts)
  func reportsLocks() async throws {
    try await fixture.signIn("old")
    let accounts = fixture.accounts
    await accounts.writeGate.enter("old")
    let signOut = Task { _ = try await accounts.signOut(SessionSignOut.Params(account: "old")) }
    let rename = Task { _ = try await accounts.rename("old", to: "new") }
    await fixture.settle()
    await accounts.forgetSessions()
    accounts.writeGate.leave("old")
    #expect(await errorKind { try await signOut.value } == .vaultLocked)
    #expect(await errorKind { try await rename.value } == .vaultLocked)
  }

  @Test("an account that is renamed meanwhile does not become the default account under its former name", .restarts)
  func usesNoFormerName() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn("other", user: "user-2", token: "2")
      try await fixture.signIn("old")
      let isDeleted = Mutex(false)
      let mayContinue = DispatchSemaphore(value: 0)
      fixture.storage.afterNextRemoval {
        isDeleted.withLock { $0 = true }
        mayContinue.wait()
        return nil
      }
      let rename = Task { try await fixture.accounts.rename("old", to: "new") }
      try await eventually("the old record is deleted") { isDeleted.withLock { $0 } }
      let use = Task { _ = try await fixture.accounts.use("old") }
      await fixture.settle()
      mayContinue.signal()
      #expect(try await rename.value.isDefault == false)
      #expect(await errorKind { try await use.value } == .unknownAccount)
    }
    try await home.start { fixture async throws in
      #expect(try await fixture.token().account == "other")
    }
  }

  @Test("a rename whose every step back fails leaves a record of the session, until a write works", .restarts)
  func keepsOneRecord() async throws {
    let left = Mutexed<[String: [UInt8]]>([:])
    try await home.start { fixture async throws in
      let storage = fixture.storage
      try await fixture.signIn("old")
      storage.afterNextRemoval {
        storage.failWrites(with: .io)
        return .io
      }
      await #expect(throws: AgentError.self) { try await fixture.accounts.rename("old", to: "new") }
      left.value = storage.files
      storage.failWrites(with: nil)
      try await eventually("the old record is the only one") {
        fixture.clock.advance(by: .seconds(2))
        return try await fixture.store.loadAll().accounts.map(\.name) == ["old"]
      }
    }
    home.storage.files = left.value
    try await home.start { fixture async throws in
      #expect(try await fixture.token("new").accessToken == "access-1")
      #expect(await fixture.accounts.list().map(\.name) == ["new"])
    }
  }
}
