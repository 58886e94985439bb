package import NIOHTTP1
import SystemSupport

/// Why a request on the loopback listener is refused before anything else is looked at.
package enum GrantRefusal: Error, Sendable, Equatable {
  /// The host is not the listener's own: 421. Another name could be one that an attacker's DNS server
  /// resolves to the loopback address.
  case misdirected
  /// The request comes from a web page: 403.
  case forbidden
  /// The stand-in is missing, malformed, in a wrong place, or not the only one: 401.
  case unauthorized
}

/// The stand-in of a request on the loopback listener, and the request target without it. Pure. Its
/// description shows no secret.
package struct GrantCredentials: Sendable, Equatable, Redacted {
  package let standIn: String
  /// The other keys of the request, which may be the project's public key but no other stand-in: those
  /// that have the form of one.
  package let otherKeys: [String]
  /// The request target, byte for byte, but for the query parameter with the stand-in.
  package let uri: String

  /// - Parameter port: the port of the listener.
  package init(of head: HTTPRequestHead, port: Int) throws(GrantRefusal) {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    try Self.checkHost(head, hosts)
    try Self.refusePages(head, hosts)
    let query = Self.takingKeys(from: head)
    let keys = head.headers["apikey"] + query.keys
    // Clients of Supabase send the project's key as apikey beside a bearer token.
    let bearers = Self.bearers(head.headers)
    let own = bearers.isEmpty ? keys : bearers
    guard let first = own.first, own.allSatisfy({ $0 == first }), StandIn.hasForm(first) else {
      throw .unauthorized
    }
    let others = keys.filter { $0 != first && StandIn.hasForm($0) }
    guard !others.contains(where: { $0.hasPrefix(StandIn.prefix) }), !Self.has(first, in: query.uri) else {
      throw .unauthorized
    }
    (standIn, otherKeys, uri) = (first, others, query.uri)
  }

  private static func checkHost(_ head: HTTPRequestHead, _ own: [String]) throws(GrantRefusal) {
    let hosts = head.headers["host"]
    guard hosts.count == 1, own.contains(hosts[0].lowercased()) else { throw .misdirected }
  }

  // MARK: - Pages

  /// Schemes of the origins of web pages, beside those of browser extensions. The origin of a page with
  /// another scheme is that of a program (`tauri`, `vscode-webview`).
  private static let pageSchemes: Set<String> = [
    "http", "https", "ws", "wss", "ftp", "file", "filesystem", "data", "blob", "about", "javascript",
  ]

  /// A browser sends `Sec-Fetch-Site` with every request to a loopback address, and `Origin` with all
  /// that a script can read or that has an effect. Of other clients, some send the URL's own origin, and
  /// those that contain a browser send `Sec-Fetch-Site: none`, or an origin with a scheme of their own,
  /// for which every request is cross-site.
  private static func refusePages(_ head: HTTPRequestHead, _ hosts: [String]) throws(GrantRefusal) {
    let isPreflight = head.method == .OPTIONS && head.headers.contains(name: "access-control-request-method")
    let (origins, sites) = (head.headers["origin"], head.headers["sec-fetch-site"])
    guard !isPreflight, origins.count <= 1 else { throw .forbidden }
    let origin = origins.first?.lowercased()
    if let origin, isProgram(origin) { return }
    guard origin.map({ origin in hosts.contains { origin == "http://" + $0 } }) ?? true,
      sites.allSatisfy({ $0.lowercased() == "none" })
    else { throw .forbidden }
  }

  private static func isProgram(_ origin: String) -> Bool {
    guard let end = origin.firstRange(of: "://")?.lowerBound else { return false }
    let scheme = origin[..<end]
    // RFC 3986, section 3.1; a browser's own kinds of extensions all end with the word.
    let isScheme = scheme.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
    return !scheme.isEmpty && isScheme && !pageSchemes.contains(String(scheme)) && !scheme.hasSuffix("extension")
  }

  // MARK: - Tokens

  /// The tokens of `Authorization: Bearer` (RFC 6750, section 2.1). Other schemes count as no token.
  private static func bearers(_ headers: HTTPHeaders) -> [String] {
    headers["authorization"].compactMap { value in
      let parts = value.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      return String(parts[1].drop { $0 == " " })
    }
  }

  // MARK: - The query

  /// True if a stand-in is in a request target, which servers log: the request's own in any form, or one
  /// of the usual form.
  private static func has(_ standIn: String, in uri: String) -> Bool {
    let text = decoded(uri.utf8[...])
    return [Array(StandIn.random(of: standIn).utf8), Array(StandIn.prefix.utf8)].contains {
      text.firstRange(of: $0) != nil
    }
  }

  /// Takes `apikey` out of the query of a realtime socket, whose clients can set no header.
  private static func takingKeys(from head: HTTPRequestHead) -> (keys: [String], uri: String) {
    let path = head.uri.prefix { $0 != "?" }
    guard isRealtimeSocket(head, path), path.endIndex != head.uri.endIndex else { return ([], head.uri) }
    let query = head.uri.utf8[head.uri.utf8.index(after: path.endIndex)...]
    let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let rest = items.filter { !isKey($0) }.map { String(Substring($0)) }.joined(separator: "&")
    return (items.filter(isKey).map(value), rest.isEmpty ? String(path) : path + "?" + rest)
  }

  private static func isRealtimeSocket(_ head: HTTPRequestHead, _ path: Substring) -> Bool {
    let isUpgrade = head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    return isUpgrade && (path == "/realtime" || path.hasPrefix("/realtime/"))
  }

  private static func isKey(_ item: Substring.UTF8View) -> Bool {
    decoded(item.prefix { $0 != UInt8(ascii: "=") }).elementsEqual("apikey".utf8)
  }

  private static func value(of item: Substring.UTF8View) -> String {
    String(decoding: decoded(item.drop { $0 != UInt8(ascii: "=") }.dropFirst()), as: UTF8.self)
  }

  /// Decodes once, as a server does.
  private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
    let bytes = Array(text)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let escape = PercentEncoding.escape(bytes[index...])
      result.append(escape ?? bytes[index])
      index += escape == nil ? 1 : 3
    }
    return result
  }
}
