import FoundationEssentials

/// An absolute address that may be spoken to: https, or http to this machine; no userinfo, no fragment (OP-4).
/// Parsed by the same `URL` that the HTTP client uses, so the two cannot disagree on the host.
struct WebAddress {
  let origin: String
  let isLoopback: Bool
  let hasQuery: Bool

  init(_ text: String) throws(AuthError) {
    guard text.isPrintableASCII, !text.utf8.contains(UInt8(ascii: "\\")), let url = URL(string: text),
      let scheme = url.scheme?.lowercased(), let host = Self.host(of: url), !host.isEmpty
    else { throw AuthError(.invalidEndpoint, "not an absolute web address; write it as https://host") }
    guard url.user == nil, url.password == nil else {
      throw AuthError(.insecure, "an address must not contain a user name or password")
    }
    guard url.fragment == nil else { throw AuthError(.invalidEndpoint, "an address must not have a fragment") }
    isLoopback = Loopback.contains(host)
    guard scheme == "https" || (scheme == "http" && isLoopback) else {
      throw AuthError(.insecure, "only https is spoken to other machines, plain http to this one alone")
    }
    guard url.port.map({ (1...65535).contains($0) }) ?? true else {
      throw AuthError(.invalidEndpoint, "the address has a port that does not exist")
    }
    hasQuery = url.query != nil
    origin = Self.origin(scheme, host, url.port)
  }

  private static func host(of url: URL) -> String? {
    guard var host = url.host()?.lowercased() else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host
  }

  private static func origin(_ scheme: String, _ host: String, _ port: Int?) -> String {
    let host = host.contains(":") ? "[\(host)]" : host
    let standard = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port.flatMap { $0 == standard ? nil : ":\($0)" } ?? "")
  }
}

/// Which hosts are this machine, by their spelling alone: a name is never looked up to decide it.
enum Loopback {
  static func contains(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || isIPv4(host)
  }

  /// 127.0.0.0/8 (RFC 1122, section 3.2.1.3), as four decimal numbers and nothing shorter.
  private static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && UInt8(part) != nil
        && (part == "0" || part.first != "0")
    }
  }
}

/// The origin of addresses, by the rules of `ProjectEndpoint`.
public enum WebOrigin {
  /// `scheme://host[:port]`, lower-cased, without a default port.
  /// - Throws: `.insecure` or `.invalidEndpoint` for an address that must not be spoken to.
  public static func of(_ url: String) throws(AuthError) -> String { try WebAddress(url).origin }
}
