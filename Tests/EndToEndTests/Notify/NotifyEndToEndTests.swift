import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// ritual-notify on a private session bus.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NotifyEndToEndTests {
  @Test(
    "an ended session is reported once for each account and day; the button starts a sign-in in a separate unit")
  func signInNeeded() async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.signIn("--account", "work")
      try await desktop.startService()
      try await desktop.startNotify()
      try await home.loseSession("work")
      let first = try await desktop.waitForNotifications(1)
      #expect(first[0].contains("Sign-in needed") && first[0].contains("account work"), "\(first)")
      #expect(first[0].contains("\"sign-in\", \"Sign in\"") || first[0].contains("'sign-in'"), "\(first)")
      try await desktop.press(1, "sign-in")
      try await eventually("the sign-in is started") { home.ran.contains("--account=work") }
      let ran = home.ran
      #expect(ran.prefix(3) == ["--user", "--collect", "--quiet"])
      #expect(ran.contains("--setenv=DISPLAY"))
      let command = ran.drop { $0 != "--" }
      #expect(Array(command) == ["--", Programs.path("ritualctl"), "sign-in", "--account=work"])
      // A restart does not repeat the notification; another account has its own.
      await desktop.stopNotify()
      try await home.signIn("--account", "home")
      try await desktop.startNotify()
      try await home.loseSession("home")
      let second = try await desktop.waitForNotifications(2)
      #expect(second.count == 2 && second[1].contains("account home"), "\(second)")
    }
  }

  @Test("a new sign-in closes the notification")
  func closes() async throws {
    try await withDesktop { desktop in
      try await desktop.home.signIn()
      try await desktop.startService()
      try await desktop.startNotify()
      try await desktop.home.loseSession("default")
      _ = try await desktop.waitForNotifications(1)
      try await desktop.home.signIn()
      try await eventually("it is closed") { await desktop.closed.count == 1 }
    }
  }

  @Test("a forged button press has no effect, broadcast or sent to ritual-notify alone; the service's own has")
  func forged() async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.signIn()
      try await home.addRule("action = \"ask\"")
      try await desktop.startService()
      try await desktop.startNotify()
      #expect(try await home.ctl("token").status == 6)
      _ = try await desktop.waitForNotifications(1)
      let pid = try #require(await desktop.notifyPID)
      let name = try #require(try await desktop.notifyName(pid))
      try await desktop.forge(1, "allow")
      try await desktop.forge(1, "allow", to: name)
      // The bus keeps the order, so this signal is read after the forged ones.
      try await desktop.press(1, "deny")
      try await eventually("the answer is there") {
        try await !home.ctl("approvals", "--json").stdout.contains("\"pending\"")
      }
      #expect(try await home.ctl("approvals", "--json").stdout.contains("\"denied\""), "the forged yes came first")
    }
  }

  @Test("approvals: shown on an event, answered by a button, and closed when answered elsewhere")
  func approvals() async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.signIn()
      try await home.addRule("action = \"ask\"")
      // One approval is pending before the service and ritual-notify start.
      let asked = try await home.ctl("token", "--json")
      #expect(asked.status == 6)
      try await desktop.startService()
      try await desktop.startNotify()
      let first = try await desktop.waitForNotifications(1)
      #expect(first[0].contains("Access request for default") && first[0].contains("ritualctl"), "\(first)")
      try await desktop.press(1, "allow")
      try await eventually("it is allowed") { try await home.ctl("token").status == 0 }
      let id = try #require(try await home.ctl("approvals", "--json").stdout.firstMatch(of: /"id":"([0-9a-f]+)"/)).1
      #expect(try await home.ctl("approvals", "revoke", String(id)).status == 0)
      #expect(try await home.ctl("token").status == 6)
      _ = try await desktop.waitForNotifications(2)
      let next = try #require(try await home.ctl("approvals", "--json").stdout.firstMatch(of: /"id":"([0-9a-f]+)"/)).1
      let denied = try await home.ctl("approvals", "deny", String(next))
      // The asker is ritualctl, without a unit or in the test's unit: either may be refused the
      // answer.
      if denied.status == 0 { try await eventually("it is closed") { await desktop.closed.count == 2 } }
    }
  }

  @Test(
    "foreign text is escaped if the desktop reads markup, and plain otherwise", arguments: [true, false])
  func markup(reads: Bool) async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.signIn()
      try await home.addRule("action = \"ask\"")
      let program = home.folder.path + "/<b>a&tool"
      let copied = try await RunningProgram(
        "/bin/cp", [Programs.path("ritualctl"), program], environment: home.environment, folder: home.folder
      ).end()
      #expect(copied.status == 0)
      try await desktop.startService(capabilities: reads ? "actions body body-markup" : "body")
      try await desktop.startNotify()
      let asked = try await RunningProgram(program, ["token"], environment: home.environment, folder: home.folder).end()
      #expect(asked.status == 6)
      let line = try await desktop.waitForNotifications(1)[0]
      #expect(line.contains("&lt;b&gt;a&amp;tool") == reads, "\(line)")
      #expect(line.contains("<b>a&tool") == !reads, "\(line)")
      #expect(line.contains("Allow") == reads, "no buttons where there is no action: \(line)")
    }
  }

  @Test("exits without a bus; without a service, waits quietly and shows pending notifications when one starts")
  func withoutDesktop() async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      var environment = home.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
      let alone = try await RunningProgram(
        Programs.path("ritual-notify"), [], environment: environment, folder: home.folder
      ).end()
      #expect(alone.status == 0, "\(alone.stderr)")
      try await home.signIn()
      try await desktop.startNotify()
      try await home.loseSession("default")
      try await eventually("it says that it cannot") {
        await desktop.notifyLog.contains("cannot show a notification")
      }
      let pid = try #require(await desktop.notifyPID)
      let before = try ticks(of: pid)
      await home.stopAgent()
      try await home.startAgent()
      try await desktop.startService()
      let shown = try await desktop.waitForNotifications(1)
      #expect(shown.count == 1)
      #expect(try ticks(of: pid) - before < 50, "less than half a second of work")
    }
  }

  @Test("exits with the bus")
  func endsWithBus() async throws {
    try await withDesktop { desktop in
      try await desktop.startService()
      try await desktop.startNotify()
      try await desktop.home.signIn()
      try await desktop.home.loseSession("default")
      _ = try await desktop.waitForNotifications(1)
      await desktop.endBus()
      #expect(try await desktop.notifyEnds()?.status == 0)
    }
  }

  /// Processor time of a process in clock ticks (proc_pid_stat(5), fields 14 and 15).
  private func ticks(of pid: Int32) throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = stat.drop { $0 != ")" }.split(separator: " ")
    return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
  }
}
