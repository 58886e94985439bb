/// What a person copied out of the browser's address bar.
enum CallbackAddress {
  /// Bytes, as the protocol has it; the server's own addresses have some hundred.
  static let limit = 8 * 1024

  static func checked(_ text: String) throws -> String {
    var address = text[...]
    while address.first?.isWhitespace == true { address.removeFirst() }
    while address.last?.isWhitespace == true { address.removeLast() }
    guard !address.isEmpty else { throw Failure(.usage, "there is no address", hint: "ritualctl complete-sign-in URL") }
    guard address.utf8.count <= limit else { throw Failure(.usage, "the address is longer than \(limit) bytes") }
    return String(address)
  }
}
