import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct APITests {
  private static func response(_ body: String, _ type: String = "application/json", status: Int = 200) -> [UInt8] {
    Reply.http(Array(body.utf8), type, status: status)
  }

  /// The requests that the proxy received.
  private static func requests(_ bench: Bench) -> [[String: String]] {
    bench.server.lines.map { request in
      let words = request.prefix { $0 != "\n" }.split(separator: " ")
      let body = request[(request.firstRange(of: "\n\n")?.upperBound ?? request.endIndex)...]
      return [
        "method": String(words[0]), "path": String(words[1]), "body": body.isEmpty ? nil : String(body),
        "type": request.firstMatch(of: /\n(?i:content-type): ([^\n]*)/).map { String($0.1) },
      ].compactMapValues { $0 }
    }
  }

  /// The document of `--json`.
  private static func document(_ bench: Bench) async throws -> [String: Any] {
    let output = try await bench.run("api", "--json", "/x")
    return try JSONSerialization.jsonObject(with: Data(output.stdout.utf8)) as? [String: Any] ?? [:]
  }

  @Test("only the body is on stdout, and the request is as asked, with the account as its host")
  func sendsRequests() async throws {
    try await withEgressBench(answering: { request in
      let status = request.contains("missing") ? 404 : 200
      return Array("HTTP/1.1 \(status) X\r\nX-One: 1\t\u{9B}\r\nContent-Length: 7\r\n\r\n{\"a\":1}".utf8)
    }) { bench in
      let plain = try await bench.run("api", "/v1/x")
      #expect(plain.stdout == "{\"a\":1}" && plain.status == 0)
      let file = bench.folder.path + "/body"
      try "raw".write(toFile: file, atomically: true, encoding: .utf8)
      _ = try await bench.run(
        "api", "-X", "PUT", "-H", "content-type: text/plain", "-F", file, "--account", "work", "/v1/x")
      _ = try await bench.run("api", "-F", "-", "--account", "10", "/v1/x?a=|^`", input: "raw")
      let missing = try await bench.run("api", "-i", "/missing")
      #expect(missing.stdout == "HTTP 404\nX-One: 1\\u{9}\\u{9b}\nContent-Length: 7\n\n{\"a\":1}")
      #expect(missing.stderr == "ritualctl: HTTP 404\n")
      #expect(missing.status == 1)
      let json = try await bench.run("api", "--json", "/missing")
      let body = Data("{\"a\":1}".utf8).base64EncodedString()
      #expect(json.stdout.hasPrefix(#"{"body":"\#(body)","formatVersion":1,"#))
      #expect(json.status == 1)
      let version = try #require(bench.server.lines.first?.firstMatch(of: /ritualctl\/([0-9.]+)/)?.1)
      let agent = "User-Agent: ritualctl/\(version)"
      #expect(
        bench.server.lines.prefix(3) == [
          "GET /v1/x HTTP/1.1\nConnection: close\nHost: localhost\n\(agent)\n\n",
          "PUT /v1/x HTTP/1.1\nConnection: close\nHost: work\n\(agent)\ncontent-type: text/plain\nContent-Length: 3\n\n"
            + "raw",
          "POST /v1/x?a=|^` HTTP/1.1\nConnection: close\nHost: localhost\nRitual-Account: 10\n\(agent)\n"
            + "Content-Type: application/json\nContent-Length: 3\n\nraw",
        ])
    }
  }

  @Test("a URL of the proxy is shown as the path that the command takes; another one stays")
  func showsPaths() async throws {
    try await withEgressBench(answering: { request in
      let host = request.firstMatch(of: /Host: ([a-z]+)/)?.1 ?? ""
      return Array(
        "HTTP/1.1 201 X\r\nLocation: http://\(host)/a?b\r\nLink: http://\(host)/a\r\nContent-Length: 0\r\n\r\n".utf8)
    }) { bench in
      let output = try await bench.run("api", "-i", "--account", "office", "/x")
      #expect(output.stdout.hasPrefix("HTTP 201\nLocation: /a?b\nLink: http://office/a\n"), "\(output)")
    }
  }

  @Test("-d @file and -d @- read the body from a file and standard input")
  func readsBodies() async throws {
    try await withEgressBench(Self.response("{}")) { bench in
      let file = bench.folder.path + "/body.json"
      try "{\"a\":\n1}\n".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await bench.run("api", "-d", "@" + file, "/x").status == 0)
      #expect(try await bench.run("api", "-X", "PUT", "-d", "@-", "/x", input: "@raw").status == 0)
      let missing = try await bench.run("api", "-d", "@" + file + "-missing", "/x")
      #expect(missing.status == 1 && missing.stderr.contains("body.json-missing cannot be read"), "\(missing)")
      #expect(
        Self.requests(bench) == [
          ["method": "POST", "path": "/x", "body": "{\"a\":\n1}\n", "type": "application/json"],
          ["method": "PUT", "path": "/x", "body": "@raw", "type": "application/json"],
        ])
    }
  }

  @Test("-f makes a JSON object of strings and POST, or a query with -X GET")
  func sendsFields() async throws {
    try await withEgressBench(Self.response("{}")) { bench in
      for arguments in [
        ["-f", "title=a=b\"", "-f", "tags[]=1", "-f", "tags[]=true", "-f", "at[place][city]=Köln", "-f", "empty="],
        ["-X", "PATCH", "-H", "Content-Type: application/vnd.x+json", "-f", "a=1"],
        ["-X", "GET", "-f", "select=a,b", "-f", "q[]=x y"],
      ] {
        let output = try await bench.start(["api"] + arguments + ["/x"]).end()
        #expect(output.status == 0, "\(output)")
      }
      #expect(try await bench.run("api", "-X", "GET", "-f", "b=2", "/x?a=1").status == 0)
      #expect(
        Self.requests(bench) == [
          [
            "method": "POST", "path": "/x", "type": "application/json",
            "body": #"{"at":{"place":{"city":"Köln"}},"empty":"","tags":["1","true"],"title":"a=b\""}"#,
          ],
          ["method": "PATCH", "path": "/x", "type": "application/vnd.x+json", "body": #"{"a":"1"}"#],
          ["method": "GET", "path": "/x?select=a%2Cb&q%5B%5D=x%20y"], ["method": "GET", "path": "/x?a=1&b=2"],
        ])
    }
  }

  @Test(
    "wrong usage sends nothing",
    arguments: [
      ["-f", "a"], ["-f", "=1"], ["-f", "a[b=1"], ["-f", "a[=1"], ["-f", "a[b][=1"], ["-f", "a]b=1"],
      ["-f", "a[b]c=1"], ["-f", "a[]b]=1"],
      ["-f", "[]=1"], ["-f", "a=1", "-f", "a=2"], ["-f", "a=1", "-f", "a[b]=2"], ["-f", "a[]=1", "-f", "a[b]=2"],
      ["-f", "a[][b]=1"], ["-f", "a=1", "-d", "{}"], ["-f", "a=1", "-F", "file"], ["-d", "{}", "-F", "file"],
      ["--jq", ".", "--json"],
      // What would change the message, its identity or its account.
      ["-H", "Host: x"], ["-H", "authorization: x"], ["-H", "apikey: x"], ["-H", "X_Api_Key: x"], ["-H", "Cookie: x"],
      ["-H", "Content-Length: 1"], ["-H", "Transfer-Encoding: chunked"], ["-H", "Ritual-Account: x"],
      ["-H", "Connection: close"], ["-H", "Expect: 100-continue"], ["-H", "X-HTTP-Method-Override: DELETE"],
      ["-H", "A: b\r\nHost: x"], ["-H", "A b: c"], ["-H", ": x"], ["-H", "A\n: c"], ["-H", "A: \u{7F}"],
      ["-X", "GET /other HTTP/1.1\r\nX:"], ["-X", ""], ["-X", "G T"], ["--account", "a\r\nX: y"], ["--account", "A"],
      ["--account", ""],
    ])
  func refuses(arguments: [String]) async throws {
    try await withEgressBench(Self.response("{}")) { bench in
      let output = try await bench.start(["api"] + arguments + ["/x"]).end()
      #expect(output.status == 64, "\(output)")
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test("--jq filters with jq: strings without quotes, one line per value; an error response stays as it is")
  func filters() async throws {
    // More than the buffer of a socket, in both directions.
    let large = "[" + Array(repeating: #"{"name":"an entry of the list"}"#, count: 20_000).joined(separator: ",") + "]"
    try await withEgressBench(answering: { line in
      line.contains("/missing")
        ? Self.response(#"{"error":1}"#, status: 404)
        : Self.response(line.contains("/large") ? large : line.contains("/text") ? "text" : #"[{"b":"é","a":1}]"#)
    }) { bench in
      #expect(try await bench.run("api", "--jq", ".[0].b", "/x").stdout == "é\n")
      #expect(try await bench.run("api", "--jq", ".[]", "/x").stdout == #"{"b":"é","a":1}"# + "\n")
      let all = try await bench.run("api", "--jq", ".[].name", "/large")
      #expect(all.status == 0 && all.stdout.split(separator: "\n").count == 20_000)
      // jq ends before it has read its input, and the expression is not an option.
      for expression in [".[", "-n"] {
        let failed = try await bench.start(["api", "--jq=" + expression, "/large"]).end()
        #expect(failed.status == 1 && failed.stdout.isEmpty, "\(failed)")
        #expect(failed.stderr.contains("ritualctl: jq failed with exit status"), "\(failed)")
      }
      let text = try await bench.run("api", "--jq", ".", "/text")
      #expect(text.status == 1 && text.stderr.contains("jq failed"), "\(text)")
      let missing = try await bench.run("api", "--jq", ".[0].b", "/missing")
      #expect(missing.status == 1 && missing.stdout == #"{"error":1}"#, "\(missing)")
    }
  }

  @Test("PR-6: jq's messages quote the body with control characters escaped, and are bounded")
  func escapesMessagesOfJQ() async throws {
    let long = String(repeating: "x", count: 200_000)
    try await withEgressBench(answering: { line in
      Self.response(line.contains("/long") ? #"["\#(long)"]"# : #"[{"id":"\u001b]0;PWN\u0007x"}]"#)
    }) { bench in
      let output = try await bench.run("api", "--jq", ".[].id|tonumber", "/x")
      #expect(output.status == 1 && output.stdout.isEmpty)
      #expect(output.stderr.hasPrefix("jq: error") && output.stderr.contains(#"PWN"#), "\(output.stderr)")
      #expect(output.stderr.contains("\nritualctl: jq failed with exit status"), "\(output.stderr)")
      #expect(!output.stderr.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
      // More than a pipe holds, on both streams.
      let debug = try await bench.run("api", "--jq", ".[]|stderr", "/long")
      #expect(debug.status == 0 && debug.stdout == long + "\n")
      #expect((1000...20_000).contains(debug.stderr.count) && debug.stderr.hasSuffix("x\n"), "\(debug.stderr.count)")
    }
  }

  @Test("without jq nothing is sent, and the error names the package")
  func needsJQ() async throws {
    try await withEgressBench(Self.response("{}")) { bench in
      let output = try await bench.run("api", "--jq", ".", "-d", "{}", "/x", environment: ["PATH": "/nowhere"])
      #expect(output.status == 1)
      #expect(output.stderr == "ritualctl: jq is not installed\n  sudo apt install jq\n")
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test(
    "--json contains a text body as text, too",
    arguments: [
      ("application/json; charset=utf-8", true), ("application/problem+json", true), ("Text/Plain", true),
      ("application/octet-stream", false), ("image/png", false),
    ].map { (Array("é\u{1B}".utf8), $0, $1 ? "é\u{1B}" : nil) } + [([0xFF], "text/plain", nil)])
  func documentsText(body: [UInt8], type: String, text: String?) async throws {
    try await withEgressBench(Reply.http(body, type)) { bench in
      let document = try await Self.document(bench)
      #expect(document["body"] as? String == Data(body).base64EncodedString())
      #expect(document["text"] as? String == text)
    }
  }

  @Test("a terminal shows JSON indented, in the server's order, and control characters escaped")
  func indents() async throws {
    let json = #" {"z":[1.50,{"a":{},"b":[ ]}, "x\"}\\" ],"a": "é\#u{9B}", "n" :null} "#
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    try await withEgressBench(answering: { line in
      if line.contains("/deep") { return Self.response(deep) }
      if line.contains("/text") { return Self.response("[1, 2]", "text/plain") }
      return Self.response(line.contains("/broken") ? #"{"a":"\#u{1B}[2J"}"# : json)
    }) { bench in
      let shown = try await bench.runInTerminal("finish()", "api", "/x")
      #expect(
        shown.stdout == #"""
          {
            "z": [
              1.50,
              {
                "a": {},
                "b": []
              },
              "x\"}\\"
            ],
            "a": "é\u009b",
            "n": null
          }

          """#)
      #expect(shown.status == 0)
      #expect(try await bench.runInTerminal("finish()", "api", "/broken").stdout == #"{"a":"\u{1b}[2J"}"#)
      #expect(try await bench.runInTerminal("finish()", "api", "/deep").stdout == deep)
      #expect(try await bench.runInTerminal("finish()", "api", "/text").stdout == "[1, 2]")
      #expect(try await bench.run("api", "/x").stdout == json)
      let filtered = try await bench.runInTerminal("finish()", "api", "--jq", ".a, {z: .n}", "/x")
      #expect(filtered.stdout == "é\\u{9b}\n{\n  \"z\": null\n}\n")
    }
  }
}
