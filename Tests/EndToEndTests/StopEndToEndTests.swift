import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// A stop ends within 15 s with exit status 0 and a closed vault, after every pending request
/// is answered.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StopEndToEndTests {
  @Test("a sign-out of two accounts at a suspended server does not delay a stop")
  func stopsDuringSignOutOfAll() async throws {
    try await withFrozenServer { home, server in
      try await home.signIn("--account", "one", "--project", "frozen")
      try await home.signIn("--account", "two", "--project", "frozen")
      try await server.suspend()
      let tool = try SocketTool(home.socket)
      try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"session.signOut","params":{"all":true}}"#)
      // A former version of the agent waited for the server between the two accounts.
      try await home.waitUntilSignedOut(["one"])
      try await home.expectCleanStop()
      let answer = try await tool.line()
      #expect(answer.contains(#""pending":["one","two"]"#), "\(answer)")
    }
  }

  /// A request that waits for a server which does not respond.
  enum Request: CaseIterable {
    case password, importSession, refresh, rejected, profile, link, unlink

    func line(_ home: TestHome) async throws -> String {
      let account = #""account":"one""#
      switch self {
      case .password:
        return call(
          "signIn.password",
          #"{"account":"new","project":"frozen","email":"\#(TestHome.email)","password":"\#(TestHome.password)"}"#)
      case .importSession:
        return call("signIn.importSession", #"{"account":"imported","project":"frozen","refreshToken":"aaaaaaaaaaaa"}"#)
      case .refresh: return call("session.refresh", "{\(account)}")
      case .rejected:
        let token = try await home.token("--account", "one")
        return call("session.token", #"{\#(account),"rejected":"\#(try await home.sha256(token))"}"#)
      case .profile: return call("profile.update", #"{\#(account),"set":{"name":"Anna"}}"#)
      case .link: return call("identity.link", #"{\#(account),"provider":"apple"}"#)
      case .unlink: return call("identity.unlink", #"{\#(account),"identityID":"x"}"#)
      }
    }

    private func call(_ method: String, _ params: String) -> String {
      #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"#
    }
  }

  @Test("every request that waits for a hanging server is answered `cancelled`, and the stop ends")
  func answersWhatWaits() async throws {
    try await withFrozenServer { home, server in
      try await home.signIn("--account", "one", "--project", "frozen")
      var lines: [String] = []
      for request in Request.allCases { lines.append(try await request.line(home)) }
      try await server.suspend()
      let tools = try lines.map { line in
        let tool = try SocketTool(home.socket)
        try tool.send(line)
        return tool
      }
      // The response to a later request on another connection shows that the others have begun.
      _ = try await home.report()
      try await home.expectCleanStop()
      for (request, tool) in zip(Request.allCases, tools) {
        let answer = try await tool.line()
        let log = await home.agentLog
        #expect(answer.contains(#""kind":"cancelled""#), "\(request): \(answer)\n\(log)")
      }
    }
  }

  @Test("a wait for a person is answered at once, also in a batch", .home)
  func answersAWaitForAPerson() async throws {
    let tool = try SocketTool(home.socket)
    try tool.send(
      #"{"jsonrpc":"2.0","id":1,"method":"signIn.start","params":{"provider":"apple","redirect":"manual"}}"#)
    let started = try await tool.line()
    let flow = try #require(started.firstMatch(of: /"flow":"([^"]+)"/)?.1)
    try tool.send(#"{"jsonrpc":"2.0","id":2,"method":"signIn.wait","params":{"flow":"\#(flow)"}}"#)
    try tool.send(#"[{"jsonrpc":"2.0","id":3,"method":"signIn.wait","params":{"flow":"\#(flow)"}}]"#)
    _ = try await home.report()
    try await home.expectCleanStop()
    for _ in 0..<2 {
      let answer = try await tool.line()
      #expect(answer.contains(#""kind":"cancelled""#), "\(answer)")
    }
  }

  @Test("a subscriber that does not read does not delay a stop", .home)
  func stopsBesideASilentSubscriber() async throws {
    try await home.signIn()
    let tools = try (0..<5).map { _ in try SocketTool(home.socket) }
    for tool in tools { try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#) }
    for tool in tools { _ = try await tool.line() }
    for _ in 0..<40 { _ = try await home.ctl("use", "default") }
    try await home.expectCleanStop()
  }

  @Test("a stop during a lock that waits for a server ends")
  func stopsDuringALock() async throws {
    try await withFrozenServer { home, server in
      try await home.signIn("--account", "one", "--project", "frozen")
      try await server.suspend()
      let refresh = try SocketTool(home.socket)
      try refresh.send(#"{"jsonrpc":"2.0","id":1,"method":"session.refresh","params":{"account":"one"}}"#)
      _ = try await home.report()
      let lock = try SocketTool(home.socket)
      try lock.send(#"{"jsonrpc":"2.0","id":2,"method":"vault.lock"}"#)
      #expect(try await refresh.line().contains("vaultLocked"))
      try await home.expectCleanStop()
      #expect(try await lock.line().contains(#""id":2"#))
    }
  }

  @Test("a stop during passphrase attempts ends", .home)
  func stopsDuringAnUnlock() async throws {
    let added = try await home.start(
      ["vault", "add-key", "--passphrase-stdin", "--keep-key-file"], input: "a long enough passphrase\n"
    ).end()
    #expect(added.status == 0, "\(added.stderr)")
    #expect(try await home.ctl("lock").status == 0)
    let tools = try (0..<4).map { _ in try SocketTool(home.socket) }
    for tool in tools {
      try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"vault.unlock","params":{"passphrase":"not this one"}}"#)
    }
    _ = try await home.ctl("status")
    try await home.expectCleanStop()
    for tool in tools { #expect(try await tool.line().contains(#""id":1"#)) }
  }

  @Test("a command that ignores SIGTERM is killed, and the agent ends", .home)
  func stopsACommandThatIgnoresIt() async throws {
    await home.stopAgent()
    let agent = try RunningProgram(
      Programs.path("ritual-agentd"),
      ["--", "/bin/sh", "-c", "trap '' TERM; touch \(home.folder.path)/started; while :; do sleep 1; done"],
      environment: home.environment, folder: home.folder)
    try await eventually("the command runs") {
      FileManager.default.fileExists(atPath: home.folder.path + "/started")
    }
    agent.send(SIGTERM)
    // 128 plus SIGKILL: the agent exits with the command's status.
    #expect(try await agent.end(within: .seconds(30)).status == 137)
  }

  @Test("a sign-out of 22 accounts at a hanging server waits once, and reports each account")
  func signsOutManyAccounts() async throws {
    try await withFrozenServer { home, server in
      let names = (10..<32).map { "account-\($0)" }
      for name in names { try await home.signIn("--account", name, "--project", "frozen") }
      try await server.suspend()
      let output = try await home.ctl("sign-out", "--all", "--json")
      #expect(output.status == 0, "\(output.stderr)")
      let answer = try output.json()
      #expect(answer["accounts"] as? [String] == names)
      #expect(answer["pending"] as? [String] == names)
      #expect(try await home.report().accounts.allSatisfy { $0.state == "unauthenticated" })
      try await home.expectCleanStop()
    }
  }
}

extension TestHome {
  /// Sends SIGTERM and expects what OP-8 promises. The deadline has room for a loaded machine.
  func expectCleanStop() async throws {
    agent?.send(SIGTERM)
    let output = try #require(try await agent?.end(within: .seconds(30)))
    #expect(output.status == 0, "\(output.stderr)")
    #expect(!output.stderr.contains("did not stop in time"), "the last resort was not needed: \(output.stderr)")
    // The vault is released, and nothing is left of the socket.
    try await startAgent()
    #expect([0, 5].contains(try await ctl("vault", "status").status), "open, or locked as before")
    await stopAgent()
  }

  func waitUntilSignedOut(_ names: [String]) async throws {
    try await eventually("signed out: \(names)") {
      let accounts = try await report().accounts
      return names.allSatisfy { name in accounts.contains { $0.name == name && $0.state == "unauthenticated" } }
    }
  }
}

/// Runs `body` with a test home that has a second project, `frozen`, whose server is a program that
/// can be suspended.
private func withFrozenServer(_ body: (TestHome, RunningProgram) async throws -> Void) async throws {
  try await withTestHome { home in
    let server = try RunningProgram(
      Programs.path("ritual-sandbox"), ["--user", "\(TestHome.email):\(TestHome.password)"],
      environment: home.environment, folder: home.folder)
    try await withCleanup {
      server.send(SIGCONT)
      await server.stop()
    } _: {
      try await eventually("the server listens: \(server.stderr)") { server.stdout.contains("\n") }
      let line = try JSONSerialization.jsonObject(with: Data(server.stdout.utf8)) as? [String: Any]
      let url = try #require(line?["url"] as? String)
      let key = try #require(line?["anonKey"] as? String)
      let output = try await home.ctl("init", "--project", "frozen", "--project-url", url, "--anon-key", key)
      #expect(output.status == 0, "\(output.stderr)")
      try await body(home, server)
    }
  }
}
