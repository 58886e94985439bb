import AgentProtocol
import Glibc
import SystemBus

/// A client of the desktop's notification service (Desktop Notifications Specification 1.2).
final class NotificationService {
  /// The content of a notification, as plain text that is escaped here.
  struct Notification {
    let summary: String
    let body: String
    /// The key that the service returns, and the label of the button.
    let actions: [(key: String, words: String)]
  }

  /// A notification on the screen: its number, and the bus name that issued the number. Only
  /// signals of that bus connection apply to the notification.
  struct Shown: Hashable {
    let id: UInt32
    let owner: String
  }

  /// A signal of the service.
  enum Signal {
    case action(Shown, key: String)
    /// `byPerson` is true if a person closed it.
    case closed(Shown, byPerson: Bool)
    /// The service appeared or disappeared.
    case owner(isThere: Bool)
  }

  private static let name = "org.freedesktop.Notifications"
  private static let interface = BusConnection.Interface(name, "/org/freedesktop/Notifications", name)
  /// Maximum characters of the body: some lines on a screen.
  private static let maxBodyLength = 400

  /// The reason of `NotificationClosed` for a notification that a person closed (section "Signals").
  private static let dismissed: UInt32 = 2

  private let bus: BusConnection
  /// Capabilities of the current service, read when first needed.
  private var capabilities: Set<String>?

  init(_ bus: consuming BusConnection) throws(NotifyError) {
    self.bus = bus
    // The bus filters by sender, which saves wake-ups. A signal that is addressed to this
    // connection alone arrives regardless of the filter.
    try subscribe("type='signal',sender='\(Self.name)',interface='\(Self.name)'")
    try subscribe(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
        + "arg0='\(Self.name)'")
  }

  /// Shows a notification until it is closed.
  func show(_ notification: Notification) throws(NotifyError) -> Shown {
    let capabilities = try knownCapabilities()
    let escapes = capabilities.contains("body-markup")
    let body = ForeignText.shown(notification.body, limit: Self.maxBodyLength)
    let reply = try call("Notify") { message in
      message.append("Ritual Agent")
      message.append(UInt32(0))
      message.append("dialog-password")
      message.append(ForeignText.shown(notification.summary))
      message.append(escapes ? ForeignText.html(notification.body, limit: Self.maxBodyLength) : body)
      message.append(
        capabilities.contains("actions") ? notification.actions.flatMap { [$0.key, $0.words] } : [])
      message.container("a", "{sv}") { hints in
        hints.container("e", "sv") { hint in
          hint.append("urgency")
          // 1 is normal.
          hint.container("v", "y") { $0.append(UInt8(1)) }
        }
      }
      // 0: the notification does not expire.
      message.append(Int32(0))
    }
    guard let id = reply.number(), let owner = reply.sender else {
      throw NotifyError(.unreadable, "the notification service returned no ID")
    }
    return Shown(id: id, owner: owner)
  }

  func close(_ shown: Shown) {
    // A notification that is already closed is an error, which is ignored.
    _ = try? call("CloseNotification") { $0.append(shown.id) }
  }

  /// Parses a signal; nil for a message that is not from the service. The bus writes the sender,
  /// which is part of `Shown`, so a signal of any other sender has no effect.
  private func read(_ message: borrowing BusMessage) -> Signal? {
    guard let sender = message.sender else { return nil }
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged"), sender == "org.freedesktop.DBus" {
      guard message.text() == Self.name, message.text() != nil, let new = message.text() else { return nil }
      capabilities = nil
      return .owner(isThere: !new.isEmpty)
    }
    if message.isSignal(Self.name, "ActionInvoked"), let id = message.number(), let key = message.text() {
      return .action(Shown(id: id, owner: sender), key: key)
    }
    if message.isSignal(Self.name, "NotificationClosed"), let id = message.number() {
      return .closed(Shown(id: id, owner: sender), byPerson: message.number() == Self.dismissed)
    }
    return nil
  }

  private func knownCapabilities() throws(NotifyError) -> Set<String> {
    if let capabilities { return capabilities }
    let found = Set(try call("GetCapabilities").texts() ?? [])
    capabilities = found
    return found
  }

  // MARK: - The bus

  /// The entry for poll(2).
  var polled: pollfd { pollfd(fd: bus.descriptor, events: Int16(truncatingIfNeeded: bus.events), revents: 0) }

  /// Calls `body` for each signal that has arrived.
  ///
  /// - Throws: `busLost`.
  func drain(_ body: (Signal) -> Void) throws(NotifyError) {
    while let message = try next() {
      if let signal = read(message) { body(signal) }
    }
  }

  private func next() throws(NotifyError) -> BusMessage? {
    do { return try bus.next() } catch { throw NotifyError(.busLost, "the session bus closed") }
  }

  private func subscribe(_ rule: String) throws(NotifyError) {
    do { try bus.subscribe(rule) } catch { throw NotifyError(.refused, "AddMatch failed", cause: error.name) }
  }

  private func call(
    _ member: String, _ arguments: (borrowing BusMessage) -> Void = { _ in }
  ) throws(NotifyError) -> BusMessage {
    do { return try bus.call(Self.interface, member, startsService: true, arguments) } catch {
      throw NotifyError(.refused, "\(member) failed", cause: error.name)
    }
  }
}

/// An error of the bus or the notification service. Two errors are equal if their codes are equal.
struct NotifyError: Error, Equatable {
  /// What happened. Open: later versions may add codes.
  struct Code: RawRepresentable, Hashable {
    let rawValue: String
    /// The connection to the bus is lost.
    static let busLost = Code(rawValue: "busLost")
    /// The bus, or the called service, refused the call or did not reply in time.
    static let refused = Code(rawValue: "refused")
    /// The reply does not match the interface.
    static let unreadable = Code(rawValue: "unreadable")
  }

  let code: Code
  /// A message for the journal.
  let message: String
  /// The name of the D-Bus error, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  let cause: String?

  /// True if the called name has no owner and cannot be started (D-Bus Specification, "Standard
  /// Error Names").
  var isServiceMissing: Bool {
    ["ServiceUnknown", "NameHasNoOwner"].contains { cause == "org.freedesktop.DBus.Error." + $0 }
  }

  init(_ code: Code, _ message: String, cause: String? = nil) {
    (self.code, self.message, self.cause) = (code, message, cause)
  }

  static func == (left: NotifyError, right: NotifyError) -> Bool { left.code == right.code }
}
