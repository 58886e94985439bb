import Foundation
import Glibc
import TestKit
import Testing

/// Policy rules with the built programs: the kernel identifies the caller, not anything that
/// the caller says.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct PolicyEndToEndTests {
  /// Adds rules to the configuration, which a running agent reloads.
  private func addRules(_ rules: String) async throws {
    try home.append(rules)
    try await home.reload()
  }

  private func copy(_ home: TestHome, _ name: String) async throws -> String {
    let path = home.folder.path + "/" + name
    try await home.copyProgram("ritualctl", to: path)
    return path
  }

  private func audit(_ home: TestHome) async throws -> String { try await home.ctl("audit", "--json").stdout }

  @Test("PR-3: a program is denied by its file, under every name, and no other file is; a reload lifts the rule")
  func deniesByExecutable() async throws {
    try await home.signIn()
    let tool = try await copy(home, "backup-tool")
    #expect(try await home.run(tool, ["token"]).status == 0)
    try await addRules("\n[[policy.rules]]\nexecutable = \"\(tool)\"\naction = \"deny\"\n")
    let link = home.folder.path + "/innocent"
    #expect(symlink(tool, link) == 0)
    for program in [tool, link] {
      for arguments in [["token"], ["api", "/rest/v1/x"], ["refresh"], ["sign-out"], ["use", "default"]] {
        let output = try await home.run(program, arguments)
        #expect(output.status == 6, "\(arguments) \(output.stdout) \(output.stderr)")
        #expect(!output.stdout.contains("eyJ"))
      }
      #expect(try await home.run(program, ["status"]).status == 0)
    }
    // Another file with the same bytes, and ritualctl itself.
    #expect(try await home.run(try await copy(home, "other"), ["token"]).status == 0)
    #expect(try await home.ctl("token").status == 0)
    let audit = try await audit(home)
    #expect(audit.contains(#""event":"denied""#) && audit.contains("backup-tool"))
    try home.rename("action = \"deny\"", to: "action = \"allow\"")
    try await home.reload()
    #expect(try await home.run(tool, ["token"]).status == 0)
  }

  @Test("PR-3: a rule does not apply to a process whose program was replaced while it ran, but to the next one")
  func replacedExecutable() async throws {
    try await home.signIn()
    let (tool, go) = (try await copy(home, "backup-tool"), home.folder.path + "/go")
    try await addRules("\n[[policy.rules]]\nexecutable = \"\(tool)\"\naction = \"deny\"\n")
    // It reads its input before it connects.
    let script = "(until [ -e \(go) ]; do sleep 0.02; done; echo rejected) | exec \(tool) token --rejected-stdin"
    let running = try RunningProgram(
      "/bin/sh", ["-c", script], environment: home.environment, folder: home.folder)
    try await eventually("the tool runs") {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")) == tool
      }
    }
    let next = try await copy(home, "next")
    #expect(rename(next, tool) == 0)
    #expect(FileManager.default.createFile(atPath: go, contents: nil))
    let old = try await running.end()
    #expect(old.status == 0, "\(old)")
    #expect(try await home.run(tool, ["token"]).status == 6)
  }

  @Test("PR-3: an approval is requested at once, awaited, given by ritualctl and revoked; the asker cannot give it")
  func asksAndApproves() async throws {
    try await home.signIn()
    try await addRules("\n[[policy.rules]]\naccount = \"default\"\naction = \"ask\"\n")
    let tool = try SocketTool(home.socket)
    func ask(_ method: String, _ params: String) async throws -> [String: Any] {
      try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
      let value = try JSONSerialization.jsonObject(with: Data(try await tool.line().utf8))
      return try #require(value as? [String: Any])
    }
    let error = try #require(try await ask("session.token", "{}")["error"] as? [String: Any])
    let data = try #require(error["data"] as? [String: Any])
    #expect(data["kind"] as? String == "approvalNeeded")
    let id = try #require(data["approval"] as? String)
    #expect(data["hint"] as? String == "ritualctl approvals allow \(id)")
    let own = try await ask("approval.answer", #"{"id":"\#(id)","allow":true}"#)
    #expect(((own["error"] as? [String: Any])?["data"] as? [String: Any])?["kind"] as? String == "denied")
    let list = try await home.ctl("approvals")
    #expect(list.stdout.hasPrefix("\(id)  pending  default  until "), "\(list.stdout)\(list.stderr)")
    // The program is in no unit here: another process of the same program is the same asker, to
    // which an answer applies.
    try tool.send(#"{"jsonrpc":"2.0","id":2,"method":"approval.wait","params":{"id":"\#(id)"}}"#)
    let allowed = try await home.ctl("approvals", "allow", id, "--for", "600", "--json")
    #expect(allowed.status == 0 && allowed.stdout.contains(#""state":"allowed""#), "\(allowed.stderr)")
    #expect(try await tool.line() == #"{"id":2,"jsonrpc":"2.0","result":{"state":"allowed"}}"#)
    #expect((try await ask("session.token", "{}")["result"] as? [String: Any])?["accessToken"] != nil)
    // Another program is another asker.
    let other = try await home.ctl("token")
    #expect(other.status == 6 && other.stderr.contains("ritualctl approvals allow "), "\(other.stderr)")
    #expect(try await home.ctl("approvals", "revoke", id).status == 0)
    #expect(try await ask("session.token", "{}")["error"] != nil)
    let audit = try await audit(home)
    for event in ["approvalAsked", "approvalAnswered", "approvalRevoked"] {
      #expect(audit.contains(#""event":"\#(event)""#), "\(event)")
    }
    // An approval ends with the account, whose name another person may use next.
    let next = try #require(other.stderr.firstMatch(of: /approvals allow ([0-9a-f]+)/)).1
    _ = try await ask("approval.answer", #"{"id":"\#(next)","allow":true}"#)
    #expect(try await home.ctl("approvals").stdout.contains("allowed"))
    #expect(try await home.ctl("accounts", "remove", "default", "--yes").status == 0)
    #expect(try await home.ctl("approvals").stdout == "")
  }

  /// The directory in which cgroups can be created: on a dedicated machine or in a container.
  private static let cgroups = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
    access($0 + "/cgroup.procs", W_OK) == 0
  }

  @Test("PR-3: a unit is denied, and cannot approve its own request", .enabled(if: cgroups != nil))
  func deniesByUnit() async throws {
    try await home.signIn("--account", "work")
    try await home.signIn("--account", "home")
    let unit = "ritual-policy-test-\(getpid()).service"
    let folder = try #require(Self.cgroups) + "/" + unit
    #expect(mkdir(folder, 0o755) == 0)
    defer { rmdir(folder) }
    let rules = [("work", "deny"), ("home", "ask")].map {
      "\n[[policy.rules]]\naccount = \"\($0)\"\nunit = \"\(unit)\"\naction = \"\($1)\"\n"
    }
    try await addRules(rules.joined())
    func inside(_ command: String) async throws -> Output {
      try await home.run("/bin/sh", ["-c", "echo $$ > \(folder)/cgroup.procs && exec ritualctl \(command)"])
    }
    #expect(try await inside("token --account work").status == 6)
    #expect(try await home.ctl("token", "--account", "work").status == 0)
    let asked = try await inside("token --account home --json")
    #expect(asked.status == 6)
    let id = try #require(asked.stderr.firstMatch(of: /approvals allow ([0-9a-f]+)/)).1
    let own = try await inside("approvals allow \(id)")
    #expect(own.status == 6 && own.stderr.contains("A program cannot approve its own request"), "\(own.stderr)")
    #expect(try await home.ctl("approvals", "allow", String(id)).status == 0)
    #expect(try await inside("token --account home").status == 0)
    #expect(try await audit(home).contains(unit))
  }
}
