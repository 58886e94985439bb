import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SinkEndToEndTests {
  private static let bert = "bert@example.org"

  /// Runs `body` with an agent that has the accounts `work` (the default) and `home`, of two users.
  private func withTwoAccounts(_ body: (TestHome) async throws -> Void) async throws {
    try await withTestHome(users: [TestHome.email, Self.bert]) { home in
      try await home.signIn("--account", "work")
      try await home.signIn("--account", "home", email: Self.bert)
      try await body(home)
    }
  }

  private func withMemory(_ body: (String) async throws -> Void) async throws {
    let path = "/dev/shm/ritual-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test("follows refreshes, locks, sign-outs and restarts, and leaves nothing behind", .home)
  func follows() async throws {
    try await withMemory { folder in
      try await home.signIn()
      let path = folder + "/token"
      let sink = try home.start(["sink", path])
      try await eventually("the token: \(sink.stderr)") { text(path) != nil }
      let first = try #require(text(path))
      #expect(try await home.token() == first)
      await home.stopAgent()
      try await eventually("no token without the first agent") { text(path) == nil }
      try await home.startAgent()
      try await eventually("the token of the next agent") { text(path) == first }
      #expect(try await home.ctl("refresh").status == 0)
      let second = try await home.token()
      try await eventually("the new token") { text(path) == second }
      #expect(try await home.ctl("lock").status == 0)
      try await eventually("no token while locked") { text(path) == nil }
      #expect(try await home.ctl("unlock").status == 0)
      try await eventually("the token after the unlock") { text(path) != nil }
      #expect(try await home.ctl("sign-out").status == 0)
      try await eventually("no token after the sign-out") { text(path) == nil }
      try await home.signIn()
      try await eventually("the token after the sign-in") { text(path) != nil }
      await home.stopAgent()
      try await eventually("no token without an agent") { text(path) == nil }
      try await home.startAgent()
      try await eventually("the token of the new agent") { text(path) != nil }
      sink.send(SIGTERM)
      let end = try await sink.end()
      #expect(end.status == 128 + SIGTERM && text(path) == nil, "\(end.status)")
      #expect(end.stdout.contains("no token: the vault is locked"), "\(end.stdout)")
      for token in [first, second] { #expect(!end.stdout.contains(token) && !end.stderr.contains(token)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("files of other programs beside the token stay, whatever their names are", .home)
  func leavesOtherFiles() async throws {
    try await withMemory { folder in
      try await home.signIn()
      let others = [".token.new", ".token.lock", ".token.tmp"]
      for name in others { try "precious".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8) }
      let sink = try home.start(["sink", folder + "/token"])
      try await eventually("the token: \(sink.stderr)") { text(folder + "/token") != nil }
      #expect(try await home.ctl("sink", folder + "/token").status == 1, "only one sink keeps a file")
      #expect(try await home.ctl("refresh").status == 0)
      let token = try await home.token()
      try await eventually("the next token") { text(folder + "/token") == token }
      sink.send(SIGTERM)
      _ = try await sink.end()
      for name in others { #expect(text(folder + "/" + name) == "precious", "\(name)") }
      #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == Set(others))
    }
  }

  @Test("ends with the usual statuses; each line of --json is a document", .home)
  func endsAsOthers() async throws {
    try await withMemory { folder in
      #expect(try await home.ctl("sink", folder + "/token").status == 4, "nobody is signed in")
      try await home.signIn()
      #expect(try await home.ctl("sink", folder + "/token", "--account", "none").status == 64)
      let disk = try await home.ctl("sink")
      #expect(disk.status == 1 && disk.stderr.contains("--on-disk"), "\(disk.stderr)")
      let sink = try home.start(["sink", folder + "/token", "--json"])
      try await eventually("the token") { text(folder + "/token") != nil }
      sink.send(SIGINT)
      let end = try await sink.end()
      #expect(end.status == 2 && text(folder + "/token") == nil)
      let line = try #require(end.stdout.split(separator: "\n").first)
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(document?["isWritten"] as? Bool == true && document?["account"] as? String == "default")
      await home.stopAgent()
      #expect(try await home.ctl("sink", folder + "/token").status == 3)
    }
  }

  @Test("--on-disk writes to a disk, with a warning; a rule that denies the program ends it with 6", .home)
  func onDisk() async throws {
    try await home.signIn()
    let path = home.folder.path + "/run/ritual-agent/token.default"
    let sink = try home.start(["sink", "--on-disk"])
    try await eventually("the token") { text(path) != nil }
    try await eventually("the warning") { sink.stderr.contains("can be recovered from the disk") }
    sink.send(SIGINT)
    #expect(try await sink.end().status == 2)
    #expect(access(path, F_OK) != 0)
    try home.editConfiguration { $0 += "\n[[policy.rules]]\naccount = \"default\"\naction = \"deny\"\n" }
    #expect(try await home.ctl("reload").status == 0)
    let denied = try await home.ctl("sink", "--on-disk")
    #expect(denied.status == 6 && access(path, F_OK) != 0, "\(denied.status) \(denied.stderr)")
  }

  @Test("without --account, a sink has the token of the default account, also of the next one")
  func followsTheDefault() async throws {
    try await withTwoAccounts { home in
      try await withMemory { folder in
        let path = folder + "/token"
        let sink = try home.start(["sink", path])
        let work = try await home.token("--account", "work")
        try await eventually("the token of work") { text(path) == work }
        #expect(try await home.ctl("use", "home").status == 0)
        let other = try await home.token("--account", "home")
        try await eventually("the token of home") { text(path) == other }
        #expect(try await home.ctl("use", "work").status == 0)
        try await eventually("the token of work again") { text(path) == work }
        sink.send(SIGTERM)
        _ = try await sink.end()
      }
    }
  }

  @Test("a sink with --account follows a rename, and no change of the default account")
  func followsARename() async throws {
    try await withTwoAccounts { home in
      try await withMemory { folder in
        let path = folder + "/token"
        let sink = try home.start(["sink", path, "--account", "work"])
        let first = try await home.token("--account", "work")
        try await eventually("the token") { text(path) == first }
        #expect(try await home.ctl("use", "home").status == 0)
        #expect(try await home.ctl("accounts", "rename", "work", "office").status == 0)
        try await eventually("the token after the rename") { text(path) == first }
        #expect(try await home.ctl("refresh", "--account", "office").status == 0)
        let second = try await home.token("--account", "office")
        try await eventually("the new token: \(sink.stderr)") { text(path) == second }
        await home.stopAgent()
        try await home.startAgent()
        try await eventually("the token of the next agent") { text(path) == second }
        #expect(sink.isRunning)
        sink.send(SIGTERM)
        _ = try await sink.end()
      }
    }
  }

  @Test("a sink that starts while the vault is locked has its token after the unlock")
  func startsLocked() async throws {
    try await withTwoAccounts { home in
      try await withMemory { folder in
        let path = folder + "/token"
        #expect(try await home.ctl("lock").status == 0)
        let sink = try home.start(["sink", path, "--account", "home"])
        try await eventually("the reason: \(sink.stderr)") { sink.stdout.contains("no token: the vault is locked") }
        #expect(try await home.ctl("unlock").status == 0)
        try await eventually("the token: \(sink.stderr)") { text(path) != nil }
        #expect(try await text(path) == home.token("--account", "home"))
        sink.send(SIGTERM)
        _ = try await sink.end()
      }
    }
  }
}
