import AgentProtocol
import SessionVault
import SupabaseAuth
import Synchronization
import TestKit
import Testing

@testable import SessionEngine

/// Renaming and removing accounts.
@Suite struct AccountNamesTests {
  private static func expect(
    _ kind: ErrorKind, location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      Issue.record("no error", sourceLocation: location)
    } catch {
      #expect((error as? AgentError)?.kind == kind, "\(error)", sourceLocation: location)
    }
  }

  @Test("a renamed account keeps its session, its user's facts and the default role, also after a restart")
  func renames() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchDirectory { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn("old")
        try await fixture.signIn("other", user: "user-2", token: "2")
        #expect(try await fixture.accounts.rename("old", to: "new").isDefault)
        #expect(await fixture.accounts.list().map(\.name) == ["new", "other"])
        #expect(try await fixture.token().accessToken == "access-1")
        #expect(try await fixture.token("new").accessToken == "access-1")
        await Self.expect(.unknownAccount) { _ = try await fixture.token("old") }
      }
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(await fixture.accounts.list().map(\.name) == ["new", "other"])
        #expect(try await fixture.token().account == "new")
        #expect(try await fixture.store.load("new").renamedFrom == nil)
        #expect(fixture.server.logouts.isEmpty)
      }
    }
  }

  @Test("a renamed account refreshes under its new name")
  func refreshesAfterwards() async throws {
    try await withAccounts { fixture in
      try await fixture.signIn("old")
      _ = try await fixture.accounts.rename("old", to: "new")
      fixture.clock.advance(by: .seconds(3500))
      let refresh = try await fixture.server.nextRefresh()
      refresh.answer(.refreshed(.fixture("2")))
      try await eventually("the new token is issued") { try await fixture.token("new").accessToken == "access-2" }
      #expect(try await fixture.store.load("new").session?.refreshToken == "refresh-2")
    }
  }

  @Test("a name that is taken or invalid, a running sign-in and a refresh in flight refuse a rename")
  func refuses() async throws {
    try await withAccounts { fixture in
      try await fixture.signIn("old")
      try await fixture.signIn("other", user: "user-2", token: "2")
      for name in ["other", "Other", "", "a/b", "old"] {
        await Self.expect(.invalidParams) {
          _ = try await fixture.accounts.rename("old", to: name)
        }
      }
      for name in ["old", "new"] {
        let ticket = try await fixture.accounts.beginSignIn(
          account: name, project: nil, provider: .email, replace: false)
        await Self.expect(.flowBusy) { _ = try await fixture.accounts.rename("old", to: "new") }
        await fixture.accounts.endSignIn(ticket)
      }
      async let forced = fixture.accounts.refresh("old")
      let refresh = try await fixture.server.nextRefresh()
      await Self.expect(.notReady) { _ = try await fixture.accounts.rename("old", to: "new") }
      refresh.answer(.refreshed(.fixture("3")))
      _ = try await forced
      #expect(try await fixture.accounts.rename("old", to: "new").name == "new")
    }
  }

  @Test("a failed write leaves the old name, in memory and in the vault")
  func leavesTheOldName() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchDirectory { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn("old")
        storage.failNextWrite(with: .io)
        await #expect(throws: AgentError.self) { try await fixture.accounts.rename("old", to: "new") }
        #expect(try await fixture.token().account == "old")
      }
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(await fixture.accounts.list().map(\.name) == ["old"])
        #expect(try await fixture.token().account == "old")
      }
    }
  }

  @Test("a crash after any write of a rename leaves the session with one name")
  func survivesACrash() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchDirectory { folder async throws in
      let crashes = Mutex<[[String: [UInt8]]]>([])
      let names = Mutex<[String]>([])
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn("old")
        let left = try await storage.snapshots { _ = try await fixture.accounts.rename("old", to: "new") }
        crashes.withLock { $0 = left }
      }
      for files in crashes.withLock({ $0 }) {
        let left = MemoryStorage()
        left.files = files
        // The second start finds what the first one has repaired.
        for start in 1...2 {
          try await withAccounts(storage: left, clock: clock, folder: folder) { fixture async throws in
            let token = try await fixture.token()
            #expect(token.accessToken == "access-1")
            #expect(await fixture.accounts.list().map(\.name) == [token.account])
            if start == 2 { names.withLock { $0.append(token.account) } }
          }
        }
      }
      let found = names.withLock { $0 }
      #expect(Set(found) == ["old", "new"] && found == found.sorted(by: >), "old names, then new ones: \(found)")
    }
  }

  @Test("a later account with the former name stays")
  func keepsALaterAccount() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchDirectory { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        try await fixture.signIn("new")
        var record = try await fixture.store.load("new")
        record.renamedFrom = "old"
        try await fixture.store.save(record)
        clock.advance(by: .seconds(5))
        try await fixture.signIn("old", user: "user-2", token: "2")
      }
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(await fixture.accounts.list().map(\.name) == ["new", "old"])
      }
    }
  }

  @Test("a removed account is signed out and leaves no record; the default is chosen again by the user")
  func removes() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    try await withScratchDirectory { folder async throws in
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        let empty = storage.files.count
        try await fixture.signIn("old")
        let one = storage.files.count
        try await fixture.signIn("other", user: "user-2", token: "2")
        #expect(try await fixture.accounts.remove("other") == SessionRemove.Result(account: "other", isPending: false))
        #expect(try await fixture.server.nextLogout() == "access-2")
        try await eventually("its files are gone") { storage.files.count == one }
        #expect(one > empty)
        #expect(try await fixture.accounts.remove("old").account == "old")
        await Self.expect(.signInNeeded) { _ = try await fixture.token() }
        await Self.expect(.unknownAccount) { _ = try await fixture.accounts.remove("old") }
        try await fixture.signIn("a", token: "3")
        try await fixture.signIn("b", user: "user-2", token: "4")
        _ = try await fixture.accounts.remove("a")
        await Self.expect(.unknownAccount) { _ = try await fixture.token() }
        #expect(try await fixture.accounts.use("b").isDefault)
      }
      try await withAccounts(storage: storage, clock: clock, folder: folder) { fixture async throws in
        #expect(await fixture.accounts.list().map(\.name) == ["b"])
      }
    }
  }
}
