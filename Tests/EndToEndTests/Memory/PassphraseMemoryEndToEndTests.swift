import Foundation
import Glibc
import SessionVault
import TestKit
import Testing

/// VA-4 with a vault that only a passphrase opens.
@Suite(
  .home, .serialized,
  .disabled(if: CoreImage.obstacle != nil, "\(CoreImage.obstacle ?? "")"),
  .disabled(
    if: Sanitizer.isOn, "a sanitizer brings its own free(), which keeps what was freed to look at it")
)
struct PassphraseMemoryEndToEndTests {
  /// In bytes. A derivation takes at least this much, an idle agent far less.
  private static let derivationMemory = 60 << 20

  /// Swift keeps up to 15 bytes inside the string value, where no free() wipes them.
  @Test("leaves no passphrase in memory", arguments: ["p\"w é7", "correct horse \\ battery \"staple\" é 9"])
  func nothingIsLeft(_ passphrase: String) async throws {
    try await home.signIn()
    try await change(home, ["vault", "add-key", "--passphrase-stdin", "--drop-key-file"], passphrase)
    #expect(try await home.ctl("lock").status == 0)
    var known = KnownSecrets()
    known.add(passphrase: passphrase)
    try known.add(keysOf: VaultCopy(of: home), by: .passphrase(Passphrase(passphrase)))
    #expect(try await home.remaining(known).isEmpty, "after it was added")

    try await findWhileDerived(home, known, passphrase)
    known.add(accessToken: try await home.token())
    let open = try await home.findings(known).map(\.secret)
    #expect(open.contains(VaultCopy.sealingKey))
    #expect(open.contains { $0.hasPrefix("access token") })
    #expect(!open.contains("passphrase"), "an open vault does not need it")

    #expect(try await home.ctl("lock").status == 0)
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
  }

  /// Unlocks, and searches the agent's memory while it derives the key.
  private func findWhileDerived(_ home: TestHome, _ known: KnownSecrets, _ passphrase: String) async throws {
    let pid = try #require(await home.agentPID)
    let unlock = try home.start(["unlock", "--passphrase-stdin"], input: passphrase + "\n")
    try await eventually("the derivation") { try ProcessFigures(pid: pid).anonymousMemory() > Self.derivationMemory }
    try await suspendProcess(pid)
    defer { kill(pid, SIGCONT) }
    #expect(
      try await home.findings(known).contains { $0.secret == "passphrase" }, "the search finds it while it is in use")
    kill(pid, SIGCONT)
    let output = try await unlock.end()
    #expect(output.stdout == "the vault is unlocked (passphrase)\n", "\(output.stderr)")
  }

  private func change(_ home: TestHome, _ arguments: [String], _ passphrase: String) async throws {
    let output = try await home.start(arguments, input: passphrase + "\n").end()
    #expect(output.status == 0, "\(output.stderr)")
  }
}
