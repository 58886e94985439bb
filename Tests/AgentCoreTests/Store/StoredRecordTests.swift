import AccessControl
import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// Records that open, and whose content this version cannot read.
@Suite(.timeLimit(.minutes(10))) struct StoredRecordTests {
  /// A record of each kind, which does not decode.
  static let names = ["account/work", "person/work", "revocation/1", "settings"]
  static let contents = [
    "", "no JSON", "[]", "{}", #"{"format":1}"#, #"{"format":0,"name":"work","project":"prod"}"#,
    #"{"format":"1","name":"work"}"#, #"{"format":1,"name":"other","project":"prod"}"#,
    #"{"format":1,"name":"work","project":"prod","session":{"origin":5}}"#,
  ]

  /// Writes `content` as the record `name` of a vault with the accounts `home` and `work`, and runs
  /// `body` after the next start.
  private func starting(
    with content: String, as name: String,
    _ body: @escaping @Sendable (LockFixture, _ before: [String: [UInt8]]) async throws -> Void
  ) async throws {
    try await withLockEnvironment { home async throws in
      let before = Mutexed<[String: [UInt8]]>([:])
      try await withLock(home) { fixture async throws in
        try await fixture.signIn("home", user: "user-2", token: "h")
        try await fixture.signIn("work")
        let known = Set(home.storage.files.keys)
        // Both copies of the record, whether it is new or not.
        let old = home.storage.files
        try fixture.vault.save(Array(content.utf8), as: name)
        before.value = home.storage.files.filter { !known.contains($0.key) || old[$0.key] != $0.value }
      }
      #expect(before.value.count == 2)
      try await withLock(home) { try await body($0, before.value) }
    }
  }

  @Test("a record that does not decode is set aside in both copies and named; the others work", arguments: contents)
  func setsAside(content: String) async throws {
    for name in Self.names {
      if name == "settings", content == #"{"format":1}"# || content.contains("other") || content.contains("5") {
        continue
      }
      try await starting(with: content, as: name) { fixture, before async throws in
        let files = fixture.home.storage.files
        for (file, bytes) in before {
          #expect(files[file] == nil && files[file + ".damaged-1"] == bytes, "\(name): \(file)")
        }
        let file = try #require(before.keys.min())
        #expect(await fixture.access.summary().damaged == [file])
        #expect(await fixture.access.complaints().contains { $0.contains(file) })
        let check = VaultDiagnosis.check(
          await fixture.access.summary(), complaints: await fixture.access.complaints())
        #expect(check.outcome == .warn && check.next?.contains(file) == true)
        await fixture.access.compareCopies()
        #expect(await fixture.access.reportedDamage.map(\.file) == [file], "it is in the journal")
        #expect(try await fixture.token("home") == "access-h")
        // A sign-in writes a new record, and keeps what was set aside.
        try await fixture.signIn("work", token: "2")
        #expect(try await fixture.token("work") == "access-2")
        for (file, bytes) in before { #expect(fixture.home.storage.files[file + ".damaged-1"] == bytes) }
      }
    }
  }

  @Test("an account of a later format is not touched: its requests say so, and the others work")
  func keepsALaterAccount() async throws {
    let content = #"{"format":2,"name":"work","sessions":[]}"#
    try await starting(with: content, as: "account/work") { fixture, before async throws in
      let accounts = fixture.accounts
      func expectUntouched(_ what: String) {
        for (file, bytes) in before { #expect(fixture.home.storage.files[file] == bytes, "\(what)") }
      }
      #expect(await errorKind { try await fixture.token("work") } == .formatTooNew)
      #expect(await errorKind { try await accounts.refresh("work") } == .formatTooNew)
      #expect(await errorKind { try await fixture.signIn("work", token: "2") } == .formatTooNew)
      #expect(
        await errorKind { try await accounts.signOut(SessionSignOut.Params(account: "work")) } == .formatTooNew)
      #expect(await errorKind { try await accounts.remove("work") } == .formatTooNew)
      #expect(await errorKind { try await accounts.rename("work", to: "new") } == .formatTooNew)
      #expect(await errorKind { try await accounts.rename("home", to: "work") } != nil)
      #expect(await accounts.list().map(\.name) == ["home", "work"])
      #expect(fixture.server.logouts.isEmpty, "nothing was sent")
      expectUntouched("requests")
      let file = try #require(before.keys.min())
      #expect(await fixture.access.complaints().contains { $0.contains(file) && $0.contains("newer") })
      _ = try await fixture.access.lock(.manual)
      try await fixture.unlock()
      expectUntouched("a lock and an unlock")
      #expect(await errorKind { try await fixture.token("work") } == .formatTooNew)
      #expect(try await fixture.token("home") == "access-h")
      await fixture.access.compareCopies()
      #expect(try await fixture.access.verify().files.filter { $0.state == "newer" }.count == 2)
      expectUntouched("the checks")
    }
  }

  @Test("a record of a later format is not touched", arguments: ["person/work", "revocation/1", "settings"])
  func keepsLaterRecords(name: String) async throws {
    try await starting(with: #"{"format":2,"id":"1"}"#, as: name) { fixture, before async throws in
      try await fixture.signIn("work", token: "2")
      await fixture.accounts.profileSeen(onboarding: "needed", try fixture.accounts.profileTarget("work"))
      if name == "settings" { #expect(await errorKind { try await fixture.accounts.use("home") } == .formatTooNew) }
      _ = try await fixture.access.lock(.manual)
      try await fixture.unlock()
      for (file, bytes) in before { #expect(fixture.home.storage.files[file] == bytes) }
      let file = try #require(before.keys.min())
      #expect(await fixture.access.complaints().contains { $0.contains(file) && $0.contains("newer") })
      #expect(try await fixture.token("work") == "access-2")
    }
  }
}

/// Stored records may hold any numbers and times: the agent starts, answers and continues
/// regardless.
@Suite(.timeLimit(.minutes(5))) struct StoredExtremesTests {
  private static let numbers: [Int] = [
    .min, .min + 1, -930_000_000_000_000_000, -1, 0, 1, 59, 3600, 31_536_001, Int(Int32.max),
    9_223_372_036, 9_223_372_037, .max / 2, .max - 1, .max,
  ]
  private static let times = ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]

  private func record(_ name: String, life: Int, boot: Int, wall: String, isThisBoot: Bool) throws -> StoredAccount {
    let bootID = isThisBoot ? ManualClock().bootID : "another"
    let session = """
      {"origin":"\(AccountsFixture.origin)","accessToken":"access-\(name)","refreshToken":"refresh-\(name)",\
      "expiresIn":\(life),"received":{"bootID":"\(bootID)","boot":{"nanoseconds":\(boot)},"wall":"\(wall)"},\
      "user":{"id":"user-1","identities":[]},"signedInAt":"\(wall)","provider":"email"}
      """
    return try WireCoding.decode(
      StoredAccount.self, from: Data(#"{"format":1,"name":"\#(name)","project":"prod","session":\#(session)}"#.utf8))
  }

  @Test("restores sessions with extreme lifetimes and receipt times", arguments: numbers)
  func restoresAnySession(life: Int) async throws {
    let storage = MemoryStorage()
    try await withScratchDirectory { folder in
      var names: [String] = []
      try await withAccounts(storage: storage, folder: folder) { _ in }
      let vault = try Vault.open(
        storage: storage, key: .keyFile(path: folder.path + "/vault.key", createIfMissing: true))
      let store = SessionStore(vault)
      for (index, boot) in Self.numbers.enumerated() {
        for isThisBoot in [true, false] {
          let name = "a\(index)\(isThisBoot ? "x" : "y")"
          names.append(name)
          try await store.save(
            try record(
              name, life: life, boot: boot, wall: Self.times[index % Self.times.count], isThisBoot: isThisBoot))
        }
      }
      await store.close()
      let all = names
      try await withAccounts(storage: storage, folder: folder) { fixture async throws in
        for name in all {
          _ = try await fixture.accounts.explain(name)
          _ = try await fixture.accounts.status(name)
        }
        #expect(await fixture.accounts.list().count == all.count)
      }
    }
  }
}
