/// Why the desktop could not be told. Two errors are equal where their codes are.
struct NotifyError: Error, Equatable {
  /// What happened. Open: later versions may add codes.
  struct Code: RawRepresentable, Hashable {
    let rawValue: String
    /// The connection to the bus is gone.
    static let busLost = Code(rawValue: "busLost")
    /// The bus, or who was called, refused or did not answer in time.
    static let refused = Code(rawValue: "refused")
    /// What was answered is not what the interface says.
    static let unreadable = Code(rawValue: "unreadable")
  }

  let code: Code
  /// In words.
  let message: String
  /// The name of the bus's own error, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  let cause: String?

  /// Whether nobody has the name that was called, nor can be started for it (D-Bus Specification, "Standard Error Names").
  var isFromNobody: Bool {
    ["ServiceUnknown", "NameHasNoOwner"].contains { cause == "org.freedesktop.DBus.Error." + $0 }
  }

  init(_ code: Code, _ message: String, cause: String? = nil) {
    (self.code, self.message, self.cause) = (code, message, cause)
  }

  static func == (left: NotifyError, right: NotifyError) -> Bool { left.code == right.code }
}
