import AgentProtocol
import NIOCore
import NIOHTTP1
import WebURLs

/// The head of a client's request, validated and reduced to what may be sent on. Pure. A class, because each
/// request passes it on several times.
package final class EgressRequest: Sendable {
  /// The account that the host or the header names; nil for the default account.
  let account: String?
  let method: String
  /// Path and query, as the client wrote them.
  let target: String
  let body: HTTPFraming
  let expectsContinue: Bool
  /// True for a WebSocket handshake (RFC 6455, section 4.1).
  let isUpgrade: Bool
  /// True if the connection serves another request after this one.
  let keepsAlive: Bool
  private let head: HTTPHead
  private let authority: Range<Int>
  /// The options of `Connection`, in small letters.
  private let options: [String]

  /// Validates a request on the egress socket.
  package convenience init(_ head: HTTPHead) throws { try self.init(checked: head) }

  convenience init(checked head: HTTPHead) throws(EgressProblem) {
    try self.init(head, uri: head.target) { fields throws(EgressProblem) in try fields.namedAccount() }
  }

  /// Validates a request for a known account: one with a grant.
  ///
  /// - Parameter uri: the request target without the grant's placeholder token.
  convenience init(_ head: HTTPHead, account: String, uri: String) throws(EgressProblem) {
    try self.init(head, uri: uri) { _ throws(EgressProblem) in account }
  }

  private init(
    _ head: HTTPHead, uri: String, _ account: (EgressFields) throws(EgressProblem) -> String?
  ) throws(EgressProblem) {
    let fields = EgressFields(head)
    method = head.method
    guard method != "CONNECT", method != "TRACE" else {
      throw EgressProblem(.methodNotAllowed, "badRequest", "\(method) is not served.", closes: true)
    }
    authority = try fields.host()
    self.account = try account(fields)
    target = try Self.target(uri) { fields.hostName }
    body = try fields.framing()
    expectsContinue = try fields.expectsContinue()
    if fields.hasAuthorization { try Self.refuseSignature(head) }
    options = fields.hasConnection ? head.list(.connection) : []
    // Nothing that follows a request with `Upgrade` is understood.
    let wantsUpgrade = options.contains("upgrade") && head.contains(.upgrade)
    isUpgrade = wantsUpgrade && method == "GET" && body == .none && head.list(.upgrade).contains("websocket")
    keepsAlive = !options.contains("close") && !wantsUpgrade
    self.head = head
    try Self.refuseDiscovery(path)
  }

  /// How long the client waits for a person's answer (`Prefer: wait=60`, RFC 7240); nil if it does not.
  var preferredWait: Duration? {
    guard head.contains(.prefer) else { return nil }
    let seconds = head.list(.prefer).lazy.compactMap { preference in
      // Parameters follow a semicolon, and the value may be quoted.
      let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == "wait" ? Int(parts[1].filter { $0 != "\"" }) : nil
    }
    return seconds.first.flatMap { $0 > 0 ? min(.seconds($0), EgressLimits.maxHold) : nil }
  }

  /// The path without the query, for rules.
  var path: String { String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }

  /// The `Host` of the client, the authority of rewritten URLs. `localhost` if the client's URL has no host.
  var host: String { authority.isEmpty ? "localhost" : head.text(authority) }

  /// Writes the client's fields, without those that carry identity or framing, and `others`.
  func writeFields(to out: inout ByteBuffer, without others: [String]) {
    guard others.isEmpty, !options.contains(where: { $0 != "close" && $0 != "keep-alive" }) else {
      let dropped = Set(options + others)
      return head.write(to: &out) { !$0.isReserved && !dropped.contains(ReservedHeader.canonical(head.text($0.name))) }
    }
    head.write(to: &out) { !$0.isReserved }
  }

  // MARK: - The request line

  /// The path and query of a request target in origin-form or absolute-form (RFC 9112, section 3.2).
  private static func target(_ uri: String, host: () -> String) throws(EgressProblem) -> String {
    if uri.utf8.first == UInt8(ascii: "/") { return uri }
    guard let scheme = uri.firstRange(of: "://"), uri[..<scheme.lowerBound].lowercased() == "http" else {
      throw .badRequest("The request target must be a path, or an http URL of the same host.")
    }
    let authority = uri[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard authority.lowercased() == host() else {
      throw .badRequest("The URL and the Host header name different hosts.")
    }
    let rest = String(uri[authority.endIndex...])
    return rest.hasPrefix("/") ? rest : "/" + rest
  }

  /// Refuses a signature, which the agent's token would replace.
  static func refuseSignature(_ head: HTTPHead) throws(EgressProblem) {
    let isSigned = head.fields.contains { field in
      field.known == .authorization && head.matches(field.value.prefix(5), "aws4-")
    }
    guard isSigned else { return }
    throw EgressProblem(
      .badRequest, "badRequest",
      "Requests with an S3 signature (AWS4) are not sent: the agent's token would replace it.",
      hint: "use Storage's own API: /storage/v1/object, or /storage/v1/upload/resumable for large files")
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

/// The fields that decide where a request goes and where its body ends, found in one pass.
struct EgressFields {
  private let head: HTTPHead
  private var hosts = 0
  /// The value of the last `Host`.
  private(set) var authority = 0..<0
  private var codings: [Range<Int>] = []
  private var lengths: [Range<Int>] = []
  private var hasExpectation = false
  private(set) var hasConnection = false
  private(set) var hasAuthorization = false

  init(_ head: HTTPHead) {
    self.head = head
    for field in head.fields {
      switch field.known {
      case .host: (hosts, authority) = (hosts + 1, field.value)
      case .transferEncoding: codings.append(field.value)
      case .contentLength: lengths.append(field.value)
      case .expect: hasExpectation = true
      case .connection: hasConnection = true
      case .authorization: hasAuthorization = true
      default: break
      }
    }
  }

  // MARK: - The host

  /// Exactly one `Host` (RFC 9112, section 3.2). It is empty if the client's URL has no host.
  func host() throws(EgressProblem) -> Range<Int> {
    guard hosts == 1, head.withBytes({ bytes in bytes[authority].allSatisfy(Self.isHostByte) }) else {
      var problem = EgressProblem.badRequest("The request must have one Host header with a plain host.")
      if head.values(.host).contains(where: Self.isSocketPath) {
        problem = .badRequest("The host of the URL is the path of a socket.")
        problem.hint = "use http://localhost/rest/v1/… as the URL, and give the client the socket in its own option"
      }
      throw problem
    }
    return authority
  }

  /// The host in small letters; `localhost` if the client's URL has none.
  var hostName: String { authority.isEmpty ? "localhost" : head.text(authority).lowercased() }

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

  /// The account that the host names. `localhost` stands for the default account, or for the one in
  /// the header `Ritual-Account`, whose name need not be a valid host.
  func namedAccount() throws(EgressProblem) -> String? {
    let named = head.contains(.ritualAccount) ? head.values(.ritualAccount).filter { !$0.isEmpty } : []
    guard named.count <= 1 else { throw .badRequest("The header Ritual-Account occurs twice.") }
    let host = hostName
    let name = String(host.prefix { $0 != ":" })
    let port = host.dropFirst(name.count)
    guard port.isEmpty || port.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .badRequest("The Host header has an invalid port.")
    }
    if name == "localhost" { return try named.first.map(Self.checked) }
    guard named.first.map({ $0 == name }) ?? true else {
      throw .badRequest("The Host and Ritual-Account headers name different accounts.")
    }
    return try Self.checked(name)
  }

  private static func checked(_ name: String) throws(EgressProblem) -> String {
    guard AccountName.isValid(name) else { throw EgressProblem(AgentError(.unknownAccount)) }
    return name
  }

  // MARK: - Framing

  func framing() throws(EgressProblem) -> HTTPFraming {
    if !codings.isEmpty {
      guard lengths.isEmpty, codings.count == 1, head.matches(codings[0], "chunked") else {
        throw .badRequest("The only transfer coding is chunked, without a length.")
      }
      return .chunked
    }
    guard let first = lengths.first else { return .none }
    guard lengths.count == 1, let length = head.length(first) else {
      throw .badRequest("The length is not a number.")
    }
    // A length of zero is sent on: servers tell it from no body.
    return .length(length)
  }

  func expectsContinue() throws(EgressProblem) -> Bool {
    guard hasExpectation else { return false }
    guard head.list(.expect).allSatisfy({ $0 == "100-continue" }) else {
      throw EgressProblem(.expectationFailed, "badRequest", "The only expectation is 100-continue.", closes: true)
    }
    return true
  }
}

extension HTTPHead {
  /// A `Content-Length` (RFC 9110, section 8.6); nil if it is no number, or too large.
  func length(_ value: Range<Int>) -> Int? {
    let text = text(value)
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

extension EgressProblem {
  static let tooLargeHead = EgressProblem(
    .requestHeaderFieldsTooLarge, "badRequest",
    "The head of the request is larger than \(HTTPHead.maxBytes >> 10) KiB.", closes: true)

  /// The problem for bytes of a client that are no request.
  init(_ fault: HTTPFault) {
    self =
      switch fault {
      case .syntax: .badRequest("The request is not valid HTTP/1.1.")
      case .method: .badRequest("The method must be in capital letters.")
      case .version: EgressProblem(.httpVersionNotSupported, "badRequest", "Use HTTP/1.1.", closes: true)
      case .tooLarge: .tooLargeHead
      }
  }
}
