import Foundation
import TestKit
import Testing

/// The built agent and a logind on a private bus. script/logind-check tests the real one.
@Suite(
  .serialized, .timeLimit(.minutes(5)), .enabled(if: MockBus.isPossible, "needs dbus and python3-dbusmock"))
struct LogindEndToEndTests {
  /// Runs `body` with a test home whose agent was started before its bus.
  private func withBus(_ settings: String, _ body: (TestHome, MockBus) async throws -> Void) async throws {
    try await withTestHome { home in
      try await home.signIn()
      await home.stopAgent()
      try home.append("\n[vault]\n\(settings)\n")
      try await home.startAgent(more: ["DBUS_SYSTEM_BUS_ADDRESS": MockBus.address(in: home.folder)])
      #expect(try await home.ctl("token").status == 0, "it works without a bus")
      let bus = try await MockBus(in: home.folder)
      try await withCleanup {
        await bus.stop()
      } _: {
        try await isFollowed(bus)
        try await body(home, bus)
      }
    }
  }

  private func isFollowed(_ bus: MockBus) async throws {
    try await eventually("the agent is there") { try await bus.inhibitors().contains("Ritual Agent") }
  }

  private func eventuallyToken(_ status: Int32, _ home: TestHome, _ what: String) async throws {
    try await eventually(what) { try await home.ctl("token").status == status }
  }

  @Test("VA-4: the session's lock locks the vault, by request and by the desktop's hint; its unlock opens it")
  func locksWithTheSession() async throws {
    try await withBus("lock_with_session = true") { home, bus in
      try await bus.call("Lock", session: true)
      try await eventuallyToken(5, home, "locked")
      // Tokens are refused from the beginning of a lock; the status changes at its end.
      try await eventually("the cause") {
        try await home.ctl("vault", "status", "--json").json()["lockedBy"] as? String == "session"
      }
      try await bus.call("Unlock", session: true)
      try await eventuallyToken(0, home, "unlocked")
      try await bus.call("SetLockedHint", "b", "true", session: true)
      try await eventuallyToken(5, home, "locked by the desktop")
      try await bus.call("SetLockedHint", "b", "false", session: true)
      try await eventuallyToken(0, home, "unlocked by the desktop")
      #expect(try await home.ctl("lock").status == 0)
      try await bus.call("Lock", session: true)
      try await bus.call("Unlock", session: true)
      try await bus.call("SetLockedHint", "b", "true", session: true)
      try await bus.call("SetLockedHint", "b", "false", session: true)
      #expect(try await home.ctl("token").status == 5, "a lock by hand stays")
    }
  }

  @Test("a session that is locked at the agent's start, or when the setting is switched on, locks the vault")
  func findsALockedSession() async throws {
    try await withBus("lock_with_session = false") { home, bus in
      try await bus.call("SetLockedHint", "b", "true", session: true)
      try await bus.announceSleep(false)
      #expect(try await home.ctl("token").status == 0)
      try home.rename("lock_with_session = false", to: "lock_with_session = true")
      try await home.reload()
      try await eventuallyToken(5, home, "locked by the reload")
      await home.stopAgent()
      try await home.startAgent(more: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
      try await eventuallyToken(5, home, "locked after the start")
      try await bus.call("SetLockedHint", "b", "false", session: true)
      try await eventuallyToken(0, home, "unlocked")
    }
  }

  @Test(
    "OP-2: a sleep is delayed, released, and delayed again after the wake-up; a restarted bus is followed again")
  func delaysTheSleep() async throws {
    try await withBus("lock_with_session = true") { home, bus in
      let inhibitors = try await bus.inhibitors()
      #expect(inhibitors.contains("\"sleep\" \"Ritual Agent\""), "\(inhibitors)")
      #expect(inhibitors.contains("\"delay\""))
      try await bus.announceSleep(true)
      try await eventually("the delay is let go of") { try await !bus.inhibitors().contains("Ritual Agent") }
      try await bus.announceSleep(false)
      try await isFollowed(bus)
      await bus.stop()
      #expect(try await home.ctl("token").status == 0)
      let again = try await MockBus(in: home.folder)
      try await isFollowed(again)
      try await again.call("Lock", session: true)
      try await eventuallyToken(5, home, "locked")
      #expect(try await home.endAgent() == 0)
      let log = await home.agentLog
      #expect(!log.contains("did not stop in time"), "the last resort was not needed: \(log)")
      await again.stop()
    }
  }
}
