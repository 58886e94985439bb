import Foundation
import TestKit
import Testing

@testable import ritualctl

@Suite(.timeLimit(.minutes(2))) struct GrantTests {
  private static let placeholder = "sb_publishable_ritual_" + String(repeating: "A", count: 43)
  private static let made = Reply.result(
    #"{"id":"3f9c","url":"http://127.0.0.1:4711","token":"\#(placeholder)","expiresAt":"2025-11-21T04:48:17Z"}"#)

  @Test("EG-6: grant prints the URL and the placeholder token, one line each, and all else on stderr")
  func prints() async throws {
    try await withBench(Self.made) { bench in
      let plain = try await bench.run("grant")
      #expect(plain.status == 0 && plain.stdout == "http://127.0.0.1:4711\n\(Self.placeholder)\n")
      #expect(
        plain.stderr == "ritualctl: valid until 2025-11-21 04:48 UTC; to end it: ritualctl grants revoke 3f9c\n",
        "\(plain.stderr)")
      #expect(try await bench.run("grant", "--quiet").stderr == "")
      let json = try await bench.run("grant", "--json")
      #expect(
        json.stdout
          == #"{"expiresAt":"2025-11-21T04:48:17Z","formatVersion":1,"id":"3f9c","token":"\#(Self.placeholder)","#
          + #""url":"http://127.0.0.1:4711"}"# + "\n", "\(json.stdout)")
    }
  }

  @Test("grant passes on its limits, and says what they do not limit")
  func limits() async throws {
    try await withBench(Self.made) { bench in
      let output = try await bench.run(
        "grant", "--account", "work", "--for", "12h", "--method", "get", "--method", "HEAD", "--path", "/rest/v1/todos")
      #expect(output.status == 0 && output.stderr.contains("not by table: rpc, graphql and embedded selects"))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"egress.grant","params":{"account":"work","for":43200,"#
            + #""methods":["GET","HEAD"],"paths":["/rest/v1/todos"]}}"#
        ])
      for wrong in ["0", "25h", "2d", "1 h", "-1", "1.5h", "h", "", "x", "99999999999999999999s"] {
        #expect(try await bench.run("grant", "--for", wrong).status == 64, "\(wrong)")
      }
      #expect(bench.server.lines.count == 1)
    }
  }

  @Test("RC-5: grant and exec pass on the form of the placeholder token")
  func passesOnForms() async throws {
    try await withBench { _, _ in
      Self.made
    } _: { bench in
      let output = try await bench.run("grant", "--form", "jwt")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(try await bench.run("grant", "--prefix", "sk-").status == 0)
      let exec = ["exec", "--egress"]
      for more in [["--form", "jwt"], ["--form", "key", "--prefix", "sk-"]] {
        #expect(try await bench.start(exec + more + ["--", "/bin/true"]).end().status == 0)
      }
      let sent = bench.server.lines
      for (line, expected) in zip(
        sent,
        [
          #""params":{"form":"jwt"}}"#, #""params":{"prefix":"sk-"}}"#,
          #""params":{"for":86400,"form":"jwt","process":true}}"#,
          #""params":{"for":86400,"form":"key","prefix":"sk-","process":true}}"#,
        ])
      {
        #expect(line.hasSuffix(expected), "\(line)")
      }
      #expect(sent.count == 4)
      for wrong in [
        ["grant", "--form", "x"], ["grant", "--form", "jwt", "--prefix", "a"],
        ["exec", "--form", "jwt", "--", "/bin/true"],
        ["exec", "--prefix", "a", "--", "/bin/true"],
      ] {
        #expect(try await bench.start(wrong).end().status == 64, "\(wrong)")
      }
    }
  }

  @Test(
    "a time span has a unit, or is in seconds",
    arguments: [("90", 90), ("90s", 90), ("30m", 1800), ("12h", 43_200), ("1d", 86_400), ("007", 7)])
  func readsTimeSpans(text: String, seconds: Int) {
    #expect(TimeSpan(argument: text)?.seconds == seconds)
  }

  private static let listed =
    #"{"id":"3f9c","account":"work","methods":["GET"],"paths":["/rest/v1/\u001b[31m"],"pid":7,"executable":"/opt/tool","#
    + #""unit":"a.service","process":true,"createdAt":"2025-11-21T03:48:17Z","expiresAt":"2025-11-21T04:48:17Z","#
    + #""requests":1}"#
  private static let other =
    #"{"id":"77aa","account":"home","pid":8,"comm":"too\u001bl","process":false,"createdAt":"2025-11-21T03:48:17Z","#
    + #""expiresAt":"2025-11-21T04:48:17Z","requests":12}"#

  @Test("grants lists by default, one escaped line for each, and revokes")
  func lists() async throws {
    try await withBench { method, _ in
      method == "egress.revoke" ? Reply.result("{}") : Reply.result(#"{"grants":[\#(Self.listed),\#(Self.other)]}"#)
    } _: { bench in
      for arguments in [["grants"], ["grants", "list"]] {
        let output = try await bench.start(arguments).end()
        let lines = output.stdout.split(separator: "\n")
        #expect(lines.count == 2 && output.status == 0, "\(output.stderr)")
        #expect(lines[0].hasPrefix("3f9c  work  until 2025-11-21 04:48 UTC  1 request    GET /rest/v1/"), "\(lines)")
        #expect(lines[0].hasSuffix(#"\u{1b}[31m  /opt/tool  a.service  ends with pid 7"#), "\(lines)")
        #expect(
          lines[1].hasPrefix("77aa  home  ") && lines[1].contains("  12 requests  any method and path"), "\(lines)")
        #expect(lines[1].hasSuffix(#"  calls itself too\u{1b}l  pid 8"#))
      }
      #expect(try await bench.run("grants", "revoke", "3f9c").stdout == "3f9c: revoked\n")
      #expect(
        bench.server.lines.last == #"{"id":1,"jsonrpc":"2.0","method":"egress.revoke","params":{"id":"3f9c"}}"#)
    }
    try await withBench(Reply.result(#"{"grants":[]}"#)) { bench in
      let output = try await bench.run("grants")
      #expect(output.stdout.isEmpty && output.stderr == "ritualctl: no valid grants\n")
    }
  }

  @Test("exec --egress asks for a grant that ends with its process, and sets its variables")
  func setsVariables() async throws {
    let script = """
      echo $RITUAL_API_URL $SUPABASE_URL; echo $RITUAL_ACCESS_TOKEN; echo $SUPABASE_KEY; echo $SUPABASE_ANON_KEY
      echo "$no_proxy"; echo "$NO_PROXY"; exit 9
      """
    let url = "http://127.0.0.1:4711"
    for (inherited, lower, upper) in [
      ([:], "127.0.0.1,localhost", "127.0.0.1,localhost"),
      (["no_proxy": "a"], "a,127.0.0.1,localhost", "a,127.0.0.1,localhost"),
      (["NO_PROXY": "b"], "b,127.0.0.1,localhost", "b,127.0.0.1,localhost"),
      (["no_proxy": "a", "NO_PROXY": "*"], "a,127.0.0.1,localhost", "*"),
    ] {
      try await withBench(Self.made) { bench in
        let all = ["SUPABASE_ANON_KEY": "old", "RITUAL_ACCESS_TOKEN": "old"].merging(inherited) { $1 }
        let output = try await bench.start(
          ["exec", "--egress", "--account", "work", "--", "/bin/sh", "-c", script], environment: all
        ).end()
        #expect(output.status == 9 && output.stderr == "", "\(output.stderr)")
        #expect(
          output.stdout.split(separator: "\n").map(String.init)
            == ["\(url) \(url)", Self.placeholder, Self.placeholder, Self.placeholder, lower, upper])
        #expect(
          bench.server.lines == [
            #"{"id":1,"jsonrpc":"2.0","method":"egress.grant","params":{"account":"work","for":86400,"process":true}}"#
          ])
      }
    }
  }

  private static let onSocket = Reply.result(
    #"{"id":"3f9c","url":"http://localhost","socket":"/run/g/3f9c/s","token":"\#(placeholder)","#
      + #""expiresAt":"2025-11-21T04:48:17Z"}"#)

  @Test("RC-1: grant --socket asks for a socket and prints its path; with a path, --socket is the agent's")
  func makesSockets() async throws {
    try await withBench { _, _ in
      Self.onSocket
    } _: { bench in
      let plain = try await bench.run("grant", "--socket")
      #expect(plain.stdout == "http://localhost\n\(Self.placeholder)\n/run/g/3f9c/s\n", "\(plain.stderr)")
      let json = try await bench.run("grant", "--unix-socket", "--json")
      #expect(json.stdout.contains(#""socket":"/run/g/3f9c/s""#), "\(json)")
      let path = bench.server.path
      #expect(try await bench.start(["grant", "--socket", path, "--socket", "--for", "60"]).end().status == 0)
      #expect(
        bench.server.lines.map { $0.suffix(29) }
          == [
            #"grant","params":{"socket":true}}"#, #"grant","params":{"socket":true}}"#,
            #"params":{"for":60,"socket":true}}"#,
          ].map {
            $0.suffix(29)
          }, "\(bench.server.lines)")
      let wrong = try await bench.run("grant", "--socket", "--for", "2d")
      #expect(wrong.status == 64 && wrong.stderr.contains("--for"), "\(wrong.stderr)")
    }
  }

  @Test("RC-1, RC-2: exec passes on the socket and the name, and leaves a sandbox's proxy the only way out")
  func runsInSandboxes() async throws {
    let script = #"echo "$RITUAL_API_URL $RITUAL_API_SOCKET|$no_proxy|$NO_PROXY|${no_proxy-unset}""#
    let inherited = ["RITUAL_API_SOCKET": "/old", "NO_PROXY": "b"]
    for (options, reply, variables, params) in [
      (
        ["--egress=socket"], Self.onSocket,
        "/run/g/3f9c/s|b,127.0.0.1,localhost|b,127.0.0.1,localhost|b,127.0.0.1,localhost",
        #""process":true,"socket":true"#
      ),
      (
        ["--egress=port"], Self.made, "|b,127.0.0.1,localhost|b,127.0.0.1,localhost|b,127.0.0.1,localhost",
        #""process":true"#
      ),
      (
        ["--egress", "--egress-host", "ritual.localhost"], Self.made, "||b|unset",
        #""host":"ritual.localhost","process":true"#
      ),
      (
        ["--egress=socket", "--egress-host=ritual.localhost"], Self.onSocket, "/run/g/3f9c/s||b|unset",
        #""host":"ritual.localhost","process":true,"socket":true"#
      ),
    ] {
      try await withBench(reply) { bench in
        let output = try await bench.start(
          ["exec"] + options + ["--", "/bin/sh", "-c", script], environment: inherited
        ).end()
        #expect(output.stdout.split(separator: " ", maxSplits: 1).last == "\(variables)\n", "\(options) \(output)")
        #expect(bench.server.lines[0].hasSuffix(#"{"for":86400,\#(params)}}"#), "\(bench.server.lines)")
      }
    }
    try await withBench(Self.made) { bench in
      for wrong in [
        ["--egress-host", "a"], ["--egress=x"], ["--egress-host", "a", "--egress=socket", "--assurance", "aal2"],
      ] {
        let output = try await bench.start(["exec"] + wrong + ["--", "/bin/true"]).end()
        #expect(output.status == 64, "\(wrong)")
      }
    }
  }

  @Test("exec --egress runs nothing without a grant")
  func needsGrant() async throws {
    try await withBench(Reply.error("signInNeeded", hint: "ritualctl sign-in")) { bench in
      let output = try await bench.run("exec", "--egress", "--", "/bin/echo", "ran")
      #expect(output.status == 125 && output.stdout == "")
      #expect(try await bench.run("exec", "--egress", "--assurance", "aal2", "--", "/bin/echo").status == 64)
      #expect(try await bench.run("exec", "--path", "/x", "--", "/bin/echo").status == 64)
    }
  }
}
