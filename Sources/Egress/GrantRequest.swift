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
  /// The request target, byte for byte, but for the query parameter with the stand-in.
  package let uri: String

  /// - Parameter port: the port of the listener.
  package init(of head: HTTPRequestHead, port: Int) throws(GrantRefusal) {
    try Self.checkHost(head, port: port)
    try Self.refusePages(head)
    let query = try Self.query(of: head)
    let presented = Self.bearers(head.headers) + head.headers["apikey"] + query.standIns
    guard let first = presented.first, presented.allSatisfy({ $0 == first }), StandIn.hasForm(first) else {
      throw .unauthorized
    }
    (standIn, uri) = (first, query.uri)
  }

  private static func checkHost(_ head: HTTPRequestHead, port: Int) throws(GrantRefusal) {
    let hosts = head.headers["host"]
    guard hosts.count == 1, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(hosts[0]) else { throw .misdirected }
  }

  /// A browser sends `Sec-Fetch-Site` with every request to a loopback address, and `Origin` with all
  /// that a script can read or that has an effect. Other clients send neither; Node's `fetch` sends
  /// `Sec-Fetch-Mode` alone.
  private static func refusePages(_ head: HTTPRequestHead) throws(GrantRefusal) {
    let isPreflight = head.method == .OPTIONS && head.headers.contains(name: "access-control-request-method")
    guard !head.headers.contains(name: "origin"), !head.headers.contains(name: "sec-fetch-site"), !isPreflight else {
      throw .forbidden
    }
  }

  /// The tokens of `Authorization: Bearer` (RFC 6750, section 2.1). Other schemes count as no token.
  private static func bearers(_ headers: HTTPHeaders) -> [String] {
    headers["authorization"].compactMap { value in
      let parts = value.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      return String(parts[1].drop { $0 == " " })
    }
  }

  // MARK: - The query

  /// Takes `apikey` out of the query of a realtime socket, whose clients can set no header. A stand-in
  /// anywhere else in a request target is refused, because servers log these.
  private static func query(of head: HTTPRequestHead) throws(GrantRefusal) -> (standIns: [String], uri: String) {
    let (standIns, uri) = takingKeys(from: head)
    guard !hasStandIn(decoded(uri.utf8[...])) else { throw .unauthorized }
    return (standIns, uri)
  }

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

  private static func hasStandIn(_ text: [UInt8]) -> Bool {
    let prefix = Array(StandIn.prefix.utf8)
    return text.indices.contains { text[$0...].starts(with: prefix) }
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
