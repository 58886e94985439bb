/// What lies below an `AuthError` of the transport, for the journal. Made of texts that cannot hold a secret: the HTTP
/// client's own error would print the values of headers that it refuses.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// At most 200 characters of visible ASCII and spaces.
  public let description: String

  init(_ text: String) {
    let plain = text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
    description = String(plain.prefix(200))
  }
}
