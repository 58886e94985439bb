import FoundationEssentials
import Hashing
import SystemSupport

/// The URL where the browser ends: the `redirect_to` of a flow, against which its callbacks
/// are checked.
package struct Redirect: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The agent listens on this port of this machine.
    case loopback(port: Int)
    /// The desktop passes URLs of this scheme to the agent.
    case scheme(String)
    /// No program listens. A person copies the URL from the browser, which may run on another
    /// machine.
    case manual
  }

  /// The name of the parameter that binds a callback to its flow. The server strips `state`, which
  /// it uses itself.
  static let attempt = "attempt"

  /// The port of a manual redirect. The browser must fail to load the URL, and show it. RFC 4727
  /// reserves 1022 for experiments, so no service uses it. It is below 1024, so no unprivileged
  /// user of the browser's machine can listen there and read the code. It is on no browser's list
  /// of blocked ports.
  static let manualPort = 1022

  package let kind: Kind

  package init(_ kind: Kind) {
    // RFC 3986, section 3.1: schemes are lower case in canonical form, and desktops pass them on in
    // this form.
    if case .scheme(let name) = kind { self.kind = .scheme(name.lowercased()) } else { self.kind = kind }
  }

  /// The scheme, host, port and path of every callback, byte for byte. A literal 127.0.0.1 needs no
  /// entry in the project's list of allowed redirect URLs.
  package var baseURL: String {
    switch kind {
    case .loopback(let port): "http://127.0.0.1:\(port)/callback"
    case .scheme(let name): "\(name)://auth-callback"
    case .manual: "http://127.0.0.1:\(Self.manualPort)/callback"
    }
  }

  /// Returns whether a callback's URL is `baseURL`, or a form of it that browsers, openers and people
  /// make: scheme and host in other letters (RFC 3986, section 6.2.2.1), `/` for the empty path of a
  /// custom scheme (section 6.2.3), and `https` or no scheme in an address bar. The path and the port
  /// are compared exactly. Whose callback it is depends on the flow's state alone.
  package func accepts(_ place: String) -> Bool {
    if case .scheme = kind { return [baseURL, baseURL + "/"].contains(place.lowercased()) }
    let scheme = ["http://", "https://"].first { place.lowercased().hasPrefix($0) } ?? ""
    return place.dropFirst(scheme.count) == baseURL.dropFirst("http://".count)
  }

  /// Returns the value of `redirect_to`.
  package func url(attempt: String) -> String { "\(baseURL)?\(Self.attempt)=\(attempt)" }

  /// The entry that a project needs in its list of allowed redirect URLs. For loopback and manual
  /// redirects, only servers before v2.171 need the entry.
  package var allowListEntry: String {
    switch kind {
    case .loopback, .manual: "http://127.0.0.1:*/**"
    case .scheme(let name): "\(name)://auth-callback**"
    }
  }
}

/// The proof key of one flow (RFC 7636). Exchanging the code requires the verifier; the
/// authorization request contains only its hash.
struct PKCE: Sendable {
  /// The secret, 43 characters.
  let verifier: String
  /// The verifier's SHA-256 in base64url: `code_challenge` with the method S256 (section 4.2).
  let challenge: String

  init(verifier: String) {
    self.verifier = verifier
    challenge = Base64URL.encode(SHA256.digest(verifier))
  }

  /// Returns a key with a new verifier of 32 random bytes (section 4.1).
  static func fresh() -> PKCE { PKCE(verifier: RandomText.base64url(bytes: SignInLimits.secretBytes)) }
}
