import Foundation
import TestKit
import Testing

/// `ritualctl api`: bodies, fields, and the forms of the output.
@Suite(.timeLimit(.minutes(2))) struct APITests {
  private static func response(_ body: String, _ type: String = "application/json", status: Int = 200) -> String {
    let encoded = Data(body.utf8).base64EncodedString()
    return Reply.result(#"{"status":\#(status),"headers":[["Content-Type","\#(type)"]],"body":"\#(encoded)"}"#)
  }

  /// The params of the requests that the agent received, with the body as text.
  private static func requests(_ bench: Bench) throws -> [[String: String]] {
    try bench.server.lines.map { line in
      let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let params = request?["params"] as? [String: Any] ?? [:]
      let body = (params["body"] as? String).flatMap { Data(base64Encoded: $0) }
      let headers = params["headers"] as? [[String]] ?? []
      return [
        "method": params["method"] as? String, "path": params["path"] as? String,
        "body": body.map { String(decoding: $0, as: UTF8.self) },
        "type": headers.first { $0.first?.lowercased() == "content-type" }?.last,
      ].compactMapValues { $0 }
    }
  }

  /// The document of `--json`.
  private static func document(_ bench: Bench) async throws -> [String: Any] {
    let output = try await bench.run("api", "--json", "/x")
    return try JSONSerialization.jsonObject(with: Data(output.stdout.utf8)) as? [String: Any] ?? [:]
  }

  @Test("-d @file and -d @- read the body from a file and standard input")
  func readsBodies() async throws {
    try await withBench { _, _ in
      Self.response("{}")
    } _: { bench in
      let file = bench.folder.path + "/body.json"
      try "{\"a\":\n1}\n".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await bench.run("api", "-d", "@" + file, "/x").status == 0)
      #expect(try await bench.run("api", "-X", "PUT", "-d", "@-", "/x", input: "@raw").status == 0)
      let missing = try await bench.run("api", "-d", "@" + file + "-missing", "/x")
      #expect(missing.status == 1 && missing.stderr.contains("body.json-missing cannot be read"), "\(missing)")
      #expect(
        try Self.requests(bench) == [
          ["method": "POST", "path": "/x", "body": "{\"a\":\n1}\n", "type": "application/json"],
          ["method": "PUT", "path": "/x", "body": "@raw", "type": "application/json"],
        ])
    }
  }

  @Test("-f makes a JSON object of strings and POST, or a query with -X GET")
  func sendsFields() async throws {
    try await withBench { _, _ in
      Self.response("{}")
    } _: { bench in
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
        try Self.requests(bench) == [
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
    ])
  func refuses(arguments: [String]) async throws {
    try await withBench { _, _ in
      Self.response("{}")
    } _: { bench in
      let output = try await bench.start(["api"] + arguments + ["/x"]).end()
      #expect(output.status == 64, "\(output)")
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test("--jq filters with jq: strings without quotes, one line per value; an error response stays as it is")
  func filters() async throws {
    // More than the buffer of a socket, in both directions.
    let large = "[" + Array(repeating: #"{"name":"an entry of the list"}"#, count: 20_000).joined(separator: ",") + "]"
    try await withBench { _, line in
      line.contains("/missing")
        ? Self.response(#"{"error":1}"#, status: 404)
        : Self.response(line.contains("/large") ? large : line.contains("/text") ? "text" : #"[{"b":"é","a":1}]"#)
    } _: { bench in
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
    try await withBench { _, line in
      Self.response(line.contains("/long") ? #"["\#(long)"]"# : #"[{"id":"\u001b]0;PWN\u0007x"}]"#)
    } _: { bench in
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
    try await withBench { _, _ in
      Self.response("{}")
    } _: { bench in
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
    ])
  func documentsText(type: String, isText: Bool) async throws {
    try await withBench { _, _ in
      Self.response("é\u{1B}", type)
    } _: { bench in
      let document = try await Self.document(bench)
      #expect(document["body"] as? String == Data("é\u{1B}".utf8).base64EncodedString())
      #expect(document["text"] as? String == (isText ? "é\u{1B}" : nil))
    }
  }

  @Test("--json has no text for a body that is not UTF-8")
  func documentsBytes() async throws {
    try await withBench { _, _ in
      Reply.result(#"{"status":200,"headers":[["Content-Type","text/plain"]],"body":"/w=="}"#)
    } _: { bench in
      let document = try await Self.document(bench)
      #expect(document["body"] as? String == "/w==")
      #expect(document["text"] == nil)
    }
  }

  @Test("a terminal shows JSON indented, in the server's order, and control characters escaped")
  func indents() async throws {
    let json = #" {"z":[1.50,{"a":{},"b":[ ]}, "x\"}\\" ],"a": "é\#u{9B}", "n" :null} "#
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    try await withBench { _, line in
      if line.contains("/deep") { return Self.response(deep) }
      if line.contains("/text") { return Self.response("[1, 2]", "text/plain") }
      return Self.response(line.contains("/broken") ? #"{"a":"\#u{1B}[2J"}"# : json)
    } _: { bench in
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
