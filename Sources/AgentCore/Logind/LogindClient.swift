import CSystemd
import Glibc
import Synchronization
import SystemBus
import SystemSupport

/// A client of systemd-logind. `run` must be called from one thread; `stop` is thread-safe.
final class LogindClient: Sendable {
  /// Pause after a failed connection. While there is no bus at all, inotify(7) reports when it
  /// appears.
  private static let pause: Int32 = 30_000  // milliseconds
  /// A bus that has not answered within this time is reported as missing, but is used if it answers
  /// later.
  private static let answerTimeout: Duration = .seconds(1)

  private let address: String
  private let uid: UInt32
  private let stopped: (read: Int32, write: Int32)
  private let isStopped = Atomic(false)

  /// A client of the bus at `address`, by default `DBUS_SYSTEM_BUS_ADDRESS` or the system bus of
  /// this machine. Nil, with `errno`, if no descriptors are left.
  init?(address: String? = nil, uid: UInt32 = geteuid()) {
    let set = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    self.address = address ?? set ?? "unix:path=/run/dbus/system_bus_socket"
    self.uid = uid
    var pair: [Int32] = [-1, -1]
    let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
    stopped = (pair[0], pair[1])
    guard made == 0 else { return nil }
  }

  deinit {
    close(stopped.read)
    close(stopped.write)
  }

  /// Makes `run` return, now or when it is called.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    write(stopped.write, "x", 1)
  }

  /// Reports the events of logind until `stop`, and reconnects after each loss of the bus. Blocks.
  func run(_ tell: (LogindEvent) -> Void) {
    while !isStopped.load(ordering: .relaxed) {
      do {
        try followConnection(BusConnection(system: address), tell)
      } catch {
        // A sleep that was announced on a lost connection would never be cancelled.
        tell(.wokeUp)
        tell(.missing(errorDescription(error.errno)))
        var polled = pollfd(fd: stopped.read, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, Self.pause)
      }
    }
  }

  /// Follows one connection until `stop`.
  ///
  /// - Throws: if the connection is lost.
  private func followConnection(_ bus: consuming BusConnection, _ tell: (LogindEvent) -> Void) throws(BusConnection
    .Failure)
  {
    var talk: LogindConnection?
    let begun = ContinuousClock.now
    var isPatient = true
    while true {
      while let message = try bus.next() { talk?.take(message, on: bus, tell) }
      if talk == nil, bus.isReady {
        talk = try LogindConnection(on: bus, uid: uid, tell)
        continue
      }
      if talk == nil, isPatient, begun.duration(to: .now) >= Self.answerTimeout {
        isPatient = false
        tell(.missing("the system bus does not answer"))
      }
      // 100 ms: the end of the timeout need not be exact.
      if try bus.wait(or: stopped.read, limit: talk == nil && isPatient ? 100 : -1) { return }
    }
  }
}

/// The state of logind on one connection. For the thread of the connection.
struct LogindConnection {
  private static let service = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"
  private static let manager = BusConnection.Interface(service, root, service + ".Manager")

  private let uid: UInt32
  /// logind's unique name on the bus. Only signals of that name count, because any program can send
  /// signals.
  private var owner: String?
  private var delay: SleepDelay?

