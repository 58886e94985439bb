/// The form of `rejected`, with which a caller identifies a token that a server rejected.
package enum RejectedToken {
  /// Whether `text` has the form of a `rejected`: 64 lowercase hex digits. Any other text would
  /// never match, and the caller would get the rejected token again and again.
  package static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
