import Testing

@testable import AgentCore

@Suite struct DesktopSessionsTests {
  private func session(_ path: String, graphical: Bool = true, hint: Bool = false) -> LoginSession {
    LoginSession(path: path, isGraphical: graphical, isHintedLocked: hint)
  }

  @Test("without a session the state is unknown")
  func knowsNothing() {
    var sessions = DesktopSessions()
    #expect(sessions.isLocked == nil)
    sessions.update([])
    #expect(sessions.isLocked == nil)
  }

  @Test("a desktop that only sets the hint, as GNOME at Super+L")
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

  @Test("a screen locker that only gets the request, as swaylock")
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

  @Test("a lock request, then the hint, then an unlock by the desktop")
  func followsBoth() {
    var sessions = DesktopSessions()
    sessions.update([session("/1")])
    sessions.ask("/1", isLocked: true)
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
    sessions.update([session("/1")])
    #expect(sessions.isLocked == false)
  }

  @Test("a session that is locked at the start is detected")
  func startsLocked() {
    var sessions = DesktopSessions()
    sessions.update([session("/1", hint: true)])
    #expect(sessions.isLocked == true)
  }

  @Test("several desktops are locked when all of them are; a shell beside them does not count")
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

  @Test("without a desktop, loginctl lock-session locks shells; another user's session is ignored")
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
