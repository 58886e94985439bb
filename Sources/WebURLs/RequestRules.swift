/// Request headers that a program cannot set: they carry identity or framing, or ask for another
/// method or account than the ones that the policy judged (RFC 9110, sections 7.2, 7.6, 10.1.1,
/// 10.1.4 and 11; RFC 9112, section 6; RFC 6265; RFC 7239; `apikey` and `x-api-key` are Supabase's).
/// The proxy drops them, and `ritualctl api` refuses them.
package enum ReservedHeader {
  package static let names: Set<String> = [
    "apikey", "authorization", "connection", "content-length", "cookie", "cookie2", "expect", "forwarded", "host",
    "http2-settings", "keep-alive", "ritual-account", "te", "trailer", "transfer-encoding", "true-client-ip", "upgrade",
    "via", "x-api-key", "x-client-ip", "x-http-method", "x-http-method-override", "x-method-override", "x-real-ip",
    "x-rewrite-url",
  ]
  /// The prefixes of reserved names, with an exception.
  package static let prefixes = ["cf-", "proxy-", "x-forwarded-", "x-original-"]
  /// Cloudflare Access, a gate in front of a server, takes the client's own credentials in these.
  private static let gate = "cf-access-"

  /// True for every spelling of a reserved name.
  package static func contains(_ name: String) -> Bool {
    let name = canonical(name)
    return names.contains(name)
      || !name.utf8.starts(with: gate.utf8) && prefixes.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// The name in lower case, and with hyphens: gateways in front of CGI treat an underscore as one.
  package static func canonical(_ name: String) -> String {
    let name = name.lowercased()
    guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
    return String(decoding: name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }
}

/// The paths that belong to a project, whatever its `api_url` is.
package enum ProjectPath {
  private static let prefixes = ["/rest", "/storage", "/functions/v1", "/realtime/v1", "/graphql/v1"]

  /// True if a path, with or without a query, is one of these or below one of them.
  package static func contains(_ target: String) -> Bool {
    prefixes.contains { prefix in
      guard target.utf8.starts(with: prefix.utf8) else { return false }
      let next = target.utf8.dropFirst(prefix.utf8.count).first
      return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
    }
  }
}
