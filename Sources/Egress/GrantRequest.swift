import NIOHTTP1
import SystemSupport

/// Why a request with a grant is refused before anything else is looked at.
extension EgressProblem {
  /// The host is not the listener's own. Another name could be one that an attacker's DNS server
  /// resolves to the loopback address.
  static let misdirected = EgressProblem(
    .misdirectedRequest, "misdirected", "The Host header is not the address of this grant.",
    hint: "use the URL exactly as the grant names it", proxyError: "destination_not_found", closes: true)
  /// The request comes from a web page.
  static let forbidden = EgressProblem(
    .forbidden, "denied", "Web pages cannot use a grant.",
    hint: "let a program send the request, such as the server of the page", proxyError: "http_request_denied",
    closes: true)
  /// The placeholder token is missing, malformed, in a wrong place, or not the only one.
  static let unauthorized = EgressProblem(
    .unauthorized, "standInInvalid", "The placeholder token is missing or wrong, or its grant has ended.",
    hint: "send it as bearer token (exec: $RITUAL_ACCESS_TOKEN); for a new one: ritualctl grant",
    proxyError: "http_request_denied")
}

extension Grants {
  /// Returns a request on the connection of a grant, identified by its placeholder token, and the program
  /// that it is made for. Does not block.
  ///
  /// - Parameter port: the port of the loopback listener; nil for a socket.
  func identify(
    _ head: HTTPHead, at endpoint: GrantEndpoint, port: Int?
  ) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller) {
    let credentials: GrantCredentials
    do throws(EgressProblem) { credentials = try GrantCredentials(of: head, port: port, isHost: isHost) } catch {
      // Clients look for an authorization server without a token.
      if error == .unauthorized {
        try EgressRequest.refuseDiscovery(String(head.target.prefix { $0 != "?" }))
        try EgressRequest.refuseSignature(head)
      }
      throw error
    }
    guard let grant = lookUp(token: credentials.token), grant.endpoint == endpoint,
      !credentials.otherKeys.contains(where: { lookUp(token: $0) != nil })
    else { throw .unauthorized }
    guard credentials.host == nil || credentials.host == grant.host else { throw .misdirected }
    let request = try EgressRequest(head, account: grant.account, uri: credentials.uri)
    grant.noteRequest()
    return (request, grant.caller)
  }
}

/// The placeholder token of a request with a grant, and the request target without it. Pure. Its
/// description shows no secret.
struct GrantCredentials: Sendable, Equatable, Redacted {
  let token: String
  /// The other keys of the request, which may be the project's public key but no other placeholder token: those
  /// that have the form of one.
  let otherKeys: [String]
  /// The request target, byte for byte, but for the query parameter with the placeholder token.
  let uri: String
  /// The host, without its port, if it is one that only some grants have.
  let host: String?

  /// - Parameters:
  ///   - port: the port of the listener; nil for a socket.
  ///   - isHost: true for another host of some grant.
  init(of head: HTTPHead, port: Int?, isHost: (String) -> Bool) throws(EgressProblem) {
    let fields = GrantFields(head)
    guard fields.hosts == 1 else { throw .misdirected }
    host = try Self.ownHost(head, fields.host, port, isHost)
    try Self.refusePages(head, fields, port)
    let query = Self.takingKeys(from: head)
    let keys = fields.keys + query.keys
    // Clients of Supabase send the project's key as apikey beside a bearer token.
    let own = fields.bearers.isEmpty ? keys : fields.bearers
    guard let first = own.first, own.allSatisfy({ $0 == first }), PlaceholderToken.hasForm(first) else {
      throw .unauthorized
    }
    let others = keys.filter { $0 != first && PlaceholderToken.hasForm($0) }
    guard !others.contains(where: { $0.hasPrefix(PlaceholderToken.prefix) }), !Self.has(first, in: query.uri) else {
      throw .unauthorized
    }
    (token, otherKeys, uri) = (first, others, query.uri)
  }

  /// Returns nil for a host of every grant, else the name that is one of some grant.
  private static func ownHost(
    _ head: HTTPHead, _ host: Range<Int>, _ port: Int?, _ isHost: (String) -> Bool
  ) throws(EgressProblem) -> String? {
    if let port, isLoopback(head, host, port) { return nil }
    let text = head.text(host).lowercased()
    // A socket has no port, but one that leads to it (ssh -L and -R, socat) has any.
    let name = text.prefix { $0 != ":" }
    let rest = text[name.endIndex...].dropFirst()
    let isPort = port.map { rest == "\($0)" } ?? rest.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    guard isPort else { throw .misdirected }
    // Some clients of sockets send no name.
    if port == nil, ["localhost", "127.0.0.1", ""].contains(name) { return nil }
    guard isHost(String(name)) else { throw .misdirected }
    return String(name)
  }

