import AuthSandbox
import Foundation
import TestKit
import Testing

/// `ritualctl report` is safe to publish.
@Suite(.doctor, .serialized, .timeLimit(.minutes(5))) struct ReportEndToEndTests {
  private func run(_ arguments: String...) async throws -> Output {
    try await home.run(Programs.path("ritualctl"), ["report"] + arguments, more: home.doctorEnvironment)
  }

  @Test("contains no token, address, key, user id, URL or name of the home directory, whatever is wrong")
  func printsNothingSecret() async throws {
    try await home.signIn("--account", "work")
    let (token, refresh) = (try await home.token(), try await home.foreignRefreshToken())
    let user = try #require(try await home.ctl("whoami", "--json").json()["user"] as? [String: Any])
    let id = try #require(user["id"] as? String)
    let grant = try await home.ctl("grant", "--json").json()
    let placeholder = try #require(grant["token"] as? String)
    let secrets = [
      // A refresh token without a digit.
      "aiwlkpqitgtz", token, refresh, TestHome.email, TestHome.password, home.sandbox.anonKey, home.sandbox.url, id,
      placeholder,
      String(home.sandbox.url.dropFirst("http://".count)), home.folder.path, "example.org", "+4915112345678",
      "d29ybGQtc2VjcmV0LTEyMw", "comment-secret", "odd-secret",
    ]
    // A journal may have these from a server.
    let lines = secrets.filter { !["comment-secret", "odd-secret", TestHome.password].contains($0) }.joined(
      separator: "\n")
    try await home.fake(
      "journalctl",
      "cat <<'END'\nagent started\nnotification unsuccessful unauthorized subscription\n\(lines)\nid=\(id) <\(TestHome.email)>\nEND"
    )
    try await home.fakeManager()
    try home.editConfiguration { $0 += "\n# comment-secret\n[vault]\nidle_lock = 900\n" }
    func look(_ state: String) async throws -> String {
      var all = ""
      for arguments in [[], ["--json"]] {
        let output = try await home.run(
          Programs.path("ritualctl"), ["report"] + arguments, more: home.doctorEnvironment)
        #expect(output.status == 0, "\(output)")
        for secret in secrets {
          #expect(!(output.stdout + output.stderr).contains(secret), "\(state): \(secret) in \(output)")
        }
        all += output.stdout
      }
      return all
    }
    let text = try await look("all is well")
    for part in [
      "## versions\n", "## units\n", "## configuration\n", "## status\n", "## doctor\n", "## journal\n",
      "agent started", "notification unsuccessful unauthorized subscription",
      "ActiveState=active", "idle_lock = 900", "[projects.default]", "anon_key = […]", "work ", "<[email 1]>",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    try home.editConfiguration { $0 += "\n[projects.other]\nurl = \"odd-secret\nanon_kye = \"odd-secret\"\n" }
    _ = try await look("a fault in the configuration")
    #expect(try await home.ctl("lock").status == 0)
    _ = try await look("locked")
    await home.stopAgent()
    #expect(try await look("no agent").contains("the agent does not answer"))
  }

  @Test("is written with mode 0600 after a confirmation, or with --yes")
  func writes() async throws {
    let file = home.folder.path + "/report.txt"
    let refused = try await run(file)
    #expect(refused.status == 64 && refused.stderr.contains("report.txt --yes"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: file))
    let no = try await home.startOnTerminal(["report", file], "expect('? [y/N] ')\nsay('n\\n')").end()
    #expect(no.status == 2 && !FileManager.default.fileExists(atPath: file), "\(no)")
    let yes = try await home.startOnTerminal(["report", file], "expect('## doctor')\nexpect('? [y/N] ')\nsay('y\\n')")
      .end()
    #expect(yes.status == 0, "\(yes)")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("## versions\n\nritualctl "))
    try "old".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await run(file, "--yes").stdout == "wrote \(file)\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("## journal\n"))
  }
}
