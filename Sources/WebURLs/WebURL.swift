import FoundationEssentials

/// An absolute URL to which requests may be sent: https, or http to this machine; no userinfo, no
/// fragment. Parsed by the same `URL` type as in the HTTP client, so that both agree on the
/// host.
package struct WebURL: Sendable, Hashable {
  /// The origin `scheme://host[:port]` in lower case, without a default port.
  package let origin: String
  /// The host in lower case, without the brackets of an IPv6 address.
  package let host: String
  /// True if `host` is this machine.
  package let isLoopback: Bool
  package let hasQuery: Bool
  /// The path without trailing slashes; empty if the URL has no path.
  package let path: String

  package init(_ text: String) throws(WebURLError) {
    guard text.isVisibleASCII, !text.utf8.contains(UInt8(ascii: "\\")), let url = URL(string: text),
      let scheme = url.scheme?.lowercased(), let host = Self.host(of: url), Self.isHost(host)
    else { throw WebURLError(.invalid, "not an absolute URL; use https://host") }
    guard url.user == nil, url.password == nil else {
      throw WebURLError(.insecure, "the URL must not contain a user name or password")
    }
    guard url.fragment == nil else { throw WebURLError(.invalid, "the URL must not have a fragment") }
    self.host = host
    isLoopback = Loopback.contains(host)
    guard scheme == "https" || (scheme == "http" && isLoopback) else {
      throw WebURLError(
        .insecure,
        "use https, with ca_file for a certificate of your own; plain http is allowed only to this machine, from which "
          + "ssh -L or socat can forward a loopback port to the server")
    }
    guard url.port.map({ (1...65535).contains($0) }) ?? true else {
      throw WebURLError(.invalid, "the URL has an invalid port")
    }
    hasQuery = url.query != nil
    origin = Self.origin(scheme, host, url.port)
    path = Self.path(of: text)
  }

  private static func host(of url: URL) -> String? {
    guard var host = url.host()?.lowercased() else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host
  }

  /// Returns whether `host` has only characters of a name or an IP address. `URL` accepts others.
  private static func isHost(_ host: String) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:".utf8.contains(byte)
        }
      }
  }

  private static func origin(_ scheme: String, _ host: String, _ port: Int?) -> String {
    let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let standard = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port.flatMap { $0 == standard ? nil : ":\($0)" } ?? "")
  }

  /// The path as written, including percent-encoding.
  private static func path(of text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return "" }
    let (slash, marks) = (UInt8(ascii: "/"), Array("?#".utf8))
    var path = text.utf8[scheme.upperBound...].drop { $0 != slash && !marks.contains($0) }.prefix {
      !marks.contains($0)
    }
    while path.last == slash { path.removeLast() }
    return String(path) ?? ""
  }
}

/// Why requests may not be sent to a URL.
package struct WebURLError: Error, Sendable {
  package enum Code: Sendable {
    /// The URL is malformed.
    case invalid
    /// The URL is well-formed, but a request to it could be read or changed in transit, or it
    /// contains a user name or password.
    case insecure
  }

  package let code: Code
  /// The fault and the expected form, for the user. Does not contain the URL.
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

/// The hosts that are this machine, decided by spelling only, without a name lookup.
enum Loopback {
  static func contains(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || isIPv4(host)
  }

  /// 127.0.0.0/8 (RFC 1122, section 3.2.1.3), only as four decimal numbers.
  private static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && UInt8(part) != nil
        && (part == "0" || part.first != "0")
    }
  }
}

extension String {
  /// True if the string is not empty and every byte is visible ASCII, so that it can be used
  /// unchanged in a header or a URL.
  package var isVisibleASCII: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

/// A proxy from the configuration.
package struct ProxyURL: Sendable, Hashable {
  package enum Kind: Sendable { case http, socks5 }

  package let kind: Kind
  package let host: String
  package let port: Int

  package init(_ text: String) throws(WebURLError) {
    guard text.isVisibleASCII, let url = URL(string: text), let kind = Self.kind(url.scheme),
      let host = url.host(), !host.isEmpty, let port = url.port, (1...65535).contains(port),
      url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil
    else {
      throw WebURLError(.invalid, "not a proxy URL; use http://host:port or socks5://host:port")
    }
    guard url.user == nil, url.password == nil else {
      throw WebURLError(
        .insecure, "the proxy URL must not contain a user name or password; use proxy_password_file")
    }
    self.kind = kind
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
  }

  private static func kind(_ scheme: String?) -> Kind? {
    switch scheme?.lowercased() {
    case "http": .http
    // The proxy looks the name up in both cases, so the name that curl has for that is no other kind.
    case "socks5", "socks5h": .socks5
    default: nil
    }
  }
}
