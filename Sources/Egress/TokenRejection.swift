import FoundationEssentials
import Synchronization

/// What a response says about the token that was sent with its request. Pure.
enum TokenRejection: Sendable, Equatable {
  /// The response is about the token: it is invalid or has expired.
  case token
  /// A 401, or a 400 without a body, that may have another reason.
  case unauthorized
  /// The token was accepted.
  case none

  /// The maximum size of a body that is examined, in bytes: error bodies are much smaller.
  static let maxBody = 16 * 1024

  /// True if the body of a response with this status has to be examined.
  static func isSuspect(_ status: Int, path: String) -> Bool {
    // A signed URL has a token of its own, which no refresh replaces.
    status == 401
      || status == 400 && path.contains("/storage/v1/") && !(path.contains("/sign/") && path.contains("token="))
  }

  /// - Parameters:
  ///   - challenge: the values of `WWW-Authenticate` (RFC 6750, section 3).
  ///   - body: the start of the body.
  init(status: Int, path: String, challenge: [String], body: [UInt8]) {
    guard Self.isSuspect(status, path: path) else {
      self = .none
      return
    }
    let isAboutToken = challenge.contains { $0.contains("invalid_token") } || Self.isAboutToken(body)
    // An answer to HEAD has no body, so that a 400 of Storage says nothing more.
    self = isAboutToken ? .token : status == 401 || body.isEmpty ? .unauthorized : .none
  }

  /// The members of error bodies that tell of the token: PostgREST's `code`, the message of the
  /// gateway, and the `error` and `message` of Storage, which answers 400.
  private struct ErrorBody: Decodable {
    var code: String?
    var error: String?
    var message: String?
    var msg: String?

    private enum CodingKeys: CodingKey { case code, error, message, msg }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Other services use numbers here.
      code = try? container.decode(String.self, forKey: .code)
      error = try? container.decode(String.self, forKey: .error)
      message = try? container.decode(String.self, forKey: .message)
      msg = try? container.decode(String.self, forKey: .msg)
    }
  }

  private static let codes: Set<String> = ["PGRST301", "PGRST303", "InvalidJWT", "UNAUTHORIZED_INVALID_JWT_FORMAT"]
  /// Parts of the messages of the gateway, of PostgREST, and of the libraries that verify tokens for Storage
  /// (jose and jsonwebtoken), in small letters.
  private static let messages = [
    "invalid jwt", "\" claim", "signature verification failed", "invalid signature", "signature is invalid",
    "invalid token", "invalid_token", "invalid algorithm", "(algorithm) header parameter", "json web key set",
    "token expired", "token is expired", "token has expired",
  ]
  /// Names that those messages have as words of their own, unlike the name of a file.
  private static let words: Set<Substring> = ["jwt", "jws", "jwk", "jwks", "jsonwebtokenerror", "tokenexpirederror"]

  private static func isAboutToken(_ body: [UInt8]) -> Bool {
    guard let known = try? JSONDecoder().decode(ErrorBody.self, from: Data(body)) else { return false }
    if [known.code, known.error].contains(where: { $0.map(codes.contains) ?? false }) { return true }
    let texts = [known.message, known.msg, known.error].compactMap { $0?.lowercased() }
    return texts.contains { text in
      messages.contains { text.contains($0) }
        || text.split { !$0.isLetter && !$0.isNumber && !"./_-".contains($0) }.contains { words.contains($0) }
    }
  }
}

/// The tokens that a server refused although they were new. Without a sign that the token itself is
/// the reason, they cause no further refresh. In memory only. Thread-safe.
package final class RefusedTokens: Sendable {
  /// The tokens that are remembered for an account: those of the last hours.
  private static let limit = 4

  private let refused = Mutex<[String: [String]]>([:])

  package init() {}

  /// Notes the fingerprint of a token.
  func note(_ fingerprint: String, of account: String) {
    refused.withLock { refused in
      var known = refused[account, default: []]
      guard !known.contains(fingerprint) else { return }
      known.append(fingerprint)
      refused[account] = known.suffix(Self.limit)
    }
  }

  func contains(_ fingerprint: String, of account: String) -> Bool {
    refused.withLock { $0[account]?.contains(fingerprint) ?? false }
  }
}
