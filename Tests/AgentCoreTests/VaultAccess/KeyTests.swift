import AgentProtocol
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import AgentCore
@testable import SessionVault

@Suite(.timeLimit(.minutes(10))) struct KeyTests {
  private var home: LockEnvironment { .current }
  private var fixture: LockFixture { .current }

  private static let passphrase = SecretText("correct horse")

  @Test("an open vault is not enough to change its keys", .lock)
  func needsPresentKey() async throws {
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
    let many = PresentKeys(passphrases: (0..<17).map { SecretText("\($0)") })
    #expect(await errorKind { try await access.rekey(.init(present: many)) } == .tooMany)
    #expect(try await access.status().keys.map(\.id) == [id])
  }

  @Test("verification names the damaged file", .lock)
  func verifies() async throws {
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

  @Test(
    "the warning about swap names the error of mlock, and blames the limit only where it is the cause",
    arguments: [
      (ENOMEM, 65536, "Cannot allocate memory): raise RLIMIT_MEMLOCK"),
      (EAGAIN, 65536, "Resource temporarily unavailable): raise RLIMIT_MEMLOCK"),
      (EPERM, 0, "Operation not permitted): raise RLIMIT_MEMLOCK"),
      (EPERM, 65536, "Operation not permitted): a filter of system calls refuses it"),
      (ENOSYS, 0x7FFF_FFFF, "Function not implemented): a filter of system calls refuses it"),
    ] as [(Int32, UInt64, String)])
  func namesWhatRefusesMlock(errno: Int32, limit: UInt64, words: String) {
    let warning = VaultMessages.unlockedMemory(errno: errno, limit: limit)
    #expect(warning.contains("(mlock: \(words)"), "\(warning)")
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
