import CSystemd
import Glibc

/// A message of the bus, read from its beginning on (sd_bus_message_read_basic(3)). For one thread.
package struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  /// Owns the reference.
  init(_ message: OpaquePointer) { self.message = message }

  deinit { sd_bus_message_unref(message) }

  /// Who sent it: a unique name, which the bus vouches for.
  package var sender: String? { text(sd_bus_message_get_sender(message)) }
  /// The object that a signal is about.
  package var path: String? { text(sd_bus_message_get_path(message)) }
  /// The signal's name.
  package var member: String? { text(sd_bus_message_get_member(message)) }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

  /// The next value, a text (`s`) or a path (`o`); nil where it is something else, or nothing is left.
  package func text(_ type: Unicode.Scalar = "s") -> String? {
    var pointer: UnsafePointer<CChar>?
    guard read(type, &pointer) else { return nil }
    return text(pointer)
  }

  /// The next value, a number of type `u`.
  package func number() -> UInt32? {
    var number: UInt32 = 0
    return read("u", &number) ? number : nil
  }

  /// The next value, of type `b`.
  package func truth() -> Bool? {
    // sd_bus_message_read_basic(3): an int.
    var truth: Int32 = 0
    return read("b", &truth) ? truth != 0 : nil
  }

  /// The next value, a descriptor: a copy that is the caller's, and closed on exec.
  package func descriptor() -> Int32? {
    var descriptor: Int32 = -1
    guard read("h", &descriptor) else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : copy
  }

  /// Reads each structure of the next value, an array of structures of these types.
  package func eachStructure(_ types: String, _ body: (borrowing BusMessage) -> Void) {
    guard enter("a", "(\(types))") else { return }
    while enter("r", types) {
      body(self)
      // What `body` did not read.
      _ = sd_bus_message_skip(message, nil)
      guard sd_bus_message_exit_container(message) >= 0 else { return }
    }
    _ = sd_bus_message_exit_container(message)
  }

  private func enter(_ type: Unicode.Scalar, _ contents: String) -> Bool {
    sd_bus_message_enter_container(message, CChar(type.value), contents) > 0
  }

  private func read(_ type: Unicode.Scalar, _ value: UnsafeMutableRawPointer) -> Bool {
    sd_bus_message_read_basic(message, CChar(type.value), value) > 0
  }
}
