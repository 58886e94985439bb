import AgentProtocol
import FoundationEssentials
import Hashing
import SystemSupport

/// The placeholder token that a tool sends instead of the access token. It is worth nothing to a
/// server, and held as a hash only. Every form ends with 32 random bytes in base64url.
enum PlaceholderToken {
  /// How a placeholder token is written: clients decide by it whether they accept a key.
  enum Form: Sendable, Equatable {
    case prefixed(String)
    /// A JWT with claims of the account's token, for tools that decode theirs.
    case jwt
  }

  /// Supabase's clients accept what begins with `sb_publishable_` as a key. Some refuse, or warn of,
  /// other keys that begin with `sb_`, and old ones accept nothing but a JWT.
  static let prefix = "sb_publishable_ritual_"
  /// Longer than the prefix of any known kind of key.
  static let maxPrefixLength = 64
  /// More than the claims of a JWT need, in bytes.
  private static let maxLength = 2048
  private static let randomBytes = 32
  /// The length of the random bytes in base64url: it cannot be guessed.
  private static let randomLength = 43
  /// The claims that a tool looks for. An email address or a name is not among them.
  private static let claimNames = ["sub", "role", "aud"]

  /// - Parameters:
  ///   - accessToken: the account's token, whose claims a JWT has.
  ///   - end: when the grant ends, in seconds since 1970.
  /// - Returns: nil if the access token is no JWT, or has claims that are too long.
  static func make(_ form: Form, accessToken: String?, end: Int64) -> String? {
    let random = RandomText.base64url(bytes: randomBytes)
    guard form == .jwt else {
      if case .prefixed(let prefix) = form { return prefix + random }
      return nil
    }
    guard let accessToken, var claims = Self.claims(of: accessToken) else { return nil }
    claims["exp"] = .integer(end)
    guard let payload = try? WireCoding.encode(claims) else { return nil }
    let header = #"{"alg":"HS256","typ":"JWT"}"#
    let text = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload)).\(random)"
    return text.utf8.count <= maxLength ? text : nil
  }

  private static func claims(of accessToken: String) -> [String: JSONValue]? {
    let parts = accessToken.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let all = try? JSONDecoder().decode([String: JSONValue].self, from: payload)
    else { return nil }
    return all.filter { claimNames.contains($0.key) }
  }

  /// True if the text can be a placeholder token of some form.
  static func hasForm(_ text: String) -> Bool {
    // Each request is checked, so the digits are not decoded: what stands for no bytes has no grant.
    var text = text
    return text.withUTF8 { bytes in
      guard (randomLength...maxLength).contains(bytes.count), bytes.suffix(randomLength).allSatisfy(Base64URL.isDigit),
        bytes.dropLast(randomLength).allSatisfy({ (0x21...0x7E).contains($0) })
      else { return false }
      return bytes.count == prefix.utf8.count + randomLength || !bytes.starts(with: prefix.utf8)
    }
  }

  /// The random part of a placeholder token.
  static func random(of text: String) -> Substring { Substring(text.utf8.suffix(randomLength)) }

  static func digest(_ text: String) -> [UInt8] { SHA256.digest(text) }
}
