/// Codes of authenticator apps (RFC 6238) as Supabase Auth uses them: SHA-1, 6 digits, 30 s.
struct TOTP: Sendable {
  /// Seconds for which a code is the current one.
  static let period = 30
  /// A secret of 160 bits, as the real server makes them.
  private static let secretLength = 20
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// The secret in base32 (RFC 4648, section 6) without padding.
  let secret: String
  private let key: [UInt8]

  init() {
    self.init(key: (0..<Self.secretLength).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// A known secret, for the test vectors of RFC 6238.
  init(key: [UInt8]) { (secret, self.key) = (Self.base32(key), key) }

  func code(at now: Moment) -> String { code(step: now.unixSeconds / Self.period) }

  /// Accepts the codes of the current step, the one before and the one after.
  func accepts(_ code: String, at now: Moment) -> Bool {
    let step = now.unixSeconds / Self.period
    return (step - 1...step + 1).contains { self.code(step: $0) == code }
  }

  /// RFC 4226, section 5.3.
  private func code(step: Int) -> String {
    let counter = withUnsafeBytes(of: UInt64(step).bigEndian) { Array($0) }
    let digest = Digest.code1(counter, key: key)
    let start = Int(digest[digest.count - 1] & 0xf)
    let number = digest[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func base32(_ bytes: [UInt8]) -> String {
    var (text, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> bits & 31)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }
}
