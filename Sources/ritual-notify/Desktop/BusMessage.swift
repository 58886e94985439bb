import CSystemd

/// A message of the bus (sd_bus_message_append_basic(3), sd_bus_message_read_basic(3)).
final class BusMessage {
  let pointer: OpaquePointer

  /// Takes over the reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sd_bus_message_unref(pointer) }

  /// Who sent it: a unique name that the bus itself has written, whatever the sender wanted (D-Bus Specification, "Header Fields").
  var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }

  func isSignal(_ interface: String, _ member: String) -> Bool {
    sd_bus_message_is_signal(pointer, interface, member) > 0
  }

  // MARK: - Writing; what does not fit the call's signature is refused when it is sent

  func append(_ text: String) { sd_bus_message_append_basic(pointer, Self.type("s"), text) }

  func append(_ number: UInt32) {
    withUnsafePointer(to: number) { _ = sd_bus_message_append_basic(pointer, Self.type("u"), $0) }
  }

  func append(_ number: Int32) {
    withUnsafePointer(to: number) { _ = sd_bus_message_append_basic(pointer, Self.type("i"), $0) }
  }

  func append(_ number: UInt8) {
    withUnsafePointer(to: number) { _ = sd_bus_message_append_basic(pointer, Self.type("y"), $0) }
  }

  func append(_ texts: [String]) { container("a", "s") { for text in texts { append(text) } } }

  /// Opens a container (`a`, `e` or `v`), writes `body` and closes it.
  func container(_ kind: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
    sd_bus_message_open_container(pointer, Self.type(kind), contents)
    body()
    sd_bus_message_close_container(pointer)
  }

  // MARK: - Reading; nil for what is not there or of another type

  func readNumber() -> UInt32? {
    var number: UInt32 = 0
    return sd_bus_message_read_basic(pointer, Self.type("u"), &number) > 0 ? number : nil
  }

  func readText() -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(pointer, Self.type("s"), &text) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }

  func readTexts() -> [String]? {
    guard sd_bus_message_enter_container(pointer, Self.type("a"), "s") > 0 else { return nil }
    var texts: [String] = []
    while let text = readText() { texts.append(text) }
    sd_bus_message_exit_container(pointer)
    return texts
  }

  private static func type(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
