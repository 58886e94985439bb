import AuthSandbox
import Foundation
import TestKit
import Testing

/// Notifications about programs that need the second factor.
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
