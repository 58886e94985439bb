import Foundation
import TestKit
import Testing

/// Subscriptions with tokens concern the accounts that they name, and no other (SE-5, PR-3).
@Suite(.serialized, .timeLimit(.minutes(5))) struct EventAccountsEndToEndTests {
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

  @Test("a subscription with tokens of one account gets none of another")
  func keepsTokensApart() async throws {
    try await withTwoAccounts { home in
      let tool = try SocketTool(home.socket)
      try tool.send(
        #"{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"tokens":true,"accounts":["work"]}}"#)
      #expect(try await tool.line().contains("epoch"))
      #expect(try await home.ctl("refresh", "--account", "home").status == 0)
      #expect(try await home.ctl("use", "home").status == 0)
      #expect(try await home.ctl("refresh", "--account", "work").status == 0)
      let foreign = try await home.token("--account", "home")
      var lines: [String] = []
      repeat { lines.append(try await tool.line()) } while !lines[lines.count - 1].contains("TOKEN_REFRESHED")
      #expect(lines.filter { $0.contains(foreign) } == [])
      #expect(lines.last?.contains(#""account":"work""#) == true)
      #expect(lines.contains { $0.contains("DEFAULT_CHANGED") && $0.contains(#""account":"home""#) })
    }
  }

  @Test(
    "tokens need the names of accounts, an empty list and an unknown name are refused",
    arguments: [
      (#"{"tokens":true}"#, "invalidParams"), (#"{"tokens":true,"accounts":[]}"#, "invalidParams"),
      (#"{"accounts":[]}"#, "invalidParams"), (#"{"tokens":true,"accounts":["work","none"]}"#, "unknownAccount"),
      (#"{"accounts":["none"]}"#, "unknownAccount"), (#"{"accounts":["WORK"]}"#, "unknownAccount"),
    ])
  func refuses(params: String, kind: String) async throws {
    try await withTwoAccounts { home in
      let tool = try SocketTool(home.socket)
      try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":\#(params)}"#)
      let answer = try await tool.line()
      #expect(answer.contains(#""kind":"\#(kind)""#), "\(answer)")
      if params == #"{"tokens":true}"# { #expect(answer.contains(#""hint":"#), "\(answer)") }
      #expect(try await home.ctl("lock").status == 0)
      try tool.send(#"{"jsonrpc":"2.0","id":2,"method":"events.subscribe","params":{"accounts":["none"]}}"#)
      let locked = try await tool.line()
      #expect(locked.contains(#""kind":"vaultLocked""#), "\(locked)")
    }
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
