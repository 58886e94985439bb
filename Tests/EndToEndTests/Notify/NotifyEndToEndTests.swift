import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.desktop, .serialized, .timeLimit(.minutes(5))) struct NotifyEndToEndTests {
  @Test(
    "SL-1: an ended session is reported with its reason, once for each account and day; the button starts a sign-in in a separate unit"
  )
  func signInNeeded() async throws {
    let home = desktop.home
    try await home.signIn("--account", "work")
    try await desktop.startService()
    try await desktop.startNotify()
    try await home.loseSession("work")
    let first = try await desktop.waitForNotifications(1)
    #expect(first[0].contains("Sign-in needed") && first[0].contains("account work"), "\(first)")
    #expect(first[0].contains("ended elsewhere, by a sign-out, a password change or a second factor"), "\(first)")
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

  @Test("a new sign-in closes the notification; the end of the bus ends the program")
  func closes() async throws {
    try await desktop.home.signIn()
    try await desktop.startService()
    try await desktop.startNotify()
    try await desktop.home.loseSession("default")
    _ = try await desktop.waitForNotifications(1)
    try await desktop.home.signIn()
    try await eventually("it is closed") { await desktop.closed.count == 1 }
    await desktop.endBus()
    #expect(try await desktop.notifyEnds()?.status == 0)
  }

  @Test("a forged button press has no effect, broadcast or sent to ritual-notify alone; the service's own has")
  func forged() async throws {
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

  @Test("approvals: shown on an event, answered by a button, and closed when answered elsewhere")
  func approvals() async throws {
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

  @Test("RC-9: a request is asked about by program, method and path; the buttons are once, 15 minutes and deny")
  func requestApproval() async throws {
    let home = desktop.home
    try await home.signIn()
    try await home.addRule("action = \"ask\"\nmethods = [\"POST\"]\npaths = [\"/rest/v1/todos\"]")
    try await desktop.startService()
    try await desktop.startNotify()
    func post() async throws -> RawAnswer {
      try await RawClient(home.egress).answer(
        to: "POST /rest/v1/todos?select=secret HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
    }
    #expect(try await post().status == 403)
    let first = try await desktop.waitForNotifications(1)[0]
    #expect(first.contains("wants to send POST /rest/v1/todos with this account") && !first.contains("secret"))
    for word in ["Allow once", "Allow for 15 minutes", "Deny"] { #expect(first.contains(word), "\(first)") }
    try await desktop.press(1, "once")
    try await eventually("it is allowed once") { try await post().status != 403 }
    #expect(try await post().status == 403)
    _ = try await desktop.waitForNotifications(2)
    try await desktop.press(2, "minutes")
    try await eventually("it is allowed") { try await post().status != 403 }
    #expect(try await post().status != 403)
  }

  @Test(
    "foreign text is escaped if the desktop reads markup, and plain otherwise", arguments: [true, false])
  func markup(reads: Bool) async throws {
    let home = desktop.home
    try await home.signIn()
    try await home.addRule("action = \"ask\"")
    let program = home.folder.path + "/<b>a&tool"
    try await home.copyProgram("ritualctl", to: program)
    try await desktop.startService(capabilities: reads ? "actions body body-markup" : "body")
    try await desktop.startNotify()
    let asked = try await home.run(program, ["token"])
    #expect(asked.status == 6)
    let line = try await desktop.waitForNotifications(1)[0]
    #expect(line.contains("&lt;b&gt;a&amp;tool") == reads, "\(line)")
    #expect(line.contains("<b>a&tool") == !reads, "\(line)")
    #expect(line.contains("Allow") == reads, "no buttons where there is no action: \(line)")
  }

  @Test("exits without a bus; without a service, waits quietly and shows pending notifications when one starts")
  func withoutDesktop() async throws {
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
    let notify = ProcessFigures(pid: try #require(await desktop.notifyPID))
    let before = try notify.processorTime()
    await home.stopAgent()
    try await home.startAgent()
    try await desktop.startService()
    let shown = try await desktop.waitForNotifications(1)
    #expect(shown.count == 1)
    #expect(try notify.processorTime() - before < 0.5)
  }
}

@Suite(.desktop, .serialized, .timeLimit(.minutes(2))) struct NotifyEndingEndToEndTests {
  /// Signs in with sessions of three days, and starts ritual-notify two days later.
  private func startNotifyADayBeforeTheEnd() async throws {
    try await desktop.home.reconfigure {
      $0 = $0.replacing("[projects.default]\n", with: "[projects.default]\nsession_limit = 259200\n")
    }
    try await desktop.home.signIn("--account", "work")
    try await desktop.startService()
    try await desktop.startNotify(after: 49 * 3600)
  }

  @Test(
    "SL-2: a reminder a day and an hour before the end of a session, each once, also across restarts",
    .disabled(if: Sanitizer.isOn, "a sanitizer reads the clock before faketime is ready"))
  func reminds() async throws {
    let home = desktop.home
    try await startNotifyADayBeforeTheEnd()
    let first = try await desktop.waitForNotifications(1)
    #expect(first[0].contains("Session ends soon") && first[0].contains("account work"), "\(first)")
    #expect(!first[0].contains("about"), "the limit is configured: \(first)")
    await desktop.stopNotify()
    try await desktop.startNotify(after: 71 * 3600 + 60)
    _ = try await desktop.waitForNotifications(2)
    try await desktop.press(2, "sign-in")
    try await eventually("the sign-in is started") { home.ran.contains("--account=work") }
    await desktop.stopNotify()
    // Nothing is due: the next notification is that of the end.
    try await desktop.startNotify(after: 71 * 3600 + 120)
    try await home.loseSession("work")
    let all = try await desktop.waitForNotifications(3)
    #expect(all.filter { $0.contains("Session ends soon") }.count == 2, "\(all)")
    #expect(all[2].contains("Sign-in needed"), "\(all)")
  }

  @Test(
    "SL-2: a restart repeats no reminder of an end, also if it is the first reminder of all",
    .disabled(if: Sanitizer.isOn, "a sanitizer reads the clock before faketime is ready"))
  func repeatsNoReminder() async throws {
    let home = desktop.home
    try await startNotifyADayBeforeTheEnd()
    _ = try await desktop.waitForNotifications(1)
    try await eventually("the reminder is recorded") {
      let text = try? String(contentsOfFile: home.folder.path + "/state/ritual-notify/reminded", encoding: .utf8)
      return text?.contains("work ") == true
    }
    await desktop.stopNotify()
    // Nothing is due: the next notification is that of the end.
    try await desktop.startNotify(after: 49 * 3600 + 60)
    try await home.loseSession("work")
    let all = try await desktop.waitForNotifications(2)
    #expect(all[1].contains("Sign-in needed"), "\(all)")
  }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct NotifyFactorEndToEndTests {
  private static let token = ["token", "--assurance", "aal2"]

  /// Runs `body` while ritual-notify is subscribed to the agent, which shows by its first
  /// notification. The account `work` has an authenticator app.
  private static func withFactor(_ body: (Desktop) async throws -> Void) async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.signIn("--account", "other")
      try await desktop.startService()
      try await desktop.startNotify()
      try await home.loseSession("other")
      _ = try await desktop.waitForNotifications(1)
      _ = try home.sandbox.addFactor(to: TestHome.email, name: "Pixel")
      try await home.signIn("--account", "work")
      try await body(desktop)
    }
  }

  private static func ask(_ home: TestHome) async throws {
    let refused = try await home.detached(token + ["--account", "work"])
    #expect(refused.status == 8, "\(refused)")
  }

  @Test("a program that needs the second factor is named once in 10 minutes; the button asks for the code")
  func namesTheProgram() async throws {
    try await Self.withFactor { desktop in
      let home = desktop.home
      try await Self.ask(home)
      let shown = try await desktop.waitForNotifications(2)
      #expect(shown[1].contains("Second factor needed for work"), "\(shown)")
      #expect(shown[1].contains("ritualctl needs the second factor"), "the program: \(shown)")
      #expect(shown[1].contains("(ritualctl token)"), "its reason: \(shown)")
      try await Self.ask(home)
      try await desktop.press(2, "enter-code")
      try await eventually("the page is opened") { home.ran.contains("--account=work") }
      let command = home.ran.drop { $0 != "--" }
      #expect(Array(command) == ["--", Programs.path("ritualctl"), "mfa", "verify", "--browser", "--account=work"])
      // The second request showed nothing: the next notification is about another matter.
      try await home.loseSession("work")
      let all = try await desktop.waitForNotifications(3)
      #expect(all[2].contains("Sign-in needed"), "\(all)")
    }
  }

  @Test("a verification closes the notification")
  func closes() async throws {
    try await Self.withFactor { desktop in
      let home = desktop.home
      try await Self.ask(home)
      _ = try await desktop.waitForNotifications(2)
      let factor = try #require(home.sandbox.factors.first)
      let code = try #require(home.sandbox.totpCode(of: factor.id))
      let verified = try await home.ctl("mfa", "verify", "--account", "work", "--code-stdin", input: code + "\n")
      #expect(verified.status == 0, "\(verified)")
      // The sign-in to `work` closed none: `other` still needs one.
      try await eventually("it is closed") { await desktop.closed.count == 1 }
    }
  }
}

/// A notification service that does not show what it is asked to show.
@Suite(.desktop, .serialized, .timeLimit(.minutes(2))) struct NotifyRetryEndToEndTests {
  /// The error of several desktops for too many notifications.
  private static let refusal =
    "raise dbus.exceptions.DBusException('no', name='org.freedesktop.Notifications.Error.ExcessNotificationGeneration')"
  private static let number = "ret = self.next_id\nself.next_id += 1"

  @Test("retries a refused notification with growing pauses, and handles its button once it is shown")
  func asksAgain() async throws {
    let home = desktop.home
    try await home.signIn("--account", "work")
    try await desktop.startService()
    try await desktop.answerNotify(by: Self.refusal)
    try await desktop.startNotify()
    try await home.loseSession("work")
    let calls = try await desktop.waitForNotifications(3)
    let times = calls.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    try #require(times.count >= 3)
    #expect(times[1] - times[0] > 1.5 && times[2] - times[1] > 3.5, "\(calls)")
    try await desktop.answerNotify(by: Self.number)
    _ = try await desktop.waitForNotifications(4)
    try await desktop.press(1, "sign-in")
    try await eventually("the sign-in is started") { home.ran.contains("--account=work") }
    let log = await desktop.notifyLog
    #expect(log.matches(of: /cannot show a notification/).count == 1, "said once: \(log)")
    #expect(await desktop.notifications.count == 4, "what is shown is not shown again")
  }

  @Test("a refused notification that is no longer needed is not retried")
  func sleepsWhenNothingIsLeft() async throws {
    let home = desktop.home
    try await home.signIn("--account", "work")
    try await desktop.startService()
    try await desktop.answerNotify(by: Self.refusal)
    try await desktop.startNotify()
    try await home.loseSession("work")
    _ = try await desktop.waitForNotifications(1)
    try await home.signIn("--account", "work")
    // On a busy machine, a retry may have come before this point.
    let shown = await desktop.notifications.count
    let notify = ProcessFigures(pid: try #require(await desktop.notifyPID))
    let (begun, before) = (ContinuousClock.now, try notify.waits())
    try await eventually("past the time of the next try") { ContinuousClock.now - begun > .seconds(4) }
    #expect(try notify.waits() - before < 200)
    #expect(await desktop.notifications.count == shown)
  }

  @Test("retries a notification that was not answered in time")
  func asksAgainAfterSilence() async throws {
    let home = desktop.home
    try await home.signIn("--account", "work")
    try await desktop.startService()
    try await desktop.startNotify()
    await desktop.hangService(true)
    try await home.loseSession("work")
    try await eventually("it says that it cannot") {
      await desktop.notifyLog.contains("cannot show a notification")
    }
    #expect(await desktop.notifications.isEmpty)
    await desktop.hangService(false)
    let shown = try await desktop.waitForNotifications(1)
    #expect(shown[0].contains("account work"), "\(shown)")
  }

  @Test("a notification that is always refused does not hold back others")
  func isFair() async throws {
    let home = desktop.home
    try await home.signIn("--account", "a")
    try await home.signIn("--account", "b")
    try await desktop.startService()
    try await desktop.answerNotify(by: "if 'account a ' in args[4]: \(Self.refusal)\n\(Self.number)")
    try await home.loseSession("a")
    try await home.loseSession("b")
    try await desktop.startNotify()
    try await eventually("the other one is shown") {
      await desktop.notifications.contains { $0.contains("account b ") }
    }
    #expect(await desktop.notifications[0].contains("account a "))
  }
}
