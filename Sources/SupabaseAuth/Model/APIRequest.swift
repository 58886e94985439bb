import AsyncHTTPClient
public import FoundationEssentials
import NIOCore
import NIOHTTP1
public import SystemSupport

/// A request of the API client, sent unchanged. Prints redacted because its headers carry a token.
public struct APIRequest: Sendable, Redacted {
  /// An HTTP method, such as `GET`.
  public var method: String
  /// An absolute URL: `https`, or `http` to loopback; without userinfo and fragment. The caller
  /// must check that the origin is the intended one.
  public var url: String
  /// The headers in the order of sending. Headers that frame the message are refused.
  public var headers: [(name: String, value: String)]
  /// The body, sent with `Content-Length`, never chunked.
  public var body: [UInt8]
  /// The maximum size of the response body, in bytes.
  public var limit: Int
  /// The time limit for the whole exchange, response body included.
  public var timeout: Duration

  /// Creates a request from its parts. The default timeout is 30 s: long for an API, short for a person
  /// who waits for a profile.
  public init(
    method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [], limit: Int,
    timeout: Duration = .seconds(30)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limit = limit
    self.timeout = timeout
  }
}

/// The response to an `APIRequest`, whatever its status. Prints redacted.
public struct APIResponse: Sendable, Redacted {
  /// The HTTP status; a 3xx is not followed.
  public let status: Int
  /// The headers in the order of arrival.
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension APIResponse {
  /// Returns the value of the first header with this name, compared without regard to case.
  public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  /// The server's clock at the time of the response (RFC 9110, section 6.6.1); nil if the header is
  /// missing or malformed.
  public var date: Date? { header("date").flatMap(HTTPDate.date) }

  var isSuccess: Bool { (200...299).contains(status) }

  /// True if the body is declared as JSON, or not declared. A gateway's HTML never reaches a
  /// decoder.
  var mayBeJSON: Bool {
    guard let type = header("content-type") else { return true }
    return type.prefix { $0 != ";" }.lowercased().contains("json")
  }

  /// Returns the body as a `Value`, or nil if it cannot be decoded. The decoder's error is dropped
  /// because it quotes the text.
  func json<Value: Decodable>(_ type: Value.Type) -> Value? {
    guard mayBeJSON else { return nil }
    return try? JSONDecoder().decode(type, from: Data(body))
  }

  /// Returns the wait that the server asks for (RFC 9110, section 10.2.3), given in seconds or as a
  /// date. A date is compared with the server's own clock if the response has one. At most one day,
  /// so that no response can suspend a session for longer.
  func retryAfter(now: Date) -> Duration? {
    guard let text = header("retry-after") else { return nil }
    let day = 86400.0
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isNumber { return .seconds(min(Double(text) ?? day, day)) }
    guard let moment = HTTPDate.date(text) else { return nil }
    return .seconds(min(max(moment.timeIntervalSince(date ?? now), 0), day))
  }
}

extension APIRequest {
  /// The headers that define where a message begins, ends or goes. If the agent and a proxy
  /// interpret them differently, the result is request smuggling (RFC 9112, section 11.2).
  private static let framing: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns the request for the HTTP client. `HTTPTransport` checks the URL, as for all requests.
  /// - Throws: `.invalidRequest` for an invalid method or header.
  func checked(userAgent: String) throws(AuthError) -> HTTPClientRequest {
    // Accepts the upper-case subset of method tokens (RFC 9110, section 9.1). API clients have no
    // use for CONNECT and TRACE.
    guard !method.isEmpty, method.utf8.count <= 20, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }),
      method != "CONNECT", method != "TRACE"
    else { throw AuthError(.invalidRequest, "not an HTTP method; use uppercase") }
    var request = HTTPClientRequest(url: url)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers {
      guard !Self.framing.contains(name.lowercased()) else {
        throw AuthError(.invalidRequest, "a header that frames the message cannot be set")
      }
      request.headers.add(name: name, value: value)
    }
    if !request.headers.contains(name: "user-agent") { request.headers.add(name: "user-agent", value: userAgent) }
    if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
    return request
  }
}
