import Foundation
import TestKit
import Testing

/// The built agent against its own description, and the example clients against the built agent.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProtocolEndToEndTests {
  @Test("PR-1: every method of rpc.discover is called; params, results, errors and events match its schemas")
  func everyMethodIsAsDescribed() async throws {
    try await withTestHome { home in
      let caller = try await CheckedCaller(home.socket)
      try await EveryMethod(home: home, caller: caller).run()
      #expect(caller.methods.count > 30)
      #expect(caller.methods.subtracting(caller.answered) == [], "no step of EveryMethod calls these")
    }
  }

  @Test("PR-5: an agent that is older or newer than the client says which of the two to update")
  func negotiatesTheVersion() async throws {
    try await withTestHome(users: []) { home in
      let tool = try SocketTool(home.socket)
      for (version, words) in [(0, "newer version of the client"), (2, "newer ritual-agent"), (1, "\"protocol\":1")] {
        try tool.send(
          #"{"jsonrpc":"2.0","id":1,"method":"agent.hello","params":{"client":"old 1","protocol":\#(version)}}"#)
        #expect(try await tool.line().contains(words))
      }
    }
  }

  @Test("the example clients print a token and the status, and follow events", arguments: ["python", "swift"])
  func examplesWork(_ language: String) async throws {
    try await withTestHome { home in
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
  }

  @Test func thePythonExampleIsShortAndNeedsNothing() throws {
    let lines = try String(contentsOf: Self.examples.appending(path: "python/ritual.py"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60)
    let imports = lines.filter { $0.contains("import ") }
    #expect(imports == ["import json", "import os", "import socket", "import sys"])
  }

  private static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples")

  private func example(_ language: String, _ arguments: [String], _ home: TestHome) throws -> RunningProgram {
    let (program, script) =
      language == "python"
      ? ("/usr/bin/python3", [Self.examples.appending(path: "python/ritual.py").path])
      : (Programs.path("agent-client-example"), [])
    return try RunningProgram(program, script + arguments, environment: home.environment, folder: home.folder)
  }
}
