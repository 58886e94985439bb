import CSystemd
import Glibc
import Synchronization
import SystemBus
import SystemSupport

/// The conversation with systemd-logind. `run` is for one thread, `stop` for any.
final class LoginBus: Sendable {
  /// The pause after a connection that failed. While there is no bus at all, inotify(7) tells when it comes.
  private static let pause: Int32 = 30_000  // milliseconds
  /// A bus that has not answered by then counts as missing; it is taken when it comes all the same.
  private static let patience: Duration = .seconds(1)

  private let address: String
  private let uid: UInt32
  private let stopped: (read: Int32, write: Int32)
  private let isStopped = Atomic(false)

  /// The system bus of this machine, or of `DBUS_SYSTEM_BUS_ADDRESS`. nil, with `errno`, where there are no descriptors left.
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

  /// Makes `run` return, now or from now on.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    write(stopped.write, "x", 1)
  }

  /// Tells what logind tells, over every loss of the bus, until `stop`. Blocks.
  func run(_ tell: (LoginEvent) -> Void) {
    while !isStopped.load(ordering: .relaxed) {
      do {
        try converse(BusConnection(system: address), tell)
      } catch {
        // A sleep that was announced on a connection that is gone will not be called off any more.
        tell(.wokeUp)
        tell(.missing(errorDescription(error.errno)))
        var polled = pollfd(fd: stopped.read, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, Self.pause)
      }
    }
  }

  /// Returns after `stop`.
  private func converse(_ bus: consuming BusConnection, _ tell: (LoginEvent) -> Void) throws(BusConnection.Failure) {
    var talk: LoginTalk?
    let begun = ContinuousClock.now
    var isPatient = true
    while true {
      while let message = try bus.next() { talk?.take(message, on: bus, tell) }
      if talk == nil, bus.isReady {
        talk = try LoginTalk(on: bus, uid: uid, tell)
        continue
      }
      if talk == nil, isPatient, begun.duration(to: .now) >= Self.patience {
        isPatient = false
        tell(.missing("the system bus does not answer"))
      }
      // A tenth of the patience: its end need not be hit.
      if try bus.wait(or: stopped.read, limit: talk == nil && isPatient ? 100 : -1) { return }
    }
  }
}

/// What is known of logind on one connection. For the thread of the connection.
struct LoginTalk {
  private static let service = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"
  private static let manager = BusConnection.Interface(service, root, service + ".Manager")

  private let uid: UInt32
  /// logind's own name on the bus: only its signals count, for everybody can send us some.
  private var owner: String?
  private var delay: SleepDelay?

  /// Subscribes, and tells how things are.
  init(on bus: borrowing BusConnection, uid: UInt32, _ tell: (LoginEvent) -> Void) throws(BusConnection.Failure) {
    self.uid = uid
    // The rules come first: what changes while the sessions are read is told afterwards.
    try bus.subscribe("type='signal',sender='\(Self.service)',interface='\(Self.service).Manager',path='\(Self.root)'")
    try bus.subscribe("type='signal',sender='\(Self.service)',path_namespace='\(Self.root)/session'")
    try bus.subscribe(
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'")
    owner = try? bus.call(.bus, "GetNameOwner") { $0.append(Self.service) }.text()
    begin(bus, tell)
  }

  /// A message that came.
  mutating func take(_ message: borrowing BusMessage, on bus: borrowing BusConnection, _ tell: (LoginEvent) -> Void) {
    if message.sender == "org.freedesktop.DBus", message.member == "NameOwnerChanged" {
      _ = message.text()
      _ = message.text()
      return ownerChanged(message.text() ?? "", bus, tell)
    }
    guard let owner, message.sender == owner, let path = message.path else { return }
    switch message.member {
    case "PrepareForSleep": sleepChanged(message.truth() ?? false, bus, tell)
    case "Lock": tell(.asked(session: path, isLocked: true))
    case "Unlock": tell(.asked(session: path, isLocked: false))
    case "SessionNew", "SessionRemoved", "PropertiesChanged": tellSessions(bus, tell)
    default: break
    }
  }

  /// logind went, or came again.
  private mutating func ownerChanged(_ new: String, _ bus: borrowing BusConnection, _ tell: (LoginEvent) -> Void) {
    owner = new.isEmpty ? nil : new
    delay = nil
    tell(.wokeUp)
    begin(bus, tell)
  }

  private mutating func sleepChanged(_ begins: Bool, _ bus: borrowing BusConnection, _ tell: (LoginEvent) -> Void) {
    if begins {
      tell(.goesToSleep(delay))
      // Whoever was told holds it now.
      delay = nil
    } else {
      tell(.wokeUp)
      delay = Self.delay(bus)
    }
  }

  private mutating func begin(_ bus: borrowing BusConnection, _ tell: (LoginEvent) -> Void) {
    guard owner != nil else { return tell(.missing("logind does not run")) }
    delay = Self.delay(bus)
    tellSessions(bus, tell)
  }

  /// nil where logind gives none: a sleep is under way, or its policy is against it.
  private static func delay(_ bus: borrowing BusConnection) -> SleepDelay? {
    let reply = try? bus.call(manager, "Inhibit") { message in
      for text in ["sleep", "Ritual Agent", "finishes token refreshes that were sent", "delay"] { message.append(text) }
    }
    return reply?.descriptor().map(SleepDelay.init)
  }

  /// All of them are read anew: they are few, and change seldom.
  private func tellSessions(_ bus: borrowing BusConnection, _ tell: (LoginEvent) -> Void) {
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

  /// nil where it is gone again, or is none that a person works in (a greeter, a cron job, the user's manager).
  private func session(_ path: String, _ bus: borrowing BusConnection) -> LoginSession? {
    func property(_ name: String, _ type: String) -> BusMessage? {
      try? bus.property(BusConnection.Interface(Self.service, path, Self.service + ".Session"), name, type)
    }
    guard property("Class", "s")?.text() == "user", let type = property("Type", "s")?.text(),
      let isLocked = property("LockedHint", "b")?.truth()
    else { return nil }
    return LoginSession(
      path: path, isGraphical: ["x11", "wayland", "mir"].contains(type), isHintedLocked: isLocked)
  }
}

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
