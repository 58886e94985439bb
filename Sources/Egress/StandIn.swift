import FoundationEssentials
import Hashing
import SystemSupport

/// The token that a tool sends instead of the access token. It is worth nothing to a server,
/// and held as a hash only.
enum StandIn {
  static let prefix = "sb_ritual_"
  /// 32 bytes in base64url, 43 characters: it cannot be guessed.
  private static let randomBytes = 32

  static func make() -> String { prefix + RandomText.base64url(bytes: randomBytes) }

  /// True if the text has the form of a stand-in.
  static func hasForm(_ text: String) -> Bool {
    text.hasPrefix(prefix) && Base64URL.decode(text.dropFirst(prefix.utf8.count))?.count == randomBytes
  }

  static func digest(_ text: String) -> [UInt8] { SHA256.digest(text) }
}
