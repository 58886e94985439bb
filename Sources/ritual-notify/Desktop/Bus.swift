import CSystemd

/// A connection to the user's bus (sd-bus(3)). Not safe for use by two threads.
final class Bus {
  /// Where a method is.
  struct Place {
    let destination: String
    let path: String
    let interface: String

    /// The bus itself (D-Bus Specification, "Message Bus Messages").
    static let driver = Place(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
  }

  /// Microseconds: notifications are drawn at once, and a service that is started first has some time.
  private static let patience: UInt64 = 5_000_000

  private let pointer: OpaquePointer

  /// Nil where there is no bus.
  init?() {
    var bus: OpaquePointer?
    guard sd_bus_open_user(&bus) >= 0, let bus else { return nil }
    pointer = bus
    // Waits until the bus has greeted: a socket may be there that nobody serves any more.
    var name: UnsafePointer<CChar>?
    guard sd_bus_get_unique_name(bus, &name) >= 0 else { return nil }
  }

  deinit { sd_bus_flush_close_unref(pointer) }

  /// For poll(2).
  var descriptor: Int32 { sd_bus_get_fd(pointer) }
  /// What poll(2) is to wait for.
  var events: Int32 { sd_bus_get_events(pointer) }

  /// Calls a method and waits for the answer.
  func call(_ place: Place, _ member: String, _ fill: (BusMessage) -> Void = { _ in }) throws(NotifyError) -> BusMessage
  {
    var made: OpaquePointer?
    guard
      sd_bus_message_new_method_call(pointer, &made, place.destination, place.path, place.interface, member) >= 0,
      let made
    else { throw NotifyError(.busLost, "no message can be made") }
    let message = BusMessage(owning: made)
    fill(message)
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    var reply: OpaquePointer?
    let result = sd_bus_call(pointer, message.pointer, Self.patience, &error, &reply)
    guard result >= 0, let reply else {
      throw NotifyError(.refused, "\(member) failed", cause: error.name.map { String(cString: $0) })
    }
    return BusMessage(owning: reply)
  }

  /// Asks the bus for signals by a rule (D-Bus Specification, "Match Rules").
  func match(_ rule: String) throws(NotifyError) { _ = try call(.driver, "AddMatch") { $0.append(rule) } }

  /// The next signal that is there; nil for none.
  ///
  /// - Throws: `busLost`.
  func next() throws(NotifyError) -> BusMessage? {
    while true {
      var message: OpaquePointer?
      let result = sd_bus_process(pointer, &message)
      guard result >= 0 else { throw NotifyError(.busLost, "the session bus is gone") }
      if let message { return BusMessage(owning: message) }
      if result == 0 { return nil }
    }
  }
}
