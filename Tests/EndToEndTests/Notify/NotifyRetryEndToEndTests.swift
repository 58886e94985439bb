import Foundation
import TestKit
import Testing

/// A notification service that does not show what it is asked to show.
@Suite(.serialized, .timeLimit(.minutes(2))) struct NotifyRetryEndToEndTests {
  /// The error of several desktops for too many notifications.
  private static let refusal =
    "raise dbus.exceptions.DBusException('no', name='org.freedesktop.Notifications.Error.ExcessNotificationGeneration')"
  private static let number = "ret = self.next_id\nself.next_id += 1"

  @Test("retries a refused notification with growing pauses, and handles its button once it is shown")
  func asksAgain() async throws {
    try await withDesktop { desktop in
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
  }

  @Test("a refused notification that is no longer needed is not retried")
  func sleepsWhenNothingIsLeft() async throws {
    try await withDesktop { desktop in
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
  }

  @Test("retries a notification that was not answered in time")
  func asksAgainAfterSilence() async throws {
    try await withDesktop { desktop in
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
  }

  @Test("a notification that is always refused does not hold back others")
  func isFair() async throws {
    try await withDesktop { desktop in
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
}
