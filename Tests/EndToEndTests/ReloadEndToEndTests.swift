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

  @Test("--check-config reports what a reload reports")
  func agrees() async throws {
    var added = ""
    for (text, status) in [
      ("", 0), ("[sing_in]\n", 1), ("[sign_in]\ntimeout = \"60\"\n", 1),
      ("[projects.x]\nurl = \"https://x.co\"\n", 1), ("x = \n", 1), ("[sign_in]\ntimeout = 301\n", 1),
      ("[linking]\npolicy = \"confirm\"\n", 0), ("[vault]\nlock_with_session = 1\n", 1),
    ] as [(String, Int32)] {
      try home.editConfiguration { $0 = String($0.dropLast(added.count)) + "\n" + text }
      added = "\n" + text
      let (check, reload) = (try await Self.check(home), try await home.ctl("reload"))
      #expect(check.status == status && reload.status == status, "\(text): \(check) \(reload)")
      guard status != 0 else { continue }
      // Both messages are equal, except for the program's name and the next step. A log line may
      // come first if a sanitizer replaces free(3).
      let prefix = "ritual-agentd: "
      let line = try #require(check.stderr.split(separator: "\n").first { $0.hasPrefix(prefix) })
      let shown = line.dropFirst(prefix.count)
      #expect(shown.contains("config.toml:"))
      #expect(reload.stderr.hasPrefix("ritualctl: \(shown)\n"), "\(reload.stderr)\(check.stderr)")
    }
  }
}
