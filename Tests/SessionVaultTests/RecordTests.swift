import Testing

@testable import SessionVault

struct RecordTests {
  private var fixture: VaultFixture { .current }

  @Test(.vault) func savedRecordsAreThereAfterReopening() async throws {
    try fixture.save(["account/default": "one", "account/work": "two", "queue": ""])
    let vault = try fixture.open(create: false)
    #expect(vault.names() == ["account/default", "account/work", "queue"])
    #expect(try vault.text("account/default") == "one")
    #expect(try vault.text("account/work") == "two")
    #expect(try vault.text("queue") == "")
    #expect(vault.damaged.isEmpty)
  }

  @Test(.vault) func filesAndFoldersAreClosedToOthers() async throws {
    try fixture.save(["a": "x"])
    #expect(mode(of: fixture.vault) == 0o700)
    #expect(mode(of: fixture.keyFile) == 0o600)
    #expect(mode(of: fixture.folder + "/keys") == 0o700)
    #expect(mode(of: fixture.vault + "/header") == 0o600)
    #expect(mode(of: fixture.vault + "/lock") == 0o600)
    #expect(try fixture.recordFiles().map(mode(of:)) == [0o600])
  }

  @Test(.vault) func whatIsNotThereIsNotFound() async throws {
    let vault = try fixture.open()
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .notFound)
    #expect(code { () throws(VaultError) in try vault.delete("a") } == nil)
  }

  @Test(.vault) func deletingRemovesTheFile() async throws {
    try fixture.save(["a": "1", "b": "2"])
    let vault = try fixture.open()
    try vault.delete("a")
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .notFound)
    #expect(vault.names() == ["b"])
    #expect(try fixture.recordFiles().count == 1)
    try vault.delete("b")
    #expect(vault.names().isEmpty)
    #expect(try fixture.recordFiles().isEmpty)
    try vault.save([1], as: "a")
    #expect(try vault.load("a") == [1])
  }

  @Test func updateMakesChangesAndRemoves() async throws {
    struct Refused: Error {}
    try await withVaultFixture { fixture in
      let vault = try fixture.open()
      try vault.update("n") { content in
        #expect(content == nil)
        content = [1]
      }
      try vault.update("n") { $0?.append(2) }
      #expect(try vault.load("n") == [1, 2])
      #expect(throws: Refused.self) {
        try vault.update("n") { content in
          content = [9]
          throw Refused()
        }
      }
      #expect(try vault.load("n") == [1, 2])
      try vault.update("n") { $0 = nil }
      #expect(vault.names().isEmpty)
      try vault.update("n") { _ in }
      #expect(try fixture.recordFiles().isEmpty)
    }
  }

  @Test(.vault) func namesAndSizesHaveBounds() async throws {
    let vault = try fixture.open()
    let longest = String(repeating: "é", count: 127) + "x"
    try vault.save([1], as: longest)
    #expect(vault.names() == [longest])
    #expect(code { () throws(VaultError) in try vault.save([1], as: "") } == .invalidName)
    #expect(code { () throws(VaultError) in try vault.save([1], as: longest + "x") } == .invalidName)
    let largest = [UInt8](repeating: 7, count: VaultFormat.maxContentSize)
    try vault.save(largest, as: "big")
    #expect(code { () throws(VaultError) in try vault.save(largest + [7], as: "big") } == .tooLarge)
    vault.close()
    #expect(try fixture.open().load("big") == largest)
  }

  @Test(.vault) func everyCallAfterCloseIsLocked() async throws {
    let vault = try fixture.open()
    try vault.save([1], as: "a")
    vault.close()
    vault.close()
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .locked)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .locked)
    #expect(code { () throws(VaultError) in try vault.delete("a") } == .locked)
    #expect(throws: VaultError(.locked, "")) { try vault.update("a") { _ in } }
    #expect(vault.names().isEmpty)
    #expect(try fixture.open().load("a") == [1])
  }

  @Test(.vault) func eightThreadsLoseNothing() async throws {
    let vault = try fixture.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<20 {
            try vault.update("shared") { $0 = ($0 ?? []) + [UInt8(worker)] }
            try vault.save([UInt8(round)], as: "own/\(worker)")
            _ = try vault.load("shared")
          }
        }
      }
      try await group.waitForAll()
    }
    let shared = try vault.load("shared")
    #expect(shared.count == 160)
    #expect((0..<8).allSatisfy { worker in shared.count { $0 == worker } == 20 })
    #expect(vault.names().count == 9)
  }
}
