import CSystemd
import Glibc
import SystemSupport

/// A connection to the system bus (sd-bus(3)). For one thread.
package struct SystemBus: ~Copyable {
  /// What a call, or the connection, failed with.
  package struct Failure: Error {
    package let errno: Int32
    init(_ result: Int32) { errno = -result }
  }

  /// How long a call waits. logind answers within milliseconds; a stop of the agent may have to wait for one call.
  private static let callTimeout: Duration = .seconds(2)

  private let bus: OpaquePointer

  /// Connects in the background; where the bus is not there yet, when it comes.
  package init(_ address: String) throws(Failure) {
    var bus: OpaquePointer?
    let microseconds = UInt64(Self.callTimeout.components.seconds) * 1_000_000
    let result = ritual_bus_open(address, microseconds, &bus)
    guard result >= 0, let bus else { throw Failure(result) }
    self.bus = bus
  }

  deinit { sd_bus_close_unref(bus) }

  /// Whether the bus knows us: calls before that would wait for it.
  package var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// The next message that came; nil where nothing is left to do at the moment.
  package func next() throws(Failure) -> BusMessage? {
    while true {
      var message: OpaquePointer?
      let result = sd_bus_process(bus, &message)
      if result < 0 { throw Failure(result) }
      if let message { return BusMessage(message) }
      if result == 0 { return nil }
    }
  }

  /// Waits until there is something to process, `other` is readable, or `limit` milliseconds are over (-1: for ever).
  ///
  /// - Returns: whether `other` is readable.
  package func wait(or other: Int32, limit: Int32) throws(Failure) -> Bool {
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { throw Failure(events) }
    var polled = [
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      // While the bus is not there it is inotify's descriptor.
      pollfd(fd: sd_bus_get_fd(bus), events: Int16(events), revents: 0),
    ]
    guard poll(&polled, 2, timeout(limit)) >= 0 || errno == EINTR else { throw Failure(-errno) }
    return polled[0].revents != 0
  }

  /// The sooner of `limit` and what the connection itself waits for (sd_bus_get_timeout(3): a moment of CLOCK_MONOTONIC).
  private func timeout(_ limit: Int32) -> Int32 {
    var until = UInt64.max
    guard sd_bus_get_timeout(bus, &until) >= 0, until != UInt64.max else { return limit }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let passed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    let milliseconds = until > passed ? Int32(clamping: (until - passed) / 1000 + 1) : 0
    return limit < 0 ? milliseconds : min(limit, milliseconds)
  }

  /// Has the bus send us the signals that fit the rule.
  package func subscribe(_ rule: String) throws(Failure) {
    _ = try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", [rule])
  }

  /// Calls a method whose arguments are texts. A service that does not run is not started for it.
  package func call(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String] = []
  ) throws(Failure) -> BusMessage {
    var message: OpaquePointer?
    var result = sd_bus_message_new_method_call(bus, &message, service, path, interface, member)
    guard result >= 0, let message else { throw Failure(result) }
    defer { sd_bus_message_unref(message) }
    _ = sd_bus_message_set_auto_start(message, 0)
    for argument in arguments {
      // s of the D-Bus specification
      result = argument.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
      guard result >= 0 else { throw Failure(result) }
    }
    var reply: OpaquePointer?
    // A timeout of 0 is the connection's own.
    result = sd_bus_call(bus, message, 0, nil, &reply)
    guard result >= 0, let reply else { throw Failure(result) }
    return BusMessage(reply)
  }

  /// A property's value, to be read from the message.
  package func property(
    _ service: String, _ path: String, _ interface: String, _ name: String, _ type: String
  ) throws(Failure) -> BusMessage {
    var reply: OpaquePointer?
    let result = sd_bus_get_property(bus, service, path, interface, name, nil, &reply, type)
    guard result >= 0, let reply else { throw Failure(result) }
    return BusMessage(reply)
  }
}
