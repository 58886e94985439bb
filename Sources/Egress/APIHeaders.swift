import AgentProtocol
import NIOHTTP1

/// The rules for the headers that a caller may set, and for the response headers that it receives
/// (TK-9). Pure.
enum APIHeaders {
  /// Headers that carry identity or framing, or that ask for another method than the one that the
  /// policy judged. Only the agent sets these, if at all (RFC 9110,
  /// sections 7.2, 7.6, 10.1.1, 10.1.4 and 11; RFC 9112, section 6; RFC 6265; RFC 7239; `apikey` is
  /// Supabase's).
  private static let refused: Set<String> = [
    "apikey", "authorization", "connection", "content-length", "cookie", "cookie2", "expect", "forwarded", "host",
    "http2-settings", "keep-alive", "te", "trailer", "transfer-encoding", "true-client-ip", "upgrade", "via",
    "x-client-ip", "x-http-method", "x-http-method-override", "x-method-override", "x-real-ip", "x-rewrite-url",
  ]
  private static let refusedPrefixes = ["cf-", "proxy-", "x-forwarded-", "x-original-"]

  /// The maximum length of a method: longer than any in the IANA registry.
  static let maxMethodLength = 20

  /// The maximum number of headers: more than any API needs, fewer than the limits of servers.
  private static let limit = 64
  /// The maximum size of a name or a value, in bytes: the usual server limit for one header.
  private static let maxFieldLength = 8 * 1024

  /// Returns the caller's headers.
  /// - Throws: `.invalidParams` for a header that is malformed or refused, or for too many headers.
  static func checked(_ pairs: [[String]]) throws(AgentError) -> [(name: String, value: String)] {
    guard pairs.count <= limit else { throw AgentError(.invalidParams, "Too many headers (limit: \(limit)).") }
    var headers: [(name: String, value: String)] = []
    for pair in pairs {
      guard pair.count == 2, isToken(pair[0]), isValue(pair[1]) else {
        throw AgentError(.invalidParams, "A header must be a name and a value, without line breaks.")
      }
      guard !isRefused(pair[0]) else {
        throw AgentError(
          .invalidParams,
          "The header \(ForeignText.shown(pair[0], limit: 40)) cannot be set: "
            + "it is reserved for authentication or message framing.")
      }
      headers.append((pair[0], pair[1]))
    }
    return headers
  }

  /// Returns the response headers for the caller: those that describe the message and not the
  /// connection (RFC 9110, section 7.6.1), without cookies. A cookie is an identity, which stays
  /// out of the caller's reach like the token.
  static func passedOn(_ headers: [(name: String, value: String)]) -> [[String]] {
    let dropped = connection.union(["set-cookie", "set-cookie2"]).union(options(of: headers))
    return headers.filter { header in
      let name = header.name.lowercased()
      return !dropped.contains(name) && !name.utf8.starts(with: "proxy-".utf8)
    }.map { [$0.name, $0.value] }
  }

  /// The headers of a connection (RFC 9110, section 7.6.1).
  private static let connection: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The header names that `Connection` lists.
  private static func options(of headers: some Sequence<(name: String, value: String)>) -> [String] {
    headers.filter { $0.name.lowercased() == "connection" }.flatMap { header in
      header.value.utf8.split(separator: UInt8(ascii: ",")).map { option in
        String(decoding: option.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
      }
    }
  }

  // MARK: - The proxy

  /// Headers by which a client asks a server for another method than the one that the rules were
  /// applied to, and keys, which the proxy sets itself.
  private static let droppedByProxy: Set<String> = [
    "x-api-key", "x-http-method", "x-http-method-override", "x-method-override", "ritual-account",
  ]

  /// Returns the headers of a request that the proxy sends on (EG-2): without those that the agent
  /// alone sets, which are dropped silently.
  ///
  /// - Parameter options: the options of `Connection`, in lower case.
  static func sentOn(_ headers: HTTPHeaders, options: Set<String>) -> HTTPHeaders {
    var sent = HTTPHeaders()
    sent.reserveCapacity(headers.count + 2)
    for (name, value) in headers where isSentOn(canonical(name), options) { sent.add(name: name, value: value) }
    return sent
  }

  private static func isSentOn(_ name: String, _ options: Set<String>) -> Bool {
    !isRefusedCanonical(name) && !connection.contains(name) && !droppedByProxy.contains(name)
      && !options.contains(name)
  }

  /// Headers of a response that concern the connection, or whose effect would be on the proxy's host
  /// instead of the API's.
  private static let droppedFromAnswers: Set<String> = [
    "set-cookie", "set-cookie2", "www-authenticate", "authentication-info", "alt-svc",
  ]

  /// Returns the headers of a response for the client of the proxy (EG-3). Framing is the proxy's.
  ///
  /// - Parameters:
  ///   - origins: origins that are the client's `host` for the client.
  static func answered(_ headers: HTTPHeaders, origins: [String], basePath: String, host: String) -> HTTPHeaders {
    let options = headers.contains(name: "connection") ? Set(options(of: headers)) : []
    var answer = HTTPHeaders()
    answer.reserveCapacity(headers.count + 1)
    for (name, value) in headers {
      let known = name.lowercased()
      guard !connection.contains(known), !droppedFromAnswers.contains(known), !options.contains(known),
        known != "content-length", !known.utf8.starts(with: "proxy-".utf8),
        !known.utf8.starts(with: "access-control-".utf8)
      else { continue }
      let isURL = known == "location" || known == "content-location"
      answer.add(
        name: name,
        value: isURL ? ClientURL.rewritten(value, origins: origins, basePath: basePath, host: host) : value)
    }
    return answer
  }

  private static func isRefused(_ name: String) -> Bool { isRefusedCanonical(canonical(name)) }

  private static func isRefusedCanonical(_ name: String) -> Bool {
    refused.contains(name) || refusedPrefixes.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// The name in lower case, and with hyphens: gateways in front of CGI treat an underscore as one.
  private static func canonical(_ name: String) -> String {
    let name = name.lowercased()
    guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
    return String(decoding: name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  /// True for a token (RFC 9110, section 5.6.2).
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maxFieldLength
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// True for a field value (RFC 9110, section 5.5): no control characters except the tab, so no
  /// CR, LF or NUL.
  private static func isValue(_ text: String) -> Bool {
    text.utf8.count <= maxFieldLength && text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}