  /// True for `127.0.0.1:port` and `localhost:port`.
  private static func isLoopback(_ head: HTTPHead, _ host: Range<Int>, _ port: Int) -> Bool {
    guard host.count > 10 else { return false }
    let colon = host.lowerBound + 10
    return ["127.0.0.1:", "localhost:"].contains { head.matches(host.lowerBound..<colon, $0) }
      && head.text(colon..<host.upperBound) == String(port)
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
  private static func refusePages(_ head: HTTPHead, _ fields: GrantFields, _ port: Int?) throws(EgressProblem) {
    let isPreflight = fields.hasRequestedMethod && head.method == "OPTIONS"
    guard !isPreflight, fields.origins.count <= 1 else { throw .forbidden }
    let origin = fields.origins.first?.lowercased()
    if let origin, isProgram(origin) { return }
    guard origin.map({ isOwn($0, head, fields, port) }) ?? true,
      fields.sites.allSatisfy({ $0.lowercased() == "none" })
    else { throw .forbidden }
  }

  private static func isOwn(_ origin: String, _ head: HTTPHead, _ fields: GrantFields, _ port: Int?) -> Bool {
    let hosts = port.map { ["127.0.0.1:\($0)", "localhost:\($0)"] } ?? []
    return (hosts + [head.text(fields.host).lowercased()]).contains { origin == "http://" + $0 }
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

  // MARK: - The query

  /// True if a placeholder token is in a request target, which servers log: the request's own in any form, or one
  /// of the usual form.
  private static func has(_ token: String, in uri: String) -> Bool {
    // The prefix, which is the shorter one, does not fit into most.
    guard uri.utf8.count > PlaceholderToken.prefix.utf8.count else { return false }
    let text = PercentEncoding.decoded(Array(uri.utf8))
    return [Array(PlaceholderToken.random(of: token).utf8), Array(PlaceholderToken.prefix.utf8)].contains {
      text.firstRange(of: $0) != nil
    }
  }

  /// Takes `apikey` out of the query of a realtime socket, whose clients can set no header.
  private static func takingKeys(from head: HTTPHead) -> (keys: [String], uri: String) {
    var uri = head.target
    // Clients make two slashes of a URL that ends with one.
    if uri.hasPrefix("//") { uri.removeFirst() }
    let path = uri.prefix { $0 != "?" }
    guard path.endIndex != uri.endIndex, isRealtimeSocket(head, path) else { return ([], uri) }
    let query = uri.utf8[uri.utf8.index(after: path.endIndex)...]
    let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let rest = items.filter { !isKey($0) }.map { String(Substring($0)) }.joined(separator: "&")
    return (items.filter(isKey).map(value), rest.isEmpty ? String(path) : path + "?" + rest)
  }

  private static func isRealtimeSocket(_ head: HTTPHead, _ path: Substring) -> Bool {
    (path == "/realtime" || path.hasPrefix("/realtime/")) && head.list(.upgrade).contains("websocket")
  }

  private static func isKey(_ item: Substring.UTF8View) -> Bool {
    PercentEncoding.decoded(Array(item.prefix { $0 != UInt8(ascii: "=") })).elementsEqual("apikey".utf8)
  }

  private static func value(of item: Substring.UTF8View) -> String {
    let value = Array(item.drop { $0 != UInt8(ascii: "=") }.dropFirst())
    return String(decoding: PercentEncoding.decoded(value), as: UTF8.self)
  }
}

/// The fields that identify the program of a request with a grant, found in one pass.
private struct GrantFields {
  private(set) var hosts = 0
  /// The value of the last `Host`.
  private(set) var host = 0..<0
  private(set) var origins: [String] = []
  private(set) var sites: [String] = []
  private(set) var keys: [String] = []
  /// The tokens of `Authorization: Bearer` (RFC 6750, section 2.1). Other schemes count as no token.
  private(set) var bearers: [String] = []
  private(set) var hasRequestedMethod = false

  init(_ head: HTTPHead) {
    for field in head.fields {
      switch field.known {
      case .host: (hosts, host) = (hosts + 1, field.value)
      case .origin: origins.append(head.text(field.value))
      case .secFetchSite: sites.append(head.text(field.value))
      case .accessControlRequestMethod: hasRequestedMethod = true
      case .apikey: keys.append(head.text(field.value))
      case .authorization: if let token = Self.bearer(head, field.value) { bearers.append(token) }
      default: break
      }
    }
  }

  private static func bearer(_ head: HTTPHead, _ value: Range<Int>) -> String? {
    let scheme = "bearer ".utf8.count
    guard value.count > scheme, head.matches(value.lowerBound..<value.lowerBound + scheme, "bearer ") else {
      return nil
    }
    let token = head.text(value.lowerBound + scheme..<value.upperBound)
    return token.hasPrefix(" ") ? String(token.drop { $0 == " " }) : token
  }
}
