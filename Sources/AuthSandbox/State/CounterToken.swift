import Crypto
import FoundationEssentials

/// A refresh token of algorithm v2: version 0, session id, counter as a varint, 16 bytes of HMAC-SHA-256 under the
/// session's key, and 4 bytes of SHA-256 over all before. 38 bytes, 51 characters, for counters below 128.
struct CounterToken: Sendable, Equatable {
  /// The length of a v1 token. Shorter is malformed, longer can only be v2.
  static let opaqueLength = 12
  private static let signatureLength = 16
  private static let checksumLength = 4
  private static let headLength = 1 + 16

  var session: String
  var counter: UInt64
  private var signature: [UInt8] = []

  init(session: String, counter: UInt64, key: SymmetricKey) {
    (self.session, self.counter) = (session, counter)
    signature = Self.sign(payload, key)
  }

  /// nil where the text is no token of this kind, or was altered.
  init?(parsing text: String) {
    guard let bytes = Text.base64URLDecoded(text), bytes.first == 0 else { return nil }
    let tail = Self.signatureLength + Self.checksumLength
    guard bytes.count > Self.headLength + tail else { return nil }
    let body = bytes.dropLast(Self.checksumLength)
    guard Array(bytes.suffix(Self.checksumLength)) == Self.checksum(Array(body)) else { return nil }
    guard let counter = Self.varint(bytes[Self.headLength..<(bytes.count - tail)]) else { return nil }
    session = Self.uuidText(Array(bytes[1..<Self.headLength]))
    self.counter = counter
    signature = Array(body.suffix(Self.signatureLength))
  }

  func isSigned(by key: SymmetricKey) -> Bool { signature == Self.sign(payload, key) }

  var text: String {
    let body = payload + signature
    return Text.base64URL(body + Self.checksum(body))
  }

  private var payload: [UInt8] {
    var bytes: [UInt8] = [0]
    let uuid = UUID(uuidString: session) ?? UUID()
    withUnsafeBytes(of: uuid.uuid) { bytes += $0 }
    var rest = counter
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func sign(_ payload: [UInt8], _ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: payload, using: key).prefix(signatureLength))
  }

  private static func checksum(_ body: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: body).prefix(checksumLength))
  }

  private static func varint(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    // Nine bytes hold 63 bits: more than any counter will reach, and no overflow below.
    guard !bytes.isEmpty, bytes.count <= 9, bytes.last! < 0x80 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 7 | UInt64($1 & 0x7f) }
  }

  private static func uuidText(_ bytes: [UInt8]) -> String {
    let digits = Text.hex(bytes)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
