import Foundation
import Glibc
import TestKit
import Testing

/// `keep_unlocked_over_restart` with the built programs and a service manager that stores
/// descriptors (sd_notify(3), FDSTORE=1).
@Suite(.serialized, .timeLimit(.minutes(5))) struct KeepUnlockedEndToEndTests {
  private static let passphrase = "correct horse 9"
  private static let name = "vault-key"

  /// Runs `body` with a test home whose vault only a passphrase opens, and whose agent has a
  /// service manager.
  private func withManager(
    _ settings: String = "keep_unlocked_over_restart = true",
    _ body: (TestHome, FakeServiceManager) async throws -> Void
  ) async throws {
    try await withTestHome { home in
      try await home.signIn()
      let add = try await command(home, ["vault", "add-key", "--passphrase-stdin", "--drop-key-file"])
      #expect(add.status == 0, "\(add.stderr)")
      await home.stopAgent()
      try home.append("\n[vault]\n\(settings)\n")
      let manager = try FakeServiceManager(home)
      try await manager.startAgent()
      try await body(home, manager)
    }
  }

  private func unlock(_ home: TestHome) async throws {
    let unlock = try await command(home, ["unlock", "--passphrase-stdin"])
    #expect(unlock.status == 0, "\(unlock.stderr)")
  }

  private func command(_ home: TestHome, _ arguments: [String]) async throws -> Output {
    try await home.detached(arguments, input: Self.passphrase + "\n")
  }

  @Test(
    "VA-4: the vault stays open over a crash and a restart, in any order of the descriptors; a lock ends that",
    arguments: [true, false])
  func staysUnlocked(isKeyFirst: Bool) async throws {
    try await withManager { home, manager in
      #expect(try await home.ctl("token").status == 5, "nothing is kept yet")
      try await unlock(home)
      let token = try await home.token()
      #expect(manager.notify.kept(Self.name) != nil)
      for _ in 0..<2 {
        try await home.killAgent()
        try await manager.startAgent(isKeyFirst: isKeyFirst)
        #expect(try await home.token() == token)
      }
      #expect(try await home.endAgent() == 0)
      try await manager.startAgent(isKeyFirst: isKeyFirst)
      #expect(try await home.token() == token)
      // A copy of the descriptor is useless after the lock.
      let copy = fcntl(try #require(manager.notify.kept(Self.name)), F_DUPFD_CLOEXEC, 3)
      #expect(try await home.ctl("lock").status == 0)
      #expect(manager.notify.kept(Self.name) == nil)
      try await home.killAgent()
      try FileManager.default.removeItem(atPath: home.manualLockFile)
      try await manager.startAgent(more: copy)
      #expect(try await home.ctl("token").status == 5)
      #expect(await home.agentLog.contains("the vault is locked"))
    }
  }

  @Test("a manual lock recorded by the dying agent survives, although the key was stored")
  func staysLockedByHand() async throws {
    try await withManager { home, manager in
      try await unlock(home)
      try await home.killAgent()
      try Data().write(to: URL(filePath: home.manualLockFile))
      #expect(chmod(home.manualLockFile, 0o600) == 0)
      try await manager.startAgent()
      #expect(try await home.ctl("token").status == 5)
      #expect(try await home.ctl("vault", "status", "--json").json()["lockedBy"] as? String == "hand")
      #expect(manager.notify.kept(Self.name) == nil)
    }
  }

  @Test("off: no key is stored; a reload or a start that switches the setting off removes the stored key")
  func isOffByDefault() async throws {
    try await withManager("keep_unlocked_over_restart = false") { home, manager in
      try await unlock(home)
      #expect(!manager.notify.received().contains("FDSTORE=1"))
      try home.rename("keep_unlocked_over_restart = false", to: "keep_unlocked_over_restart = true")
      try await home.reload()
      try await unlock(home)
      let kept = try #require(manager.notify.kept(Self.name), "an unlock after the reload is kept")
      let copy = fcntl(kept, F_DUPFD_CLOEXEC, 3)
      try home.rename("keep_unlocked_over_restart = true", to: "keep_unlocked_over_restart = false")
      try await home.reload()
      #expect(manager.notify.kept(Self.name) == nil)
      try await home.killAgent()
      try await manager.startAgent(more: copy)
      #expect(try await home.ctl("token").status == 5)
    }
  }

  @Test("a changed passphrase removes the stored key")
  func followsTheKeys() async throws {
    try await withManager { home, manager in
      try await unlock(home)
      #expect(manager.notify.kept(Self.name) != nil)
      let keys = try #require(try await home.ctl("vault", "status", "--json").json()["keys"] as? [[String: Any]])
      let id = try #require(keys.first?["id"] as? String)
      let change = try await home.detached(
        ["vault", "add-key", "--passphrase-stdin", "--replace", id], input: "\(Self.passphrase)\nbetter horse 10\n")
      #expect(change.status == 0, "\(change.stderr)")
      #expect(manager.notify.kept(Self.name) == nil)
    }
  }

  @Test("without a manager, the status says that the setting has no effect", .home)
  func complains() async throws {
    try home.append("\n[vault]\nkeep_unlocked_over_restart = true\n")
    try await home.reload()
    #expect(try await home.ctl("status").stdout.contains("keep_unlocked_over_restart has no effect"))
  }
}

/// A minimal service manager: it listens, and stores the agent's descriptors.
private struct FakeServiceManager {
  let notify: NotifySocket
  private let home: TestHome
  private let listener: Listener

  init(_ home: TestHome) throws {
    self.home = home
    notify = try NotifySocket(path: home.folder.path + "/notify")
    unlink(home.socket)
    listener = try Listener(home.socket)
  }

  /// Starts the agent with the socket and with the stored key, or with `more` in its place.
  func startAgent(isKeyFirst: Bool = false, more: Int32? = nil) async throws {
    var passed: [(name: String, descriptor: Int32)] = [("agent", listener.descriptor)]
    if let key = more ?? notify.kept("vault-key") {
      passed.insert(("vault-key", key), at: isKeyFirst ? 0 : 1)
    }
    let names = passed.map(\.name).joined(separator: ":")
    let script = "export LISTEN_PID=$$ LISTEN_FDS=\(passed.count) LISTEN_FDNAMES=\(names); exec \"$@\""
    let ready = notify.count(of: "READY=1")
    try await home.startAgent(
      through: ["/bin/sh", "-c", script, "sh"],
      more: ["NOTIFY_SOCKET": notify.path], descriptors: passed.map(\.descriptor))
    try await eventually("READY=1") { notify.count(of: "READY=1") > ready }
  }
}

extension NotifySocket {
  fileprivate func count(of line: String) -> Int { received().split(separator: "\n").count { $0 == line } }
}
