import AuthSandbox
import Foundation
import TestKit
import Testing

/// The built agent against its own description, and the example clients against the built agent.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProtocolEndToEndTests {
  private var folder: URL { scratchDirectory }

  @Test("PR-1: every method of rpc.discover is called; params, results, errors and events match its schemas", .home)
  func everyMethodIsAsDescribed() async throws {
    let caller = try await CheckedCaller(home.socket)
    try await EveryMethod(home: home, caller: caller).run()
    #expect(caller.methods.count > 30)
    for method in caller.methods.subtracting(caller.answered) { try await caller.callPlainly(method) }
  }

  @Test("PR-5: an agent that is older or newer than the client says which of the two to update", .home(users: []))
  func negotiatesTheVersion() async throws {
    let tool = try SocketTool(home.socket)
    for (version, words) in [(0, "newer version of the client"), (2, "newer ritual-agent"), (1, "\"protocol\":1")] {
      try tool.send(
        #"{"jsonrpc":"2.0","id":1,"method":"agent.hello","params":{"client":"old 1","protocol":\#(version)}}"#)
      #expect(try await tool.line().contains(words))
    }
  }

  @Test("a method of an earlier version is unknown, and the hint names what replaces it", .home(users: []))
  func namesReplacements() async throws {
    let tool = try SocketTool(home.socket)
    try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"api.request","params":{"method":"GET","path":"/"}}"#)
    let answer = try await tool.line()
    #expect(
      answer.contains("-32601") && answer.contains("ritualctl api") && answer.contains("egress.sock"), "\(answer)")
    try tool.send(#"{"jsonrpc":"2.0","id":2,"method":"no.such"}"#)
    #expect(try await !tool.line().contains("hint"))
  }

  @Test("the example clients print a token and the status, and follow events", .home, arguments: ["python", "swift"])
  func examplesWork(_ language: String) async throws {
    try await home.signIn()
    let token = try await home.token()
    #expect(try await example(language, ["token"], home).end().stdout == token + "\n")
    #expect(try await example(language, ["status"], home).end().stdout.contains("default: authenticated"))
    let events = try example(language, ["events"], home)
    try await eventually("the present state: \(events.stderr)") { events.stdout.contains("INITIAL_SESSION") }
    #expect(try await home.ctl("sign-out").status == 0)
    try await eventually("the sign-out: \(events.stdout)") { events.stdout.contains("SIGNED_OUT default") }
    await events.stop()
    let refused = try await example(language, ["token"], home).end()
    #expect(refused.status == 1)
    #expect(refused.stderr.contains("ritualctl sign-in"), "\(refused.stderr)")
  }

  @Test func thePythonExampleIsShortAndNeedsNothing() throws {
    let lines = try String(contentsOf: Self.examples.appending(path: "python/ritual.py"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 78)
    let imports = lines.filter { $0.contains("import ") && !$0.contains("\"") }
    #expect(
      imports == [
        "import errno, hashlib, http.client, json, os, socket, sys", "from typing import Any, Callable, Iterator",
      ])
  }

  @Test("the Python example is a module: typed errors, API requests, a newer token after a 401", .home)
  func thePythonExampleIsAModule() async throws {
    try await home.signIn()
    let output = try await python(
      """
      import ast, inspect, json, types, ritual
      ast.parse(inspect.getsource(ritual), feature_version=(3, 9))
      agent = ritual.Agent()
      try: agent.call("session.token", account="nobody")
      except ritual.AgentError as error: print(error.kind, error.retryable, error.retry_after, error.hint)
      status, body = agent.api("/api/v1/profile", "PUT", b'{"display_name": "Py"}', account="default")
      print(status, json.loads(body)["display_name"])
      try: agent.api("/api/v1/profile", account="nobody")
      except ritual.AgentError as error: print(error.kind, error.retryable, error.hint)
      sent = []
      def send(token):
          sent.append(token)
          return types.SimpleNamespace(status=401)
      print(agent.with_token(send).status, len(set(sent)))
      sent.clear()
      print(agent.with_token(send, account="default").status, len(sent))
      print(next(agent.events())["type"])
      """, home.environment, home.folder)
    #expect(
      output.stdout
        == "unknownAccount False 0 ritualctl accounts\n200 Py\nunknownAccount False ritualctl accounts\n401 2\n401 1\nINITIAL_SESSION\n",
      "\(output)"
    )
    #expect(home.sandbox.refreshCount == 1)
  }

  @Test("the Python example finds the socket as ritualctl does", .scratchDirectory)
  func thePythonExampleFindsTheSocket() async throws {
    for more in [
      [:], ["XDG_RUNTIME_DIR": "/run/x"], ["XDG_RUNTIME_DIR": "relative"], ["XDG_STATE_HOME": "/state"],
      ["XDG_STATE_HOME": "relative"], ["XDG_RUNTIME_DIR": "/run/x", "RITUAL_AGENT_SOCKET": "/y/z.sock"],
    ] {
      let environment = ["HOME": folder.path].merging(more) { $1 }
      let output = try await python("import ritual; print(ritual.socket_path())", environment, folder)
      let path = output.stdout.trimmingCharacters(in: .newlines)
      let refused = try await RunningProgram(
        Programs.path("ritualctl"), ["token"], environment: environment, folder: folder
      ).end()
      #expect(
        path.hasPrefix("/") && refused.stderr.contains("cannot connect to the agent at \(path) ("), "\(refused)")
    }
  }

  /// Runs a script that can import the example.
  private func python(_ script: String, _ environment: [String: String], _ folder: URL) async throws -> Output {
    let path = ["PYTHONPATH": Self.examples.appending(path: "python").path, "PYTHONDONTWRITEBYTECODE": "1"]
    return try await RunningProgram(
      "/usr/bin/python3", ["-c", script], environment: environment.merging(path) { $1 }, folder: folder
    ).end()
  }

  private static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples")

  private func example(_ language: String, _ arguments: [String], _ home: TestHome) throws -> RunningProgram {
    let (program, script) =
      language == "python"
      ? ("/usr/bin/python3", [Self.examples.appending(path: "python/ritual.py").path])
      : (Programs.example, [])
    return try RunningProgram(program, script + arguments, environment: home.environment, folder: home.folder)
  }
}
