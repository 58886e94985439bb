import SystemSupport

/// Whether the user's desktop is locked, as far as logind knows. Pure.
///
/// A session is locked from the moment that its locker is asked to lock it, or its desktop says that it is (`LockedHint`), and
/// until the desktop says that it is not, or the locker is asked to unlock it. Not every desktop says something, not every
/// locker is asked: whichever comes last counts. Graphical sessions count; where the user has none, all of them. The desktop
/// is locked when every session that counts is: where one is open, the person is there.
struct DesktopSessions: Sendable {
  private struct State: Sendable {
    var session: LoginSession
    var isLocked: Bool
  }

  private var states: [String: State] = [:]

  /// Nil where nobody is logged in: a session's end is no unlock, and a machine where nobody ever was is not locked.
  var isLocked: Bool? {
    let graphical = states.values.filter(\.session.isGraphical)
    let counting = graphical.isEmpty ? Array(states.values) : graphical
    return counting.isEmpty ? nil : counting.allSatisfy(\.isLocked)
  }

  /// The sessions as they are now.
  mutating func update(_ sessions: [LoginSession]) {
    let before = states
    states = [:]
    for session in sessions {
      var isLocked = session.isHintedLocked
      if let known = before[session.path], known.session.isHintedLocked == session.isHintedLocked {
        isLocked = known.isLocked
      }
      states[session.path] = State(session: session, isLocked: isLocked)
    }
  }

  /// A locker was asked. Sessions of others are not known here.
  mutating func ask(_ path: String, isLocked: Bool) { states[path]?.isLocked = isLocked }
}