  /// Subscribes to the signals, and reports the current state.
  init(on bus: borrowing BusConnection, uid: UInt32, _ tell: (LogindEvent) -> Void) throws(BusConnection.Failure) {
    self.uid = uid
    // The rules come first, so that changes while the sessions are read are reported afterwards.
    try bus.subscribe("type='signal',sender='\(Self.service)',interface='\(Self.service).Manager',path='\(Self.root)'")
    try bus.subscribe("type='signal',sender='\(Self.service)',path_namespace='\(Self.root)/session'")
    try bus.subscribe(
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'")
    owner = try? bus.call(.bus, "GetNameOwner") { $0.append(Self.service) }.text()
    begin(bus, tell)
  }

  /// Handles a received message.
  mutating func take(_ message: borrowing BusMessage, on bus: borrowing BusConnection, _ tell: (LogindEvent) -> Void) {
    if message.sender == "org.freedesktop.DBus", message.member == "NameOwnerChanged" {
      _ = message.text()
      _ = message.text()
      return ownerChanged(message.text() ?? "", bus, tell)
    }
    guard let owner, message.sender == owner, let path = message.path else { return }
    switch message.member {
    case "PrepareForSleep": sleepChanged(message.boolean() ?? false, bus, tell)
    case "Lock": tell(.asked(session: path, isLocked: true))
    case "Unlock": tell(.asked(session: path, isLocked: false))
    case "SessionNew", "SessionRemoved", "PropertiesChanged": tellSessions(bus, tell)
    default: break
    }
  }

  /// Handles the disappearance or return of logind.
  private mutating func ownerChanged(_ new: String, _ bus: borrowing BusConnection, _ tell: (LogindEvent) -> Void) {
    owner = new.isEmpty ? nil : new
    delay = nil
    tell(.wokeUp)
    begin(bus, tell)
  }

  private mutating func sleepChanged(_ begins: Bool, _ bus: borrowing BusConnection, _ tell: (LogindEvent) -> Void) {
    if begins {
      tell(.goesToSleep(delay))
      // The receiver of the event holds the delay now.
      delay = nil
    } else {
      tell(.wokeUp)
      delay = Self.delay(bus)
    }
  }

  private mutating func begin(_ bus: borrowing BusConnection, _ tell: (LogindEvent) -> Void) {
    guard owner != nil else { return tell(.missing("logind is not running")) }
    delay = Self.delay(bus)
    tellSessions(bus, tell)
  }

  /// Takes a delay inhibitor; nil if logind refuses, because a sleep is in progress or its policy
  /// denies it.
  private static func delay(_ bus: borrowing BusConnection) -> SleepDelay? {
    let reply = try? bus.call(manager, "Inhibit") { message in
      for text in ["sleep", "Ritual Agent", "Finishing token refreshes in flight", "delay"] { message.append(text) }
    }
    return reply?.descriptor().map(SleepDelay.init)
  }

  /// Reads and reports all sessions: they are few, and change seldom.
  private func tellSessions(_ bus: borrowing BusConnection, _ tell: (LogindEvent) -> Void) {
    guard let reply = try? bus.call(Self.manager, "ListSessions") else { return }
    var paths: [String] = []
    reply.eachStructure("susso") { session in
      _ = session.text()
      guard session.number() == uid else { return }
      _ = session.text()
      _ = session.text()
      if let path = session.text("o") { paths.append(path) }
    }
    var sessions: [LoginSession] = []
    for path in paths {
      if let session = session(path, bus) { sessions.append(session) }
    }
    tell(.sessions(sessions))
  }

  /// Reads one session; nil if it is gone, or is not one that a person works in (a greeter, a cron
  /// job, the user manager).
  private func session(_ path: String, _ bus: borrowing BusConnection) -> LoginSession? {
    func property(_ name: String, _ type: String) -> BusMessage? {
      try? bus.property(BusConnection.Interface(Self.service, path, Self.service + ".Session"), name, type)
    }
    guard property("Class", "s")?.text() == "user", let type = property("Type", "s")?.text(),
      let isLocked = property("LockedHint", "b")?.boolean()
    else { return nil }
    return LoginSession(
      path: path, isGraphical: ["x11", "wayland", "mir"].contains(type), isHintedLocked: isLocked)
  }
}

/// An event of systemd-logind (org.freedesktop.login1(5)).
enum LogindEvent: Sendable {
  /// The current sessions of the user.
  case sessions([LoginSession])
  /// The session's locker was asked to lock or unlock it (`loginctl lock-session`, a suspend).
  case asked(session: String, isLocked: Bool)
  /// The machine sleeps as soon as the delay is released, or in 5 s. The delay is nil if logind
  /// granted none.
  case goesToSleep(SleepDelay?)
  /// The machine is awake, or the sleep was cancelled.
  case wokeUp
  /// There is no system bus, or no logind on it, for this reason.
  case missing(String)
}

/// One of the user's sessions.
struct LoginSession: Sendable, Equatable {
  /// The object path on the bus.
  let path: String
  /// True if the session has a desktop that could be locked: x11, wayland or mir.
  let isGraphical: Bool
  /// `LockedHint`: the state that the desktop reports.
  let isHintedLocked: Bool
}

/// A delay inhibitor: logind delays the sleep while it is held, up to logind's own limit.
final class SleepDelay: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Takes ownership of the descriptor.
  init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  deinit { release() }

  /// Releases the inhibitor, so that the machine may sleep. Further calls have no effect.
  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }
}
