import AgentProtocol
import FoundationEssentials
import SessionVault
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

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
