import AgentProtocol
import FoundationEssentials
import TestKit
import Testing

@testable import AgentCore
@testable import SessionVault

/// Keys through the agent: what a request must present, and its effect (VA-3).
@Suite(.timeLimit(.minutes(10))) struct KeyTests {
  private static let passphrase = SecretText("correct horse")

  @Test("a passphrase replaces the key file, unless the key file is to be kept", arguments: [false, true])
  func addsPassphrase(keeps: Bool) async throws {
    try await withLockEnvironment { home async throws in
      try await withLock(home) { fixture async throws in
        let result = try await fixture.access.addKey(
          VaultAddKey.Params(
            kind: .passphrase, passphrase: Self.passphrase, present: PresentKeys(keyFile: true), keepKeyFile: keeps))
        #expect(result.key.kind == .passphrase)
        #expect(result.key.passes == 1)
        #expect(result.removed.map(\.kind) == (keeps ? [] : [.keyFile]))
        let status = try await fixture.access.status()
        #expect(status.keys.map(\.kind) == (keeps ? [.keyFile, .passphrase] : [.passphrase]))
        #expect(status.protection.contains(VaultSummary.keyFileProtection) == keeps)
        #expect(try await fixture.access.lock(.manual).opensByFile == keeps)
      }
    }
  }

  @Test("an open vault is not enough to change its keys")
  func needsPresentKey() async throws {
    try await withLockEnvironment { home async throws in
      try await withLock(home) { fixture async throws in
        let access = fixture.access
        let id = try await access.status().keys[0].id
        let wrong = PresentKeys(passphrases: [SecretText("wrong")])
        for (present, kind) in [(PresentKeys(), ErrorKind.invalidParams), (wrong, .wrongKey)] {
          #expect(
            await errorKind {
              try await access.addKey(.init(kind: .passphrase, passphrase: Self.passphrase, present: present))
            } == kind)
          #expect(await errorKind { try await access.removeKey(.init(id: id, present: present)) } == kind)
          #expect(await errorKind { try await access.rekey(.init(present: present)) } == kind)
        }
        let file = PresentKeys(keyFile: true)
        #expect(
          await errorKind { try await access.removeKey(.init(id: id, present: file)) } == .invalidParams, "the last")
        #expect(await errorKind { try await access.removeKey(.init(id: "none", present: file)) } == .invalidParams)
        #expect(
          await errorKind {
            try await access.addKey(.init(kind: .passphrase, passphrase: SecretText(""), present: file))
          } == .invalidParams)
        #expect(await errorKind { try await access.addKey(.init(kind: .credential, present: file)) } == .wrongKey)
        #expect(try await access.status().keys.map(\.id) == [id])
      }
    }
  }

  @Test("a rekey needs every key")
  func rekeys() async throws {
    try await withLockEnvironment { home async throws in
      try await withLock(home) { fixture async throws in
        try await fixture.signIn()
        let file = PresentKeys(keyFile: true)
        _ = try await fixture.access.addKey(
          .init(kind: .passphrase, passphrase: Self.passphrase, present: file, keepKeyFile: true))
        let before = try await fixture.access.status().generation
        #expect(await errorKind { try await fixture.access.rekey(.init(present: file)) } == .wrongKey)
        let both = PresentKeys(keyFile: true, passphrases: [Self.passphrase])
        #expect(try await fixture.access.rekey(.init(present: both)).generation > before)
        #expect(try await fixture.access.verify().isWhole)
      }
      try await withLock(home) { fixture async throws in
        #expect(try await fixture.token() == "access-1")
      }
    }
  }

  @Test("verification names the damaged file")
  func verifies() async throws {
    try await withLockEnvironment { home async throws in
      try await withLock(home) { fixture async throws in
        try await fixture.signIn()
        #expect(try await fixture.access.verify().isWhole)
        let file = try #require(home.storage.files.keys.sorted().first { $0 != "header" })
        home.storage.files[file]?[40] ^= 1
        let result = try await fixture.access.verify()
        #expect(!result.isWhole)
        #expect(result.files.first { $0.file == file }?.state == "damaged")
        _ = try await fixture.access.lock(.manual)
        #expect(await errorKind { try await fixture.access.verify() } == .vaultLocked)
      }
    }
  }

  @Test("a passphrase shows in no description, and survives a JSON round trip")
  func redacts() throws {
    let params = VaultUnlock.Params(passphrase: SecretText("correct horse ö \" \\"))
    var dumped = ""
    dump(params, to: &dumped)
    for shown in ["\(params)", String(reflecting: params), dumped] {
      #expect(!shown.contains("horse") && !shown.contains("99"), "neither as text nor as bytes: \(shown)")
    }
    let json = try WireCoding.encode(params)
    #expect(try WireCoding.decode(VaultUnlock.Params.self, from: json) == params)
  }
}
