import Testing

@testable import AgentCore

/// When a user's desktop is locked.
@Suite struct DesktopSessionsTests {
  private func session(_ path: String, graphical: Bool = true, hint: Bool = false) -> LoginSession {
    LoginSession(path: path, isGraphical: graphical, isHintedLocked: hint)
  }

  @Test("nobody is logged in: nothing is known")
  func knowsNothing() {
    var sessions = DesktopSessions()
    #expect(sessions.isLocked == nil)
    sessions.update([])
    #expect(sessions.isLocked == nil)
  }

  @Test("a desktop that only says it, as GNOME at Super+L")
  func followsTheHint() {
    var sessions = DesktopSessions()
    sessions.update([session("/1")])
    #expect(sessions.isLocked == false)
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
    sessions.update([session("/1")])
    #expect(sessions.isLocked == false)
  }

  @Test("a locker that is only asked, as swaylock")
  func followsTheRequest() {
    var sessions = DesktopSessions()
    sessions.update([session("/1")])
    sessions.ask("/1", isLocked: true)
    #expect(sessions.isLocked == true)
    sessions.update([session("/1")])
    #expect(sessions.isLocked == true, "the hint was false before and says nothing new")
    sessions.ask("/1", isLocked: false)
    #expect(sessions.isLocked == false)
  }

  @Test("asked first, said later, and unlocked by the desktop")
  func followsBoth() {
    var sessions = DesktopSessions()
    sessions.update([session("/1")])
    sessions.ask("/1", isLocked: true)
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
    sessions.update([session("/1")])
    #expect(sessions.isLocked == false)
  }

  @Test("a locked session is found at the start")
  func startsLocked() {
    var sessions = DesktopSessions()
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
  }

  @Test("several desktops: locked when all of them are; a shell beside them does not count")
  func countsDesktops() {
    var sessions = DesktopSessions()
    sessions.update([session("/1"), session("/2"), session("/ssh", graphical: false)])
    sessions.ask("/1", isLocked: true)
    #expect(sessions.isLocked == false)
    sessions.ask("/2", isLocked: true)
    #expect(sessions.isLocked == true)
    sessions.update([session("/1"), session("/2"), session("/3"), session("/ssh", graphical: false)])
    #expect(sessions.isLocked == false, "a new one is open")
  }

  @Test("shells alone: loginctl lock-session locks them as well; another user's session is none of ours")
  func countsShells() {
    var sessions = DesktopSessions()
    sessions.update([session("/ssh", graphical: false)])
    sessions.ask("/other", isLocked: true)
    #expect(sessions.isLocked == false)
    sessions.ask("/ssh", isLocked: true)
    #expect(sessions.isLocked == true)
    sessions.update([])
    #expect(sessions.isLocked == nil, "its end is no unlock")
  }
}
