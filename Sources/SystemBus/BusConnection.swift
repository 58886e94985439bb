import CSystemd
import Glibc
import SystemSupport

/// A connection to a D-Bus message bus (sd-bus(3)). Not thread-safe.
package struct BusConnection: ~Copyable {
  /// The error of a failed call, or of a failed connection.
  package struct Failure: Error {
    package let errno: Int32
    /// The name of the D-Bus error, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
    package let name: String?

    init(_ result: Int32, name: String? = nil) { (errno, self.name) = (-result, name) }
  }

  /// The interface of a method: the service, the object and the interface's name.
  package struct Interface: Sendable {
    let service, path, name: String

    package init(_ service: String, _ path: String, _ name: String) {
      (self.service, self.path, self.name) = (service, path, name)
    }

    /// The bus itself (D-Bus Specification, "Message Bus Messages").
    package static let bus = Interface("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
  }

  /// How long a call on the system bus waits. logind answers within milliseconds; a stop of the agent may have to wait
  /// for one call.
  private static let systemTimeout: Duration = .seconds(2)

  /// How long a call on the user's bus waits: the called service may have to be started first.
  private static let userTimeout: Duration = .seconds(5)

  private let bus: OpaquePointer

  /// Connects in the background to the system bus at `address`, as soon as the bus is there.
  package init(system address: String) throws(Failure) {
    var bus: OpaquePointer?
    let result = ritual_bus_open(address, Self.microseconds(Self.systemTimeout), &bus)
    guard result >= 0, let bus else { throw Failure(result) }
    self.bus = bus
  }

  /// Connects to the user's bus, and waits for its greeting: a socket may be there that no bus serves any more.
  package init(user: Void) throws(Failure) {
    var bus: OpaquePointer?
    let opened = sd_bus_open_user(&bus)
    guard opened >= 0, let bus else { throw Failure(opened) }
    _ = sd_bus_set_method_call_timeout(bus, Self.microseconds(Self.userTimeout))
    var name: UnsafePointer<CChar>?
    let greeted = sd_bus_get_unique_name(bus, &name)
    guard greeted >= 0 else {
      sd_bus_close_unref(bus)
      throw Failure(greeted)
    }
    self.bus = bus
  }

  private static func microseconds(_ duration: Duration) -> UInt64 { UInt64(duration.components.seconds) * 1_000_000 }

  deinit { sd_bus_flush_close_unref(bus) }

  /// The descriptor for poll(2).
  package var descriptor: Int32 { sd_bus_get_fd(bus) }
  /// The events for poll(2).
  package var events: Int32 { sd_bus_get_events(bus) }

  /// True once the bus has accepted the connection; a call before that waits for the bus.
  package var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// Returns the next message that has arrived, or nil if there is nothing to process now.
  package func next() throws(Failure) -> BusMessage? {
    while true {
      var message: OpaquePointer?
      let result = sd_bus_process(bus, &message)
      if result < 0 { throw Failure(result) }
      if let message { return BusMessage(message) }
      if result == 0 { return nil }
    }
  }

  /// Waits until the bus has something to process, `other` is readable, or `limit` milliseconds have
  /// passed (-1: no limit).
  ///
  /// - Returns: whether `other` is readable.
  package func wait(or other: Int32, limit: Int32) throws(Failure) -> Bool {
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { throw Failure(events) }
    var polled = [
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      // While there is no bus, this is the descriptor of inotify(7).
      pollfd(fd: sd_bus_get_fd(bus), events: Int16(events), revents: 0),
    ]
    guard poll(&polled, 2, timeout(limit)) >= 0 || errno == EINTR else { throw Failure(-errno) }
    return polled[0].revents != 0
  }

  /// The earlier of `limit` and the connection's own timeout (sd_bus_get_timeout(3), CLOCK_MONOTONIC).
  private func timeout(_ limit: Int32) -> Int32 {
    var until = UInt64.max
    guard sd_bus_get_timeout(bus, &until) >= 0, until != UInt64.max else { return limit }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let passed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    let milliseconds = until > passed ? Int32(clamping: (until - passed) / 1000 + 1) : 0
    return limit < 0 ? milliseconds : min(limit, milliseconds)
  }

  /// Subscribes to the signals that match `rule` (D-Bus Specification, "Match Rules").
  package func subscribe(_ rule: String) throws(Failure) { _ = try call(.bus, "AddMatch") { $0.append(rule) } }

  /// Calls a method and waits for the reply.
  ///
  /// - Parameters:
  ///   - startsService: whether the bus starts the service if it does not run.
  ///   - arguments: appends the method's arguments.
  package func call(
    _ interface: Interface, _ member: String, startsService: Bool = false,
    _ arguments: (borrowing BusMessage) -> Void = { _ in }
  ) throws(Failure) -> BusMessage {
    var made: OpaquePointer?
    var result = sd_bus_message_new_method_call(
      bus, &made, interface.service, interface.path, interface.name, member)
    guard result >= 0, let made else { throw Failure(result) }
    let message = BusMessage(made)
    _ = sd_bus_message_set_auto_start(made, startsService ? 1 : 0)
    arguments(message)
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    var reply: OpaquePointer?
    // A timeout of 0 is the connection's own.
    result = sd_bus_call(bus, message.message, 0, &error, &reply)
    guard result >= 0, let reply else { throw Failure(result, name: error.name.map { String(cString: $0) }) }
    return BusMessage(reply)
  }

  /// Reads a property; the message holds its value.
  package func property(_ interface: Interface, _ name: String, _ type: String) throws(Failure) -> BusMessage {
    var reply: OpaquePointer?
    let result = sd_bus_get_property(bus, interface.service, interface.path, interface.name, name, nil, &reply, type)
    guard result >= 0, let reply else { throw Failure(result) }
    return BusMessage(reply)
  }
}
