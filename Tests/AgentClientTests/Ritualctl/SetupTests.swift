import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@testable import ritualctl

/// `setup` and its check in `doctor`; see also `SinkTests` for the file of `sink`.
@Suite struct SetupTests {
  private var folder: URL { scratchDirectory }

  private func text(_ name: SetupName, account: String? = nil, runtime: String? = "/run/user/1000") -> String {
    let guide = SetupGuide(
      socket: "/run/user/1000/ritual-agent/agent.sock", account: account, runtime: runtime,
      program: "/usr/bin/ritualctl")
    return SetupAnswer(name: name.rawValue, account: account, steps: guide.steps(name)).text(.plain).text
  }

  @Test("a unit")
  func systemd() {
    #expect(
      text(.systemd) == """
        # in the unit: systemctl --user edit NAME.service:
            [Service]
            LoadCredential=token:%t/ritual-agent/credentials.sock
            # Without a token, the credential is empty: the unit fails here.
            ExecStartPre=/usr/bin/test -s %d/token

        # in the program: the token is in this file until the program ends:
            $CREDENTIALS_DIRECTORY/token
        """)
    let other = text(.systemd, account: "work", runtime: "/run/user/10")
    #expect(other.contains("LoadCredential=token.work:/run/user/1000/ritual-agent/credentials.sock\n"))
    #expect(other.contains("test -s %d/token.work\n"))
  }

  @Test("curl, Python, Node and Go use the socket of egress, and the account as the host")
  func programs() {
    for name in [SetupName.curl, .python, .node, .go] {
      for (account, host) in [(nil, "localhost"), ("work", "work")] as [(String?, String)] {
        let text = text(name, account: account)
        #expect(text.contains("/run/user/1000/ritual-agent/egress.sock") && text.contains(host), "\(text)")
      }
    }
    #expect(
      text(.curl, account: "office").contains(
        "    curl --unix-socket /run/user/1000/ritual-agent/egress.sock http://office/rest/v1/TABLE\n"))
  }

  @Test("the configuration for an MCP server is JSON", arguments: [nil, "work"])
  func mcp(account: String?) throws {
    let guide = SetupGuide(socket: "/a/agent.sock", account: account, runtime: nil, program: "/opt/a \"b\"/ritualctl")
    let step = try #require(guide.steps(.mcp).first)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(step.text.utf8)) as? [String: [String: [String: Any]]])
    let server = try #require(json["mcpServers"]?["NAME"])
    #expect(server["command"] as? String == "/opt/a \"b\"/ritualctl")
    let selection = account.map { ["--account", $0] } ?? []
    #expect(server["args"] as? [String] == ["exec", "--egress"] + selection + ["--", "COMMAND"])
  }

  @Test("finds the credentials that units load from the agent, also from a wrong place")
  func findsLoads() {
    let text = """
      [Service]
      # LoadCredential=old:%t/ritual-agent/credentials.sock
      LoadCredential = token.work : nonsense
      LoadCredential=token:%t/ritual-agent/credentials.sock
      LoadCredential=api:/run/user/7/ritual-agent/credentials.sock
      LoadCredential=other:/etc/secret
      LoadCredential=token
      """
    #expect(
      AdapterChecks.loads(in: text, unit: "a.service", runtime: "/run/user/7") == [
        .init(unit: "a.service", name: "token", path: "/run/user/7/ritual-agent/credentials.sock"),
        .init(unit: "a.service", name: "api", path: "/run/user/7/ritual-agent/credentials.sock"),
      ])
  }

  @Test("doctor names units with a wrong path or name, in units and drop-ins, and missing sockets", .scratchDirectory)
  func checksUnits() async throws {
    let (units, run) = (folder.path + "/units", folder.path + "/run/ritual-agent")
    for path in [units + "/b.service.d", run] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let checks = AdapterChecks(socket: run + "/agent.sock", units: units, runtime: folder.path + "/run")
    func write(_ name: String, _ value: String) throws {
      try "[Service]\nLoadCredential=\(value)\n".write(toFile: units + "/" + name, atomically: true, encoding: .utf8)
    }
    try write("a.service", "token:%t/ritual-agent/credentials.sock")
    try write("notes.txt", "token:/old/ritual-agent/credentials.sock")
    #expect(checks.checks().isEmpty)
    try write("b.service.d/token.conf", "token:/old/credentials.sock")
    try write("c.service", "secret:%t/ritual-agent/credentials.sock")
    let found = checks.checks()
    try #require(found.map(\.name) == ["units", "units"])
    #expect(found.allSatisfy { $0.outcome == .warn })
    #expect(found[0].words.hasPrefix("b.service loads a credential from /old/credentials.sock"))
    #expect(found[1].words.hasPrefix("c.service loads a credential named secret"))
    #expect(found.allSatisfy { $0.next == "ritualctl setup systemd" })
  }

  @Test("doctor names files of setup with another socket, or with a program that is gone", .scratchDirectory)
  func checksFiles() async throws {
    let home = folder.path
    try FileManager.default.createDirectory(atPath: home + "/.cursor", withIntermediateDirectories: true)
    let checks = AdapterChecks(socket: "/run/a/agent.sock", units: home + "/none", runtime: nil, home: home)
    func write(_ name: String, _ text: String) throws {
      try text.write(toFile: "\(home)/\(name)", atomically: true, encoding: .utf8)
    }
    try write(".curlrc-ritual", "unix-socket = \"/run/a/egress.sock\"\n")
    try write(".cursor/mcp.json", #"{"mcpServers":{"x":{"command":"\#(Ritualctl.path)"}}}"#)
    #expect(checks.checks().isEmpty)
    try write(".curlrc-ritual", "unix-socket = \"/run/b/egress.sock\"\n")
    try write(".cursor/mcp.json", #"{"mcpServers":{"x":{"command":"\/old\/bin\/ritualctl","args":["exec"]}}}"#)
    #expect(
      checks.checks().map(\.words) == [
        "\(home)/.curlrc-ritual names the socket /run/b/egress.sock, but the agent's is /run/a/egress.sock",
        "\(home)/.cursor/mcp.json starts /old/bin/ritualctl, which does not exist",
      ])
    #expect(checks.checks().map(\.next) == ["ritualctl setup curl", "ritualctl setup mcp"])
  }
}
