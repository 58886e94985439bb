import Glibc
import Synchronization
import SystemSupport

/// What systemd-logind tells (org.freedesktop.login1(5)).
enum LoginEvent: Sendable {
  /// The user's sessions as they are now.
  case sessions([LoginSession])
  /// Somebody asked this session's locker to lock or to unlock it (`loginctl lock-session`, a suspend).
  case asked(session: String, isLocked: Bool)
  /// The machine sleeps as soon as the delay is let go of, or in 5 s; nil where logind gave us none.
  case goesToSleep(SleepDelay?)
  /// The machine is awake, or does not sleep after all.
  case wokeUp
  /// There is no system bus, or no logind on it, and why.
  case missing(String)
}

/// One of the user's sessions.
struct LoginSession: Sendable, Equatable {
  /// Its object's path on the bus.
  let path: String
  /// Whether it has a desktop that could be locked: x11, wayland or mir.
  let isGraphical: Bool
  /// `LockedHint`: what its desktop says.
  let isHintedLocked: Bool
}

/// A delay inhibitor: logind waits with the sleep while it is there, for a while.
final class SleepDelay: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Owns the descriptor.
  init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  deinit { letGo() }

  /// The machine may sleep, as far as we are concerned.
  func letGo() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }
}
