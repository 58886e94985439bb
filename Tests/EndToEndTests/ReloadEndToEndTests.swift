import AuthSandbox
import Foundation
import TestKit
import Testing

/// OP-3: a reload applies the file, or rejects it and reports that everywhere.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct ReloadEndToEndTests {
  private static func check(_ home: TestHome) async throws -> Output {
    try await home.run(Programs.path("ritual-agentd"), ["--check-config"])
  }

  @Test("a valid file is applied without a restart; an invalid one leaves the old settings in effect")
  func reloads() async throws {
    try await home.signIn()
    try home.append("\n[audit]\nkeep_days = 7\n")
    let good = try await home.ctl("reload")
    #expect((good.status, good.stdout) == (0, "configuration reloaded; projects: default\n"), "\(good.stderr)")
    let pid = await home.agentPID
    try home.append("\n[vault]\nidle_lokc = 5\n")
    let bad = try await home.ctl("reload")
    #expect(bad.status == 1)
    let place = "config/ritual-agent/config.toml:9:1: unknown key idle_lokc in [vault]; did you mean idle_lock?"
    #expect(bad.stderr.contains(place), "\(bad.stderr)")
    #expect(await home.agentLog.contains("previous settings stay in effect"))
    let status = try await home.ctl("status")
    #expect(status.status == 0, "it goes on")
    #expect(status.stdout.contains("! invalid configuration, previous settings stay in effect: "))
    #expect(status.stdout.contains("did you mean idle_lock?"))
    #expect(await home.agentPID == pid)
    try home.rename("idle_lokc", to: "idle_lock")
    #expect(try await home.ctl("reload").status == 0)
    #expect(try await !home.ctl("status").stdout.contains("refused"))
  }

  @Test("--check-config fails for a named file that does not exist")
  func namesAMissingFile() async throws {
    let file = home.folder.path + "/typo.toml"
    let check = try await home.run(Programs.path("ritual-agentd"), ["--check-config", "--config", file])
    #expect(check.status == 64 && check.stderr.contains("cannot find \(file)"), "\(check)")
  }

  @Test(
    "--check-config reports what a reload reports",
    arguments: [
      "", "[sing_in]\n", "[sign_in]\ntimeout = \"60\"\n", "[projects.x]\nurl = \"https://x.co\"\n", "x = \n",
      "[sign_in]\ntimeout = 301\n", "[linking]\npolicy = \"confirm\"\n", "[vault]\nlock_with_session = 1\n",
    ])
  func agrees(text: String) async throws {
    try home.append("\n" + text)
    let (check, reload) = (try await Self.check(home), try await home.ctl("reload"))
    #expect(check.status == reload.status)
    guard check.status != 0 else { return }
    // Both messages are equal, except for the program's name and the next step. A log line may
    // come first if a sanitizer replaces free(3).
    let prefix = "ritual-agentd: "
    let line = try #require(check.stderr.split(separator: "\n").first { $0.hasPrefix(prefix) })
    let shown = line.dropFirst(prefix.count)
    #expect(shown.contains("config.toml:"))
    #expect(reload.stderr.hasPrefix("ritualctl: \(shown)\n"), "\(reload.stderr)\(check.stderr)")
  }

  @Test("the service manager is notified when a reload begins and when it ends, successful or not")
  func notifies() async throws {
    await home.stopAgent()
    let notify = try NotifySocket(path: home.folder.path + "/notify")
    try await home.startAgent(through: ["/usr/bin/env", "NOTIFY_SOCKET=\(notify.path)"])
    try await eventually("READY=1") { notify.received().contains("READY=1") }
    #expect(!notify.received().contains("RELOADING=1"))
    try home.append("\nx = 1\n")
    #expect(try await home.ctl("reload").status == 1)
    try await eventually("RELOADING=1, then READY=1") {
      let all = notify.received()
      guard let begin = all.range(of: "RELOADING=1\nMONOTONIC_USEC=") else { return false }
      let after = all[begin.upperBound...]
      return after.contains("READY=1") && after.contains("invalid configuration, previous settings in effect")
    }
  }
}
