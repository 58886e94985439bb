/// How a caller names the token that was refused to it.
package enum RejectedToken {
  /// Whether `text` can be a `rejected`: 64 lowercase hex digits. Anything else would never match, and its sender would
  /// get the refused token again and again.
  package static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
