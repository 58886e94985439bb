import FoundationEssentials

/// A proxy as it stands in the configuration.
package struct ProxyAddress: Sendable, Hashable {
  package enum Kind: Sendable { case http, socks5 }

  package let kind: Kind
  package let host: String
  package let port: Int

  package init(_ text: String) throws(WebAddressError) {
    guard text.isVisibleASCII, let url = URL(string: text), let kind = Self.kind(url.scheme),
      let host = url.host(), !host.isEmpty, let port = url.port, (1...65535).contains(port),
      url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil
    else {
      throw WebAddressError(.invalid, "not a proxy; write it as http://host:port or socks5://host:port")
    }
    guard url.user == nil, url.password == nil else {
      throw WebAddressError(.insecure, "a proxy must not contain a user name or password")
    }
    self.kind = kind
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
  }

  private static func kind(_ scheme: String?) -> Kind? {
    switch scheme?.lowercased() {
    case "http": .http
    case "socks5": .socks5
    default: nil
    }
  }
}
