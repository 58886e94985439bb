import AgentProtocol
import Crypto
import FoundationEssentials
import SystemSupport

/// One published token, prepared so that an answer costs no encoding. A class, so that handing it on is one count.
package final class TokenEntry: Sendable {
  package let account: String
  let accessToken: BearerText
  let expires: BootTime
  /// Until when a refresh that brought this token serves all who ask for another; nil for a token of a sign-in.
  let freshUntil: BootTime?
  /// The minimum life where the caller names none.
  let usualLife: Duration
  /// SHA-256 of the token's bytes in lowercase hex: what a caller names as `rejected`.
  let fingerprint: String
  /// Its first 64 bits: what the audit log names it by.
  package let shortFingerprint: UInt64
  /// `"accessToken":"…","account":"…",`: the constant head of the answer's members.
  let head: [UInt8]

  init(
    account: String, accessToken: String, received: BootTime, life: Duration, usualLife: Duration,
    freshUntil: BootTime? = nil
  ) {
    self.account = account
    self.accessToken = BearerText(accessToken)
    self.freshUntil = freshUntil
    expires = received.advanced(by: life)
    self.usualLife = usualLife
    let digest = SHA256.hash(data: Data(accessToken.utf8))
    fingerprint = digest.hexadecimal
    shortFingerprint = TokenFingerprint.short(digest)
    head = Array("\"accessToken\":\(Self.quoted(accessToken)),\"account\":\(Self.quoted(account)),".utf8)
  }

  func answer(remaining: Duration, wall: Timestamp, unchanged: Bool = false) -> TokenAnswer {
    let seconds = max(0, remaining.components.seconds)
    return TokenAnswer(
      entry: self, expiresAt: Timestamp(unixSeconds: wall.unixSeconds + seconds), expiresIn: Int(seconds),
      unchanged: unchanged)
  }

  private static func quoted(_ text: String) -> String {
    // A String always encodes; an empty literal would show at once as a broken answer.
    (try? WireCoding.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// A token that does not print.
struct BearerText: Sendable, CustomStringConvertible, CustomReflectable {
  let exposed: String
  init(_ exposed: String) { self.exposed = exposed }
  var description: String { "redacted" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
