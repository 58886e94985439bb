import CSystemd
import Glibc

/// A message of D-Bus (sd_bus_message_read_basic(3), sd_bus_message_append_basic(3)). Values are read from
/// the beginning, one after the other. Not thread-safe.
package struct BusMessage: ~Copyable {
  let message: OpaquePointer

  /// Takes over the reference.
  init(_ message: OpaquePointer) { self.message = message }

  deinit { sd_bus_message_unref(message) }

  /// The sender's unique name, which the bus itself sets (D-Bus Specification, "Header Fields").
  package var sender: String? { text(sd_bus_message_get_sender(message)) }
  /// The path of the object that emitted a signal.
  package var path: String? { text(sd_bus_message_get_path(message)) }
  /// The name of the signal.
  package var member: String? { text(sd_bus_message_get_member(message)) }

  package func isSignal(_ interface: String, _ member: String) -> Bool {
    sd_bus_message_is_signal(message, interface, member) > 0
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

  // MARK: - Writing. A value that does not fit the method's signature makes the call fail.

  package func append(_ text: String) { sd_bus_message_append_basic(message, Self.type("s"), text) }

  package func append(_ number: UInt32) { append(number, "u") }

  package func append(_ number: Int32) { append(number, "i") }

  package func append(_ number: UInt8) { append(number, "y") }

  package func append(_ texts: [String]) {
    container("a", "s") { message in
      for text in texts { message.append(text) }
    }
  }

  /// Opens a container (`a`, `e` or `v`), writes `body` and closes it.
  package func container(_ kind: Unicode.Scalar, _ contents: String, _ body: (borrowing BusMessage) -> Void) {
    sd_bus_message_open_container(message, Self.type(kind), contents)
    body(self)
    sd_bus_message_close_container(message)
  }

  private func append(_ number: some FixedWidthInteger, _ kind: Unicode.Scalar) {
    withUnsafePointer(to: number) { _ = sd_bus_message_append_basic(message, Self.type(kind), $0) }
  }

  // MARK: - Reading. Each function returns nil if the next value has another type, or if there is none.

  /// The next value, a string (`s`) or an object path (`o`).
  package func text(_ type: Unicode.Scalar = "s") -> String? {
    var pointer: UnsafePointer<CChar>?
    guard read(type, &pointer) else { return nil }
    return text(pointer)
  }

  /// The next value, an array of strings.
  package func texts() -> [String]? {
    guard enter("a", "s") else { return nil }
    var texts: [String] = []
    while let text = text() { texts.append(text) }
    _ = sd_bus_message_exit_container(message)
    return texts
  }

  /// Reads the next value as a number of type `u`; nil if it has another type or the message ends.
  package func number() -> UInt32? {
    var number: UInt32 = 0
    return read("u", &number) ? number : nil
  }

  /// Reads the next value as a boolean of type `b`; nil if it has another type or the message ends.
  package func boolean() -> Bool? {
    // sd_bus_message_read_basic(3) stores a boolean as an int.
    var truth: Int32 = 0
    return read("b", &truth) ? truth != 0 : nil
  }

  /// The next value, a descriptor: a copy that belongs to the caller and is closed on exec.
  package func descriptor() -> Int32? {
    var descriptor: Int32 = -1
    guard read("h", &descriptor) else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : copy
  }

  /// Calls `body` for each element of the next value, an array of structures of these types.
  package func eachStructure(_ types: String, _ body: (borrowing BusMessage) -> Void) {
    guard enter("a", "(\(types))") else { return }
    while enter("r", types) {
      body(self)
      // `body` need not read every member.
      _ = sd_bus_message_skip(message, nil)
      guard sd_bus_message_exit_container(message) >= 0 else { return }
    }
    _ = sd_bus_message_exit_container(message)
  }

  private func enter(_ type: Unicode.Scalar, _ contents: String) -> Bool {
    sd_bus_message_enter_container(message, Self.type(type), contents) > 0
  }

  private func read(_ type: Unicode.Scalar, _ value: UnsafeMutableRawPointer) -> Bool {
    sd_bus_message_read_basic(message, Self.type(type), value) > 0
  }

  private static func type(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
