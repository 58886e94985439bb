import AgentProtocol
package import NIOHTTP1

/// The head of a client's request, validated and reduced to what may be sent on. Pure.
package struct EgressRequest: Sendable {
  /// The framing of the body (RFC 9112, section 6.3).
  enum Body: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// The account that the host or the header names; nil for the default account.
  let account: String?
  let method: HTTPMethod
  /// Path and query, as the client wrote them.
  let target: String
  /// The client's headers, without those that carry identity or framing.
  let headers: HTTPHeaders
  let body: Body
  /// The `Host` of the client: the authority of rewritten URLs.
  let host: String
  let expectsContinue: Bool
  /// True for a WebSocket handshake (RFC 6455, section 4.1).
  let isUpgrade: Bool
  /// True if the connection serves another request after this one.
  let keepsAlive: Bool

  /// The maximum size of a request's head, in bytes: more than the limits of servers (8 to 16 KiB).
  package static let maxHeadBytes = 32 * 1024

  /// The path without the query, for rules.
  var path: String { String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }

  /// Validates a request on the egress socket.
  package init(_ head: HTTPRequestHead) throws { try self.init(checked: head) }

  init(checked head: HTTPRequestHead) throws(EgressProblem) {
    try self.init(head, account: Self.account(of: head))
  }

  /// Validates a request for a known account: one with a grant.
  ///
  /// - Parameter uri: the request target without the grant's stand-in.
  init(_ head: HTTPRequestHead, account: String?, uri: String? = nil) throws(EgressProblem) {
    try Self.checkVersionAndSize(head)
    try Self.checkMethod(head)
    host = try Self.host(of: head)
    self.account = account
    method = head.method
    target = try Self.target(uri ?? head.uri, host: host)
    body = try Self.body(of: head.headers)
    expectsContinue = try Self.expectsContinue(head.headers)
    try Self.refuseSignature(head.headers)
    let options = Self.connectionOptions(head.headers)
    // The parser understands nothing that follows a request with `Upgrade`.
    let wantsUpgrade = options.contains("upgrade") && head.headers.contains(name: "upgrade")
    isUpgrade =
      wantsUpgrade && head.method == .GET && body == .none
      && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    keepsAlive = !options.contains("close") && !wantsUpgrade
    headers = APIHeaders.sentOn(head.headers, options: options)
    try Self.refuseDiscovery(path)
  }

  // MARK: - The request line

  private static func checkVersionAndSize(_ head: HTTPRequestHead) throws(EgressProblem) {
    guard head.version == .http1_1 else {
      throw EgressProblem(.httpVersionNotSupported, "badRequest", "Use HTTP/1.1.", closes: true)
    }
    let size = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard size <= maxHeadBytes else { throw .tooLargeHead }
  }

  private static func checkMethod(_ head: HTTPRequestHead) throws(EgressProblem) {
    let name = head.method.rawValue
    guard !["CONNECT", "TRACE"].contains(name) else {
      throw EgressProblem(.methodNotAllowed, "badRequest", "\(name) is not served.", closes: true)
    }
    guard name.utf8.count <= APIHeaders.maxMethodLength,
      name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D })
    else { throw .badRequest("The method must be in capital letters.") }
  }

  /// Exactly one `Host` (RFC 9112, section 3.2). It is empty if the client's URL has no host.
  private static func host(of head: HTTPRequestHead) throws(EgressProblem) -> String {
    // Not in the canonical form, which drops an empty one.
    let hosts = head.headers["host"]
    guard hosts.count == 1, let host = hosts.first, !isSocketPath(host), host.utf8.allSatisfy({ isHostByte($0) }) else {
      var problem = EgressProblem.badRequest("The request must have one Host header with a plain host.")
      if hosts.contains(where: isSocketPath) {
        problem = .badRequest("The host of the URL is the path of a socket.")
        problem.hint = "use localhost as the host, and give the socket to the client apart: http://localhost/rest/v1/…"
      }
      throw problem
    }
    return host.isEmpty ? "localhost" : host
  }

  /// Some clients take the path of a Unix socket as the host of a URL.
  private static func isSocketPath(_ host: String) -> Bool {
    host.contains("/") || host.lowercased().contains("%2f")
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "-._:[]".utf8.contains(byte)
    }
  }

  /// The path and query of a request target in origin-form or absolute-form (RFC 9112, section 3.2).
  private static func target(_ uri: String, host: String) throws(EgressProblem) -> String {
    if uri.hasPrefix("/") { return uri }
    guard let scheme = uri.firstRange(of: "://"), uri[..<scheme.lowerBound].lowercased() == "http" else {
      throw .badRequest("The request target must be a path, or an http URL of the same host.")
    }
    let authority = uri[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard authority.lowercased() == host.lowercased() else {
      throw .badRequest("The URL and the Host header name different hosts.")
    }
    let rest = String(uri[authority.endIndex...])
    return rest.hasPrefix("/") ? rest : "/" + rest
  }

  /// Refuses a signature, which the agent's token would replace.
  static func refuseSignature(_ headers: HTTPHeaders) throws(EgressProblem) {
    guard headers["authorization"].contains(where: { $0.lowercased().hasPrefix("aws4-") }) else { return }
    throw EgressProblem(
      .badRequest, "badRequest",
      "Requests with an S3 signature (AWS4) are not sent: the agent's token would replace it.",
      hint: "use Storage's own API: /storage/v1/object, or /storage/v1/upload/resumable for large files")
  }

  // MARK: - The account

  /// The account that the host names. `localhost` stands for the default account, or for the one in
  /// the header `Ritual-Account`, whose name need not be a valid host.
  private static func account(of head: HTTPRequestHead) throws(EgressProblem) -> String? {
    let named = head.headers[canonicalForm: "ritual-account"].map(String.init)
    guard named.count <= 1 else { throw .badRequest("The header Ritual-Account occurs twice.") }
    let host = try host(of: head)
    let name = String(host.prefix { $0 != ":" }).lowercased()
    let port = host.dropFirst(name.count)
    guard port.isEmpty || port.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .badRequest("The Host header has an invalid port.")
    }
    if name == "localhost" { return try named.first.map(checked) }
    guard named.first.map({ $0 == name }) ?? true else {
      throw .badRequest("The Host and Ritual-Account headers name different accounts.")
    }
    return try checked(name)
  }

  private static func checked(_ name: String) throws(EgressProblem) -> String {
    guard AccountName.isValid(name) else { throw EgressProblem(AgentError(.unknownAccount)) }
    return name
  }

  // MARK: - Framing

  /// The parser refuses conflicting lengths, and a length together with a transfer coding.
  private static func body(of headers: HTTPHeaders) throws(EgressProblem) -> Body {
    // Not in the canonical form, which drops empty ones.
    let (codings, lengths) = (headers["transfer-encoding"], headers["content-length"])
    if !codings.isEmpty {
      guard lengths.isEmpty, codings.count == 1, codings[0].lowercased() == "chunked" else {
        throw .badRequest("The only transfer coding is chunked, without a length.")
      }
      return .chunked
    }
    guard !lengths.isEmpty else { return .none }
    guard lengths.count == 1, lengths[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(lengths[0])
    else { throw .badRequest("The length is not a number.") }
    // A length of zero is sent on: servers tell it from no body.
    return .length(length)
  }

  private static func expectsContinue(_ headers: HTTPHeaders) throws(EgressProblem) -> Bool {
    let expectations = headers[canonicalForm: "expect"]
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw EgressProblem(.expectationFailed, "badRequest", "The only expectation is 100-continue.", closes: true)
    }
    return !expectations.isEmpty
  }

  private static func connectionOptions(_ headers: HTTPHeaders) -> Set<String> {
    Set(headers[canonicalForm: "connection"].map { $0.lowercased() })
  }

  /// Paths at which a tool would look for an authorization server, and start a sign-in of its own
  /// (RFC 8414, RFC 9728, OpenID Connect Discovery).
  static func refuseDiscovery(_ path: String) throws(EgressProblem) {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return }
    let path = path.lowercased()
    guard path.contains("/.well-known/oauth-") || path.contains("/.well-known/openid-configuration") else { return }
    throw EgressProblem(
      .notFound, "notFound", "No sign-in is needed here: the agent adds the authorization.",
      proxyError: "http_request_denied")
  }
}

extension EgressProblem {
  static let tooLargeHead = EgressProblem(
    .requestHeaderFieldsTooLarge, "badRequest",
    "The head of the request is larger than \(EgressRequest.maxHeadBytes >> 10) KiB, or has too many headers.",
    closes: true)
}
