public import SystemSupport
package import WebURLs

/// The origin of a URL, by the rules of `ProjectEndpoint`.
public enum WebOrigin {
  /// Returns `scheme://host[:port]` in lower case, without a default port.
  /// - Throws: `.insecure` or `.invalidEndpoint` for a URL to which nothing may be sent.
  public static func of(_ url: String) throws(AuthError) -> String {
    do throws(WebURLError) { return try WebURL(url).origin } catch { throw AuthError(error) }
  }
}

extension AuthError {
  init(_ error: WebURLError) {
    switch error.code {
    case .invalid: self.init(.invalidEndpoint, error.message)
    case .insecure: self.init(.insecure, error.message)
    }
  }
}

/// A project's server URL, key, trusted certificates and proxy. Validated at construction: every
/// value is usable.
public struct ProjectEndpoint: Sendable, Hashable {
  /// The project's base URL without a trailing slash, such as `https://abc.supabase.co`.
  public let url: String
  /// The anon or publishable key, sent as `apikey`.
  public let anonKey: String
  /// The path of a PEM file with additional trusted certificates.
  public let caFile: String?
  /// True if only the certificates of `caFile` are trusted.
  public let onlyThisCA: Bool
  /// The proxy, `http://host:port` (CONNECT) or `socks5://host:port`; never used for loopback.
  public let proxy: String?
  /// The user name and the password for an HTTP proxy.
  package var proxyPassword: ProxyPassword?
  /// Headers that each request has, such as a gate in front of the project demands.
  package var headers: [ConstantHeader] = []
  /// The origin to which a session is bound: `scheme://host[:port]` in lower case, without a
  /// default port.
  public let origin: String
  /// The path of `url` behind the origin, without trailing slashes; usually empty.
  public let path: String

  /// `proxy`, parsed.
  package let proxyAddress: ProxyURL?
  /// True if the project runs on this machine.
  let isLoopback: Bool

  /// Creates an endpoint and validates its settings.
  /// - Throws: `.insecure` for plain http to another machine and for userinfo; `.invalidEndpoint`
  ///   for any other invalid setting.
  public init(
    url: String, anonKey: String, caFile: String? = nil, onlyThisCA: Bool = false, proxy: String? = nil
  ) throws(AuthError) {
    let address: WebURL
    do throws(WebURLError) {
      address = try WebURL(url)
      proxyAddress = try proxy.map { proxy throws(WebURLError) in try ProxyURL(proxy) }
    } catch { throw AuthError(error) }
    guard !address.hasQuery else {
      throw AuthError(.invalidEndpoint, "the project URL must not have a query; use only scheme and host")
    }
    guard anonKey.isPrintableASCII else {
      throw AuthError(.invalidEndpoint, "the anon key is empty or has invalid characters; copy it again")
    }
    guard caFile != nil || !onlyThisCA else {
      throw AuthError(.invalidEndpoint, "only_this_ca requires ca_file")
    }
    var base = Substring(url)
    while base.last == "/" { base.removeLast() }
    self.url = String(base)
    self.anonKey = anonKey
    self.caFile = caFile
    self.onlyThisCA = onlyThisCA
    self.proxy = proxy
    origin = address.origin
    isLoopback = address.isLoopback
    path = address.path
  }

  /// True if requests to a URL or an origin go through the proxy. Loopback is never proxied.
  ///
  /// - Throws: for a URL to which nothing may be sent.
  package func isProxied(for url: String) throws(WebURLError) -> Bool {
    // Also without a proxy: a URL to which nothing may be sent is refused.
    let isLoopback = try WebURL(url).isLoopback
    return proxyAddress != nil && !isLoopback
  }

  /// GoTrue's base URL: `url` and `/auth/v1`.
  public var authURL: String { url + "/auth/v1" }

  /// Returns the URL to open in the browser for a login with PKCE (RFC 7636, S256).
  /// - Parameters:
  ///   - redirectTo: the URL where the browser ends. If the project does not allow this URL, the
  ///     server silently uses its Site URL.
  ///   - challenge: base64url without padding of the verifier's SHA-256.
  ///   - scopes: additional OAuth scopes, separated by spaces.
  public func authorizeURL(
    provider: Provider, scopes: String? = nil, redirectTo: String, challenge: String
  ) -> String {
    // Exactly these keys: GoTrue passes every other key on to the provider, where it overrides the server's own.
    let query =
      [("provider", provider.rawValue), ("redirect_to", redirectTo)] + (scopes.map { [("scopes", $0)] } ?? [])
      + [("code_challenge", challenge), ("code_challenge_method", "s256")]
    return authURL + "/authorize" + PercentEncoding.query(query)
  }
}

extension ProjectEndpoint: Redacted {
  /// The origin only; the key is not shown.
  public var description: String { "ProjectEndpoint(\(origin))" }
}

extension ProjectEndpoint {
  /// Returns a URL that shows where the project redirects a browser for `redirectTo`, without
  /// signing anyone in. `GET /verify` with an invalid token redirects to `redirectTo` if the
  /// project allows it, else to its Site URL, with the error appended.
  public func redirectProbeURL(redirectTo: String) -> String {
    // The server's tokens are hexadecimal, so this token cannot exist.
    authURL + "/verify"
      + PercentEncoding.query([("type", "signup"), ("token", "not-a-token"), ("redirect_to", redirectTo)])
  }
}
