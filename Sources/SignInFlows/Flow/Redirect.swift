import Crypto
import FoundationEssentials
import SystemSupport

/// Where the browser ends (SI-7): the `redirect_to` of a flow, and what its callbacks are held against.
package struct Redirect: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The agent listens there, on this machine.
    case loopback(port: Int)
    /// The desktop hands the address to the agent.
    case scheme(String)
    /// Nobody listens; a person copies the address out of the browser, which may run on another machine.
    case manual
  }

  /// The name of the parameter that binds a callback to its flow. `state` would be the server's own, and is stripped.
  static let attempt = "attempt"

  /// The port of a manual redirect. The browser must fail to load the address, and show it. RFC 4727 keeps 1022 for
  /// experiments, so no service has it; it is below 1024, so no ordinary user of the browser's machine can listen there
  /// and read the code; and it is on no browser's list of refused ports.
  static let manualPort = 1022

  package let kind: Kind

  package init(_ kind: Kind) {
    // RFC 3986, section 3.1: schemes are lowercase in canonical form, and desktops hand them on like that.
    if case .scheme(let name) = kind { self.kind = .scheme(name.lowercased()) } else { self.kind = kind }
  }

  /// Scheme, host, port and path of every callback, to the letter. A literal 127.0.0.1 needs no entry in the project's
  /// list of allowed addresses.
  package var place: String {
    switch kind {
    case .loopback(let port): "http://127.0.0.1:\(port)/callback"
    case .scheme(let name): "\(name)://auth-callback"
    case .manual: "http://127.0.0.1:\(Self.manualPort)/callback"
    }
  }

  /// Whether a callback came to `place`. Some openers write the empty path of a custom scheme as `/`, which is the same
  /// address (RFC 3986, section 6.2.3).
  package func accepts(_ place: String) -> Bool {
    if case .scheme = kind, place == self.place + "/" { return true }
    return place == self.place
  }

  /// What is sent as `redirect_to`.
  package func address(attempt: String) -> String { "\(place)?\(Self.attempt)=\(attempt)" }

  /// The entry that a project needs in its list of allowed redirects; for loopback only servers before v2.171.
  package var allowListEntry: String {
    switch kind {
    case .loopback, .manual: "http://127.0.0.1:*/**"
    case .scheme(let name): "\(name)://auth-callback**"
    }
  }
}

/// The proof key of one flow (RFC 7636): who exchanges the code must know the verifier, and only its hash was sent.
struct PKCE: Sendable {
  /// 43 characters: the secret.
  let verifier: String
  /// The verifier's SHA-256 in base64url, `code_challenge` with the method S256 (section 4.2).
  let challenge: String

  init(verifier: String) {
    self.verifier = verifier
    challenge = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
  }

  /// A new verifier of 32 random bytes (section 4.1).
  static func fresh() -> PKCE { PKCE(verifier: RandomText.base64url(bytes: SignInBounds.secretBytes)) }
}
