import SystemBus
import SystemSupport

/// What is known of logind on one connection. For the thread of the connection.
struct LoginTalk {
  private static let service = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"

  private let uid: UInt32
  /// logind's own name on the bus: only its signals count, for everybody can send us some.
  private var owner: String?
  private var delay: SleepDelay?

  /// Subscribes, and tells how things are.
  init(on bus: borrowing SystemBus, uid: UInt32, _ tell: (LoginEvent) -> Void) throws(SystemBus.Failure) {
    self.uid = uid
    // The rules come first: what changes while the sessions are read is told afterwards.
    try bus.subscribe("type='signal',sender='\(Self.service)',interface='\(Self.service).Manager',path='\(Self.root)'")
    try bus.subscribe("type='signal',sender='\(Self.service)',path_namespace='\(Self.root)/session'")
    try bus.subscribe(
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'")
    let name = "org.freedesktop.DBus"
    owner = try? bus.call(name, "/org/freedesktop/DBus", name, "GetNameOwner", [Self.service]).text()
    begin(bus, tell)
  }

  /// A message that came.
  mutating func take(_ message: borrowing BusMessage, on bus: borrowing SystemBus, _ tell: (LoginEvent) -> Void) {
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
  private mutating func ownerChanged(_ new: String, _ bus: borrowing SystemBus, _ tell: (LoginEvent) -> Void) {
    owner = new.isEmpty ? nil : new
    delay = nil
    tell(.wokeUp)
    begin(bus, tell)
  }

  private mutating func sleepChanged(_ begins: Bool, _ bus: borrowing SystemBus, _ tell: (LoginEvent) -> Void) {
    if begins {
      tell(.goesToSleep(delay))
      // Whoever was told holds it now.
      delay = nil
    } else {
      tell(.wokeUp)
      delay = Self.delay(bus)
    }
  }

  private mutating func begin(_ bus: borrowing SystemBus, _ tell: (LoginEvent) -> Void) {
    guard owner != nil else { return tell(.missing("logind does not run")) }
    delay = Self.delay(bus)
    tellSessions(bus, tell)
  }

  /// nil where logind gives none: a sleep is under way, or its policy is against it.
  private static func delay(_ bus: borrowing SystemBus) -> SleepDelay? {
    let reply = try? bus.call(
      service, root, service + ".Manager", "Inhibit",
      ["sleep", "Ritual Agent", "finishes token refreshes that were sent", "delay"])
    return reply?.descriptor().map(SleepDelay.init)
  }

  /// All of them are read anew: they are few, and change seldom.
  private func tellSessions(_ bus: borrowing SystemBus, _ tell: (LoginEvent) -> Void) {
    guard let reply = try? bus.call(Self.service, Self.root, Self.service + ".Manager", "ListSessions") else { return }
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
  private func session(_ path: String, _ bus: borrowing SystemBus) -> LoginSession? {
    func property(_ name: String, _ type: String) -> BusMessage? {
      try? bus.property(Self.service, path, Self.service + ".Session", name, type)
    }
    guard property("Class", "s")?.text() == "user", let type = property("Type", "s")?.text(),
      let isLocked = property("LockedHint", "b")?.truth()
    else { return nil }
    return LoginSession(
      path: path, isGraphical: ["x11", "wayland", "mir"].contains(type), isHintedLocked: isLocked)
  }
}
