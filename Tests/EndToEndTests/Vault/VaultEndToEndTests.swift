import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// The vault's commands with the built programs. Each passphrase attempt takes about half a second.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct VaultEndToEndTests {
  private static let passphrase = "correct horse 9"

  @Test(
    "VA-4: after a manual lock, everything is refused with the command that helps, over restarts, until the unlock",
  )
  func locksByHand() async throws {
    try await home.signIn("--account", "work")
    let token = try await home.token()
    let lock = try await home.ctl("lock")
    #expect(lock.status == 0, "\(lock.stderr)")
    #expect(lock.stdout == "the vault is locked\n")
    #expect(lock.stderr.contains("any program of the user can unlock it"))
    for _ in 0..<2 {
      let refused = try await home.ctl("token")
      #expect(refused.status == 5)
      #expect(refused.stderr == "ritualctl: The vault is locked.\n  ritualctl unlock\n")
      #expect(try await home.ctl("token", "--account", "nobody").status == 5)
      let status = try await home.ctl("status")
      #expect(status.status == 5)
      #expect(status.stdout.contains("vault locked"))
      #expect(status.stdout.contains("* work"))
      #expect(!status.stdout.contains(TestHome.email))
      try await home.killAgent()
      try await home.startAgent()
    }
    let unlock = try await home.ctl("unlock")
    #expect(unlock.status == 0, "\(unlock.stderr)")
    #expect(unlock.stdout == "the vault is unlocked (key file)\n")
    #expect(try await home.token() == token)
    try await home.killAgent()
    try await home.startAgent()
    #expect(try await home.token() == token, "the unlock ended the lock by hand")
  }

  @Test("VA-3: a passphrase replaces the key file")
  func opensByPassphrase() async throws {
    try await home.signIn()
    let token = try await home.token()
    let asked = try await detached(home, ["vault", "add-key", "--passphrase-stdin"], Self.passphrase)
    #expect(asked.status == 64)
    #expect(asked.stderr.contains("--drop-key-file or --keep-key-file"))
    let add = try await detached(home, ["vault", "add-key", "--passphrase-stdin", "--drop-key-file"], Self.passphrase)
    #expect(add.status == 0, "\(add.stderr)")
    #expect(add.stdout.contains("(passphrase)\nremoved: "))
    #expect(try await !home.ctl("lock").stderr.contains("any program"))
    try await home.killAgent()
    try await home.startAgent()
    #expect(try await home.ctl("token").status == 5)
    let noTerminal = try await detached(home, ["unlock"])
    #expect(noTerminal.status == 64)
    #expect(noTerminal.stderr.contains("--passphrase-stdin"))
    let wrong = try await detached(home, ["unlock", "--passphrase-stdin"], "wrong horse")
    #expect(wrong.status == 1)
    #expect(wrong.stderr.contains("This passphrase does not unlock the vault."))
    #expect(!wrong.stderr.contains("wrong horse"))
    let right = try await detached(home, ["unlock", "--passphrase-stdin"], Self.passphrase)
    #expect(right.stdout == "the vault is unlocked (passphrase)\n", "\(right.stderr)")
    #expect(try await home.token() == token)
    try await changeKeys(home)
    #expect(await !home.agentLog.contains("horse"))
  }

  @Test("without the key file, the passphrase that unlocks the vault also changes its keys")
  func changesKeysByPassphrase() async throws {
    try await home.signIn()
    let add = try await detached(home, ["vault", "add-key", "--passphrase-stdin", "--keep-key-file"], Self.passphrase)
    #expect(add.status == 0, "\(add.stderr)")
    let keys = try #require(try await home.ctl("vault", "status", "--json").json()["keys"] as? [[String: Any]])
    let lost = try #require(keys.first { $0["kind"] as? String == "keyFile" }?["id"] as? String)
    for copy in ["vault.key", "vault.key.2"] { #expect(unlink(home.folder.path + "/data/ritual-agent/" + copy) == 0) }
    let wrong = try await detached(home, ["vault", "remove-key", lost, "--passphrase-stdin"], "wrong horse")
    #expect(wrong.status == 1, "\(wrong.stderr)")
    let remove = try await detached(home, ["vault", "remove-key", lost, "--passphrase-stdin"], Self.passphrase)
    #expect(remove.status == 0 && remove.stdout.contains("removed: "), "\(remove.stderr)")
  }

  /// Runs the other commands on a vault that only a passphrase opens.
  private func changeKeys(_ home: TestHome) async throws {
    let status = try await home.ctl("vault", "status", "--json").json()
    #expect(status["state"] as? String == "open")
    #expect(status["openedBy"] as? String == "passphrase")
    let key = try #require((status["keys"] as? [[String: Any]])?.first)
    #expect(try #require(key["memory"] as? Int) >= 64 << 20)
    #expect(try #require(key["passes"] as? Int) >= 2)
    let id = try #require(key["id"] as? String)
    let last = try await detached(home, ["vault", "remove-key", id, "--passphrase-stdin"], Self.passphrase)
    #expect(last.status == 64, "the last key stays: \(last.stderr)")
    let rekey = try await detached(home, ["vault", "rekey", "--passphrase-stdin"], Self.passphrase)
    #expect(rekey.status == 0, "\(rekey.stderr)")
    let file = home.folder.path + "/data/spare.key"
    let add = try await detached(home, ["vault", "add-key", "--key-file", file], Self.passphrase)
    #expect(add.status == 64, "the passphrase is asked for on a terminal")
    #expect(!FileManager.default.fileExists(atPath: file))
    let verify = try await home.ctl("vault", "verify")
    #expect(verify.status == 0, "\(verify.stdout)")
    #expect(verify.stdout.contains("files are intact"))
  }

  @Test(
    "VA-3: a systemd credential unlocks the vault without its key file, and without the credential nothing does")
  func opensByCredential() async throws {
    try await home.signIn()
    let token = try await home.token()
    await home.stopAgent()
    // The layout that systemd uses: systemd.exec(5), CREDENTIALS.
    let credentials = home.folder.path + "/credentials"
    try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false)
    try Data((0..<32).map { _ in UInt8.random(in: 0...255) })
      .write(to: URL(filePath: credentials + "/ritual-agent.vault-key"))
    chmod(credentials + "/ritual-agent.vault-key", 0o400)
    chmod(credentials, 0o500)
    let unit = ["/usr/bin/env", "CREDENTIALS_DIRECTORY=" + credentials]
    try await home.startAgent(through: unit)
    let add = try await home.ctl("vault", "add-key", "--credential")
    #expect(add.stdout.contains("(systemd credential)"), "\(add.stderr)")
    let keys = try #require(try await home.ctl("vault", "status", "--json").json()["keys"] as? [[String: Any]])
    let file = try #require(keys.first { $0["kind"] as? String == "keyFile" }?["id"] as? String)
    // The test of docs/how-to-unlock-with-a-credential.md: the key file opens the vault first, so
    // its copies are moved away.
    let copies = [home.keyFile, home.keyFile + ".2"]
    for copy in copies { try FileManager.default.moveItem(atPath: copy, toPath: copy + "-away") }
    try await home.killAgent()
    try await home.startAgent(through: unit)
    let status = try await home.ctl("vault", "status").stdout
    #expect(status.hasPrefix("vault unlocked (systemd credential)\n"), "\(status)")
    for copy in copies { try FileManager.default.moveItem(atPath: copy + "-away", toPath: copy) }
    let remove = try await home.ctl("vault", "remove-key", file)
    #expect(remove.status == 0, "\(remove.stderr)")
    try FileManager.default.removeItem(atPath: home.keyFile)
    try await home.killAgent()
    try await home.startAgent(through: unit)
    #expect(try await home.token() == token)
    #expect(try await home.ctl("vault", "status", "--json").json()["openedBy"] as? String == "credential")
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await home.ctl("unlock").stdout == "the vault is unlocked (systemd credential)\n")
    try await home.killAgent()
    try await home.startAgent()
    #expect(try await home.ctl("token").status == 1, "started without it, as by hand")
    #expect(try await home.ctl("vault", "status", "--json").json()["lockedBy"] as? String == "start")
    let unlock = try await home.ctl("unlock")
    #expect(unlock.status == 1)
    #expect(unlock.stderr.contains("The agent has no systemd credential."), "\(unlock.stderr)")
  }

  @Test("VA-3: a passphrase can be changed, and a spare key file unlocks the vault")
  func changesKeys() async throws {
    try await home.signIn()
    let spare = home.folder.path + "/data/spare.key"
    #expect(try await home.ctl("vault", "add-key", "--key-file", spare).status == 0)
    let add = try await detached(home, ["vault", "add-key", "--passphrase-stdin", "--keep-key-file"], Self.passphrase)
    #expect(add.status == 0, "\(add.stderr)")
    let id = try #require(add.stdout.firstMatch(of: /added: ([0-9a-f]{32})/)).1
    let change = try await detached(
      home, ["vault", "add-key", "--passphrase-stdin", "--replace", "\(id.prefix(6))"], "better horse 10")
    #expect(change.status == 0, "\(change.stderr)")
    #expect(change.stdout.contains("removed: \(id) (passphrase)"))
    let rekey = try await detached(
      home, ["vault", "rekey", "--passphrase-stdin", "--present-key-file", spare], "better horse 10")
    #expect(rekey.status == 0, "\(rekey.stderr)")
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await detached(home, ["unlock", "--passphrase-stdin"], Self.passphrase).status == 1)
    #expect(try await home.ctl("unlock", "--key-file", spare).stdout == "the vault is unlocked (key file)\n")
    #expect(try await home.ctl("token").status == 0)
  }

  @Test(
    "VA-8: on another machine, the vault stays unused until it is adopted",
    .enabled(if: geteuid() == 0 && access("/etc/machine-id", R_OK) == 0, "mounts over it"))
  func adoptsACopy() async throws {
    try await home.signIn()
    let token = try await home.token()
    await home.stopAgent()
    try await home.startAgent(through: try Self.anotherMachine(home))
    let refused = try await home.ctl("token")
    #expect(refused.status == 1)
    #expect(refused.stderr == "ritualctl: This vault was copied from another machine.\n  ritualctl vault adopt\n")
    #expect(try await home.ctl("refresh").status == 1)
    let status = try await home.ctl("status")
    #expect(status.status == 4)
    #expect(status.stdout.contains("vault copied"))
    #expect(status.stdout.contains("ritualctl vault adopt"))
    #expect(home.sandbox.refreshCount == 0)
    let adopt = try await home.ctl("vault", "adopt")
    #expect(adopt.stdout == "this vault now belongs to this machine; accounts: default\n", "\(adopt.stderr)")
    #expect(try await home.token() == token)
    await home.stopAgent()
    try await home.startAgent()
    #expect(try await home.ctl("token").status == 1, "and the first machine's agent rests")
  }

  @Test(
    "VA-8, OP-8: a copied vault is adopted while a sign-out waits for a hanging server; both end, and so does a stop",
    .enabled(if: geteuid() == 0 && access("/etc/machine-id", R_OK) == 0, "mounts over it"))
  func adoptsDuringARevocation() async throws {
    try await home.signIn()
    await home.stopAgent()
    let launcher = try Self.anotherMachine(home)
    try await home.startAgent(through: launcher)
    try await home.signIn("--account", "here")
    home.sandbox.inject(.hangBeforeCommit, at: .logout, count: nil)
    let signOut = try home.start(["sign-out", "--account", "here", "--json"])
    try await eventually("the server hangs") { home.sandbox.hangingRequests > 0 }
    let adopt = try await home.ctl("vault", "adopt")
    #expect(adopt.stdout == "this vault now belongs to this machine; accounts: default\n", "\(adopt.stderr)")
    let answer = try await signOut.end().json()
    #expect(answer["pending"] as? [String] == ["here"])
    let before = await home.agentLog
    #expect(!before.contains("a revocation is pending"), "they did not wait for the end of the try: \(before)")
    #expect(try await home.endAgent() == 0)
    let log = await home.agentLog
    #expect(!log.contains("did not stop in time"), "the last resort was not needed: \(log)")
    home.sandbox.clearFaults()
    home.sandbox.releaseHangs()
    try await home.startAgent(through: launcher)
    try await eventually("the server was told") { try await home.report().health.isEmpty }
    #expect(try await home.ctl("token").status == 0)
  }

  /// The command that runs a program on a machine with another ID.
  private static func anotherMachine(_ home: TestHome) throws -> [String] {
    let file = home.folder.path + "/machine-id"
    try "0123456789abcdef0123456789abcdef\n".write(toFile: file, atomically: true, encoding: .utf8)
    return [
      "/usr/bin/unshare", "-m", "/bin/sh", "-c",
      "mount --make-rprivate / && mount --bind \(file) /etc/machine-id && exec \"$@\"", "sh",
    ]
  }

  /// Runs `ritualctl` without a terminal.
  private func detached(_ home: TestHome, _ arguments: [String], _ input: String = "") async throws -> Output {
    try await home.detached(arguments, input: input.isEmpty ? "" : input + "\n")
  }
}
