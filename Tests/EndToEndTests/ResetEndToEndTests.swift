import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `ritualctl reset` leaves nothing behind, and touches nothing else.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ResetEndToEndTests {
  /// All files in the test home's directories, except those that the tests' own tools write.
  private static func files(_ home: TestHome) -> [String] {
    ["config", "state", "data", "run"].flatMap { folder -> [String] in
      let found = FileManager.default.enumerator(atPath: home.folder.path + "/" + folder)
      return (found?.allObjects as? [String] ?? []).map { "\(folder)/\($0)" }
    }.sorted()
  }

  @Test("signs out at the server, ends the agent, and keeps the configuration; --config removes that, too", .home)
  func leavesNothing() async throws {
    try await home.signIn()
    try await home.signIn("--account", "second")
    let token = try await home.token()
    #expect(try await home.ctl("register-handler").status == 0)
    let pid = try #require(await home.agentPID)
    let output = try await home.ctl("reset", "--yes")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stderr == "")
    #expect(output.stdout.hasPrefix("default: signed out\nsecond: signed out\nremoved \(home.folder.path)/data/"))
    #expect(output.stdout.contains("kept \(home.folder.path)/config/ritual-agent/config.toml; "))
    #expect(home.sandbox.requestCount(.logout) == 2)
    #expect(try await !home.serverTakes(token))
    try await eventually("the agent has ended") { kill(pid, 0) != 0 || Self.isZombie(pid) }
    let left = Self.files(home).filter { !$0.hasSuffix("mimeinfo.cache") }
    #expect(left == ["config/ritual-agent", "config/ritual-agent/config.toml", "data/applications"], "\(left)")
    let again = try await home.ctl("reset", "--yes", "--config", "--json")
    #expect(again.status == 0, "\(again.stderr)")
    #expect(try again.json()["removed"] as? [String] == [home.folder.path + "/config/ritual-agent"])
    #expect(try await home.ctl("reset", "--yes").stdout == "nothing to remove\n")
  }

  private static func isZombie(_ pid: Int32) -> Bool {
    (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.contains(") Z ") ?? true
  }

  @Test("names an account that could not be revoked, and removes everything", .home)
  func tellsWhatWasNotRevoked() async throws {
    try await home.signIn()
    home.sandbox.inject(.dropBeforeCommit, at: .logout, count: nil)
    let output = try await home.ctl("reset", "--yes", "--json")
    #expect(output.status == 0, "\(output.stderr)")
    let unrevoked = try output.json()["unrevoked"] as? [[String: String]]
    #expect(unrevoked == [["account": "default", "reason": "the sign-out is still pending"]])
    #expect(output.stderr == "", "the document says it")
    #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/state/ritual-agent"))
  }

  @Test("names an earlier sign-out that is not revoked; a server that responds revokes it")
  func tellsOfEarlierSignOuts() async throws {
    for answers in [false, true] {
      try await withTestHome { home in
        try await home.signIn("--account", "home")
        try await home.signIn("--account", "work")
        let token = try await home.token("--account", "work")
        home.sandbox.inject(.dropBeforeCommit, at: .logout, count: nil)
        #expect(try await home.ctl("sign-out", "--account", "work").status == 0)
        if answers { home.sandbox.clearFaults() }
        let output = try await home.ctl("reset", "--yes", "--json")
        #expect(output.status == 0, "\(output.stderr)")
        let unrevoked = try output.json()["unrevoked"] as? [[String: String]]
        let expected = [
          ["account": "home", "reason": "the sign-out is still pending"],
          ["account": "work", "reason": "an earlier sign-out is still pending"],
        ]
        #expect(unrevoked == (answers ? [] : expected), "\(output.stderr)")
        #expect(try await home.serverTakes(token) == !answers)
      }
    }
  }

  @Test("does nothing if the environment names other directories than the agent's; without an agent, follows it", .home)
  func followsTheEnvironment() async throws {
    try await home.signIn()
    func reset(_ more: [String: String]) async throws -> Output {
      try await home.run(Programs.path("ritualctl"), ["reset", "--yes"], more: more)
    }
    let other = home.folder.path + "/other"
    let refused = try await reset(["XDG_STATE_HOME": other])
    #expect(refused.status == 1)
    let words =
      "vault is in \(home.folder.path)/state/ritual-agent, but this command would remove \(other)/ritual-agent"
    #expect(refused.stderr.contains(words), "\(refused.stderr)")
    #expect(home.sandbox.requestCount(.logout) == 0)
    #expect(try await !home.token().isEmpty)
    await home.stopAgent()
    // A relative path is ignored, as by the agent.
    let relative = try await reset(["XDG_STATE_HOME": "state", "HOME": other, "XDG_DATA_HOME": other])
    #expect(relative.status == 0 && !relative.stdout.contains("removed"), "\(relative.stdout)\(relative.stderr)")
    let output = try await reset([:])
    #expect(output.stdout.contains("removed \(home.folder.path)/state/ritual-agent\n"), "\(output.stdout)")
  }

  @Test(
    "with a locked vault or without an agent, names the accounts that are not signed out", .home,
    arguments: [true, false])
  func worksWithoutSessions(runs: Bool) async throws {
    try await home.signIn()
    if runs { #expect(try await home.ctl("lock").status == 0) } else { await home.stopAgent() }
    let output = try await home.ctl("reset", "--yes")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stderr.contains("default: " + (runs ? "the vault is locked" : "the agent does not respond")))
    #expect(output.stderr.contains("--scope global"))
    #expect(home.sandbox.requestCount(.logout) == 0)
    #expect(Self.files(home).filter { !$0.hasPrefix("config") } == [])
  }

  @Test("after an agent that was killed, no socket is left", .home)
  func removesSockets() async throws {
    try await home.signIn()
    try await home.killAgent()
    #expect(try await home.ctl("reset", "--yes").status == 0)
    #expect(Self.files(home).filter { !$0.hasPrefix("config") } == [])
  }

  @Test("without a terminal, requires --yes and does nothing", .home)
  func asks() async throws {
    try await home.signIn()
    let output = try await home.ctl("reset")
    #expect(output.status == 64)
    #expect(output.stderr.contains("ritualctl reset --yes"))
    #expect(try await !home.token().isEmpty)
  }

  @Test(
    "rejects a directory that is a symbolic link before anything is done; a link inside is removed as a link", .home)
  func followsNoLinks() async throws {
    try await home.signIn()
    let (state, elsewhere) = (home.folder.path + "/state/ritual-agent", home.folder.path + "/elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    try "mine".write(toFile: elsewhere + "/letter", atomically: true, encoding: .utf8)
    #expect(symlink(elsewhere, home.folder.path + "/data/ritual-agent/link") == 0)
    #expect(rename(state, elsewhere + "/moved") == 0 && symlink(elsewhere + "/moved", state) == 0)
    let refused = try await home.ctl("reset", "--yes")
    #expect(refused.status == 1)
    #expect(refused.stderr.contains("is a symbolic link and was not removed"))
    #expect(home.sandbox.requestCount(.logout) == 0)
    #expect(unlink(state) == 0 && rename(elsewhere + "/moved", state) == 0)
    let output = try await home.ctl("reset", "--yes")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["letter"])
  }

  @Test("stops and disables the units, so that the next request starts no agent", .home)
  func stopsUnits() async throws {
    let (calls, tools) = (home.folder.path + "/calls", home.folder.path + "/tools")
    try await ShellScript.install(#"echo "$@" >> "# + calls, as: tools + "/systemctl")
    var environment = home.environment
    environment["PATH"] = tools + ":" + environment["PATH", default: ""]
    let output = try await RunningProgram(
      Programs.path("ritualctl"), ["reset", "--yes"], environment: environment, folder: home.folder
    ).end()
    #expect(output.status == 0, "\(output.stderr)")
    #expect(
      try String(contentsOfFile: calls, encoding: .utf8) == """
        --user stop ritual-agent.socket ritual-agent.service
        --user disable ritual-agent.socket ritual-agent.service
        --user disable --now ritual-notify.service

        """)
  }

  @Test("on a terminal: no, Enter and Ctrl-D decline: 2, and nothing is changed; yes removes everything", .home)
  func asksOnATerminal() async throws {
    try await home.signIn()
    func reset(_ keys: String) async throws -> Output {
      try await home.startOnTerminal(["reset"], "expect('Continue? [y/N] ')\nsay('\(keys)')").end()
    }
    let folders = ["state/ritual-agent", "data/ritual-agent"].map { home.folder.path + "/" + $0 }
    let pid = await home.agentPID
    for keys in ["n\\n", "\\n", "\\x04"] {
      let output = try await reset(keys)
      #expect(output.status == 2, "\(output)")
      #expect(output.stdout.contains("will sign out of default\n"), "\(output.stdout)")
      #expect(folders.allSatisfy { output.stdout.contains("will remove \($0)\n") }, "\(output.stdout)")
      #expect(!output.stdout.contains("config/ritual-agent"), "stays without --config")
      #expect(home.sandbox.requestCount(.logout) == 0)
      #expect(await home.agentPID == pid)
      #expect(try await !home.token().isEmpty)
    }
    let output = try await reset("yes\\n")
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout.contains("default: signed out\nremoved \(folders[1])\n"), "\(output)")
    #expect(home.sandbox.requestCount(.logout) == 1)
    #expect(folders.allSatisfy { access($0, F_OK) != 0 })
    #expect(access(home.folder.path + "/config/ritual-agent/config.toml", F_OK) == 0)
  }
}
