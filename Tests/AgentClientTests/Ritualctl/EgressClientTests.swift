import AgentClient
import AgentProtocol
import Foundation
import TestKit
import Testing

@testable import ritualctl

/// `ritualctl api` and the proxy: responses of the agent itself, streams, and a broken server.
@Suite(.timeLimit(.minutes(2))) struct EgressClientTests {
  private static func problem(_ kind: String, _ status: Int) -> String {
    let body = #"{"kind":"\#(kind)","detail":"Words.","hint":"do this","account":"work"}"#
    return "HTTP/1.1 \(status) X\r\nProxy-Status: ritual-agent; error=x; details=\"\(kind)\"\r\nRetry-After: 7\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
  }

  @Test(
    "a response of the agent itself has the exit status of its kind, and its words with the next step",
    arguments: [
      ("signInNeeded", 403, 4), ("vaultLocked", 403, 5), ("denied", 403, 6), ("approvalNeeded", 403, 6),
      ("mfaNeeded", 403, 8), ("misconfigured", 403, 1), ("unknownAccount", 421, 64), ("invalidParams", 400, 64),
      ("badRequest", 405, 64), ("notFound", 404, 1), ("tooMany", 503, 7), ("offline", 502, 7), ("timedOut", 504, 7),
      ("notReady", 503, 7), ("somethingNew", 403, 1),
    ])
  func mapsKinds(kind: String, status: Int, exit: Int) async throws {
    let exit = Int32(exit)
    try await withEgressBench(answering: { request in
      let answer = Self.problem(kind, status)
      return Array((request.hasPrefix("HEAD") ? String(answer.prefix { $0 != "{" }) : answer).utf8)
    }) { bench in
      let output = try await bench.run("api", "/x")
      #expect(output.status == exit && output.stdout.isEmpty, "\(output)")
      #expect(output.stderr.hasPrefix("ritualctl: Words.\n  do this\n"), "\(output)")
      let json = try await bench.run("api", "--json", "/x")
      #expect(json.status == exit && json.stdout.isEmpty, "\(json)")
      #expect(json.stderr.contains(#""kind":"\#(kind)""#) && json.stderr.contains(#""account":"work""#), "\(json)")
      #expect(try await bench.run("api", "-X", "HEAD", "/x").status == exit, "without a body")
    }
  }

  @Test("a response that only says that it is from the agent is a failure, and is not printed")
  func survivesOwnNonsense() async throws {
    try await withEgressBench(answering: { _ in
      Array("HTTP/1.1 200 OK\r\nproxy-status: ritual-agent\r\nContent-Length: 200000\r\n\r\n".utf8)
        + Array(repeating: 0x78, count: 200_000)
    }) { bench in
      let output = try await bench.run("api", "/x")
      #expect(output.status == 1 && output.stdout.isEmpty && output.stderr.count < 500, "\(output)")
    }
  }

  @Test("a broken server: what was complete is printed, and the exit status tells")
  func survivesABrokenServer() async throws {
    for (answer, status, stdout, words) in [
      ("", 7, "", "closed the connection before it answered"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", 7, "ab", "was cut off"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", 7, "ab", "was cut off"),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nFFFFFFFFFFFFFFFF\r\n", 1, "",
        "invalid response"
      ),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", 1, "", "two lengths"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1, "", "two lengths"),
      ("HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 200_000), 1, "", "too long"),
      ("{\"jsonrpc\":\"2.0\"}\r\n", 1, "", "it is not HTTP/1.1"),
      ("HTTP/1.1 200 OK\r\n\r\nto the end", 0, "to the end", ""),
      ("HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n\r\nmore", 0, "a", ""),
    ] as [(String, Int32, String, String)] {
      try await withEgressBench { connection in
        _ = connection.readRequest()
        connection.send(answer)
      } _: { bench in
        let output = try await bench.run("api", "/x")
        #expect(output.status == status && output.stdout == stdout, "\(answer.prefix(80)): \(output)")
        #expect(
          words.isEmpty ? output.stderr.isEmpty : output.stderr.contains(words), "\(answer.prefix(80)): \(output)")
      }
    }
  }

  @Test("the body is printed while it arrives, and has no limit")
  func streams() async throws {
    let gate = DispatchSemaphore(value: 0)
    try await withEgressBench { connection in
      _ = connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
      connection.send("9\r\ndata: 1\n\n\r\n")
      gate.wait()
      let part = Array(repeating: UInt8(ascii: "x"), count: 0x100000)
      for _ in 0..<12 { connection.send(Array("100000\r\n".utf8) + part + Array("\r\n".utf8)) }
      connection.send("0\r\n\r\n")
    } _: { bench in
      let program = try bench.start(["api", "/events"])
      try await eventually("the first event") { program.stdout == "data: 1\n\n" }
      gate.signal()
      let output = try await program.end()
      #expect(output.status == 0 && output.stdout.utf8.count == 9 + 12 << 20, "\(output.stdout.utf8.count)")
      // Where the whole body has to be held, there is a limit.
      gate.signal()
      let json = try await bench.run("api", "--json", "/events")
      #expect(json.status == 1 && json.stdout.isEmpty && json.stderr.contains("larger than 8 MiB"), "\(json)")
    }
  }

  @Test("a large body is sent from a file with its length, and from a pipe in chunks")
  func sendsLargeBodies() async throws {
    let text = String(repeating: "0123456789abcde\n", count: 3 << 16)
    try await withEgressBench(answering: { request in
      Reply.http(Array("\(request.utf8.count > text.utf8.count && request.hasSuffix(text))".utf8))
    }) { bench in
      let file = bench.folder.path + "/large"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await bench.run("api", "-F", file, "/x").stdout == "true")
      let piped = try await RunningProgram(
        "/bin/sh", ["-c", #"cat "$1" | "$0" api -d @- /x"#, Ritualctl.path, file],
        environment: Ritualctl.environment(bench.folder, ["RITUAL_AGENT_SOCKET": bench.socket]), folder: bench.folder
      ).end()
      #expect(piped.stdout == "true", "\(piped.stderr)")
      #expect(
        bench.server.lines[0].contains("\nContent-Length: \(text.utf8.count)\n"), "\(bench.server.lines[0].prefix(200))"
      )
      #expect(bench.server.lines[1].contains("\nTransfer-Encoding: chunked\n"), "\(bench.server.lines[1].prefix(200))")
    }
  }

  @Test("a server that answers before it has read the body is heard")
  func hearsAnEarlyAnswer() async throws {
    try await withEgressBench { connection in
      _ = connection.readLine()
      connection.send("HTTP/1.1 413 X\r\nContent-Length: 4\r\n\r\nlong")
    } _: { bench in
      let file = bench.folder.path + "/large"
      try Data(count: 8 << 20).write(to: URL(fileURLWithPath: file))
      let output = try await bench.run("api", "-F", file, "/x")
      #expect(output.status == 1 && output.stdout == "long", "\(output)")
    }
  }

  @Test("a silent server ends the wait: one that is stopped soon, one that answers elsewhere later")
  func timesOut() async throws {
    try await withEgressBench { connection in
      while connection.readLine() != nil {}
    } _: { bench in
      for (agentAnswers, silence, wait) in [(false, 30, 60_000), (true, 60_000, 50)] {
        let agent = try ScriptedServer(in: bench.folder, name: "\(agentAnswers).sock") { connection in
          while let line = connection.readLine() {
            guard agentAnswers else { continue }
            connection.send(
              #"{"jsonrpc":"2.0","id":\#(ScriptedRequest(line).id),"error":{"code":-32000,"message":"no","data":"#
                + #"{"kind":"denied","retryable":false}}}"# + "\n")
          }
        }
        defer { agent.stop() }
        var client = EgressClient(agent: agent.path)
        (client.maxSilence, client.maxWait) = (.milliseconds(silence), .milliseconds(wait))
        let error = #expect(throws: AgentClientError.self) {
          try client.send(.init(target: "/x")) { _, _ in }
        }
        #expect(error?.code == .timedOut)
      }
    }
  }

  @Test("a URL is accepted if it is one of the account's project that the proxy sends there")
  func acceptsURLs() async throws {
    try await withEgressBench(answering: { Reply.http(Array($0.prefix { $0 != "\n" }.utf8)) }) { bench in
      for (project, url, path) in [
        ("https://abc.supabase.co", "https://abc.supabase.co/rest/v1/x?a=/b", "/rest/v1/x?a=/b"),
        ("https://abc.supabase.co", "HTTPS://ABC.supabase.co:443/storage/v1/x", "/storage/v1/x"),
        ("https://abc.supabase.co", "https://abc.supabase.co/api/v1/x", nil),
        ("https://abc.supabase.co", "https://abc.supabase.co/auth/v1/user", nil),
        ("https://abc.supabase.co", "https://abc.supabase.co", nil),
        ("https://abc.supabase.co", "https://evil.test/rest/v1/x", nil),
        ("https://abc.supabase.co", "http://abc.supabase.co/rest/v1/x", nil),
        ("https://abc.supabase.co", "https://abc.supabase.co@evil.test/rest/v1/x", nil),
        ("https://abc.supabase.co", "https://abc.supabase.co:444/rest/v1/x", nil),
        ("https://abc.supabase.co", "rest/v1/x", nil), ("https://abc.supabase.co", "//abc/rest/v1", "//abc/rest/v1"),
        ("https://example.org/base", "https://example.org/base/rest/v1/x", "/rest/v1/x"),
        ("https://example.org/base", "https://example.org/rest/v1/x", nil),
        ("https://example.org/base", "https://example.org/bases/rest/v1/x", nil),
        (nil, "https://abc.supabase.co/rest/v1/x", nil),
      ] as [(String?, String, String?)] {
        let agent = try ScriptedServer(
          in: bench.folder, name: "\(UUID().uuidString.prefix(8)).sock",
          answering: { method, _ in
            if method == "agent.status" { return StatusTests.status("") }
            let member = project.map { #","projectURL":"\#($0)""# } ?? ""
            return Reply.result(String(Reply.account.dropLast()) + member + "}")
          })
        let output = try await bench.run("api", url, environment: ["RITUAL_AGENT_SOCKET": agent.path])
        agent.stop()
        #expect(output.status == (path == nil ? 64 : 0), "\(url): \(output)")
        #expect(output.stdout == (path.map { "GET \($0) HTTP/1.1" } ?? ""), "\(url): \(output)")
      }
    }
  }
}
