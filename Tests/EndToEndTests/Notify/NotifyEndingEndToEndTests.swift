import Foundation
import TestKit
import Testing

/// Notifications before and after the end of a session.
@Suite(.serialized, .timeLimit(.minutes(2))) struct NotifyEndingEndToEndTests {
  @Test(
    "SL-2: a reminder a day and an hour before the end of a session, each once, also across restarts",
    .disabled(if: Sanitizer.isOn, "a sanitizer reads the clock before faketime is ready"))
  func reminds() async throws {
    try await withDesktop { desktop in
      let home = desktop.home
      try await home.reconfigure {
        $0 = $0.replacing("[projects.default]\n", with: "[projects.default]\nsession_limit = 259200\n")
      }
      try await home.signIn("--account", "work")
      try await desktop.startService()
      try await desktop.startNotify(after: 49 * 3600)
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
  }

  @Test("SL-1: the notification of an ended session tells why")
  func tellsWhy() async throws {
    try await withDesktop { desktop in
      try await desktop.home.signIn("--account", "work")
      try await desktop.startService()
      try await desktop.startNotify()
      try await desktop.home.loseSession("work")
      let shown = try await desktop.waitForNotifications(1)
      #expect(shown[0].contains("ended elsewhere, by a sign-out, a password change or a second factor"), "\(shown)")
    }
  }
}
