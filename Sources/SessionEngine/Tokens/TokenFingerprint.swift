import Crypto
import FoundationEssentials

/// How the audit log names a token: the first 64 bits of its SHA-256, enough to tell a user's tokens apart, and nothing
/// that a server would take.
package enum TokenFingerprint {
  package static func short(_ token: String) -> UInt64 { short(SHA256.hash(data: Data(token.utf8))) }

  static func short(_ digest: SHA256.Digest) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// 16 lowercase hex digits.
  package static func text(_ short: UInt64) -> String {
    let digits = String(short, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
