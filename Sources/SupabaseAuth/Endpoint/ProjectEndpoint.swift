public import FoundationEssentials
public import SystemSupport
import WebAddresses

/// The origin of addresses, by the rules of `ProjectEndpoint`.
public enum WebOrigin {
  /// `scheme://host[:port]`, lower-cased, without a default port.
  /// - Throws: `.insecure` or `.invalidEndpoint` for an address that must not be spoken to.
  public static func of(_ url: String) throws(AuthError) -> String {
    do throws(WebAddressError) { return try WebAddress(url).origin } catch { throw AuthError(error) }
  }
}

extension AuthError {
  init(_ error: WebAddressError) {
    switch error.code {
    case .invalid: self.init(.invalidEndpoint, error.message)
    case .insecure: self.init(.insecure, error.message)
    }
  }
}

/// Where a project's servers are, and whom to trust there. Checked at construction: one that exists can be used.
public struct ProjectEndpoint: Sendable, Hashable {
  /// The project's base address without a trailing slash, such as `https://abc.supabase.co`.
  public let url: String
  /// The anon or publishable key, sent as `apikey`.
  public let anonKey: String
  /// A PEM file of certificates that are trusted too.
  public let caFile: String?
  /// Trust `caFile` and nothing else.
  public let onlyThisCA: Bool
  /// `http://host:port` (CONNECT) or `socks5://host:port`; never used for loopback.
  public let proxy: String?
  /// `scheme://host[:port]`, lower-cased, without a default port: what a session is bound to.
  public let origin: String
  /// What follows the origin where Supabase has a path of its own, without slashes at its end; else empty.
  public let path: String

  let proxyAddress: ProxyAddress?

  /// Checks and keeps the settings.
  /// - Throws: `.insecure` for plain http to another machine and for userinfo; `.invalidEndpoint` for what else is wrong.
  public init(
    url: String, anonKey: String, caFile: String? = nil, onlyThisCA: Bool = false, proxy: String? = nil
  ) throws(AuthError) {
    let address: WebAddress
    do throws(WebAddressError) {
      address = try WebAddress(url)
      proxyAddress = try proxy.map { proxy throws(WebAddressError) in try ProxyAddress(proxy) }
    } catch { throw AuthError(error) }
    guard !address.hasQuery else {
      throw AuthError(.invalidEndpoint, "the project's address must not have a query; give scheme and host alone")
    }
    guard anonKey.isPrintableASCII else {
      throw AuthError(.invalidEndpoint, "the anon key is empty or has characters that cannot be sent; copy it again")
    }
    guard caFile != nil || !onlyThisCA else {
      throw AuthError(.invalidEndpoint, "only_this_ca needs ca_file")
    }
    var base = Substring(url)
    while base.last == "/" { base.removeLast() }
    self.url = String(base)
    self.anonKey = anonKey
    self.caFile = caFile
    self.onlyThisCA = onlyThisCA
    self.proxy = proxy
    origin = address.origin
    path = address.path
  }

  /// Where GoTrue is: `url` and `/auth/v1`.
  public var authURL: String { url + "/auth/v1" }

  /// The address to open in the browser for a login with PKCE (RFC 7636, S256).
  /// - Parameters:
  ///   - redirectTo: where the browser ends; what the project does not allow is silently replaced by its Site URL.
  ///   - challenge: base64url without padding of the verifier's SHA-256.
  ///   - extra: passed on to the provider, such as `prompt` or `login_hint`; sorted by key.
  public func authorizeURL(
    provider: Provider, redirectTo: String, challenge: String, extra: [String: String] = [:]
  ) -> String {
    let own = [
      ("provider", provider.rawValue), ("redirect_to", redirectTo), ("code_challenge", challenge),
      ("code_challenge_method", "s256"),
    ]
    // Ours come first and cannot be given twice: of two equal keys GoTrue reads the first.
    let names = Set(own.map(\.0))
    let others = extra.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return authURL + "/authorize" + PercentEncoding.query(own + others)
  }
}

extension ProjectEndpoint: Redacted {
  /// The origin alone.
  public var description: String { "ProjectEndpoint(\(origin))" }
}

extension ProjectEndpoint {
  /// An address that says where the project would send a browser that is to come back to `redirectTo`, without signing
  /// anybody in: `GET /verify` with a token that is none redirects to `redirectTo` if the project allows it, else to
  /// its Site URL, with the error behind it.
  public func redirectProbeURL(redirectTo: String) -> String {
    // No token of the server's: those are hexadecimal.
    authURL + "/verify"
      + PercentEncoding.query([("type", "signup"), ("token", "not-a-token"), ("redirect_to", redirectTo)])
  }
}

extension APIResponse {
  /// The first header of that name; letters of either case are equal.
  public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  /// The server's clock when it answered (RFC 9110, section 6.6.1); nil where it does not tell.
  public var date: Date? { header("date").flatMap(HTTPDate.date) }
}
