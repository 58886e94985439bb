import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import SystemSupport

/// A request of the API client: sent as it is. Prints redacted, for its headers carry a token.
public struct APIRequest: Sendable, Redacted {
  /// An HTTP method, such as `GET`.
  public var method: String
  /// Absolute: `https`, or `http` to loopback; without userinfo and fragment. That its origin is the right one is the
  /// caller's to check.
  public var url: String
  /// In the order in which they are sent. Headers that frame the message are refused.
  public var headers: [(name: String, value: String)]
  /// Sent with its length, never chunked.
  public var body: [UInt8]
  /// The largest body of an answer that is accepted, in bytes.
  public var limit: Int
  /// The limit for the whole exchange, body included.
  public var timeout: Duration
  /// Asked before a larger body of the answer is read; nil reads it at once.
  public var room: BodyRoom?

  /// A request by its parts. 30 s by default: an upload of 8 MiB at 3 Mbit/s takes 22 s.
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

/// Room for the body of an answer, so that none is fetched before there is memory for it.
public struct BodyRoom: Sendable {
  /// Bytes for which there is room already.
  public let free: Int
  /// Returns when there is room for a body of so many bytes.
  public let reserve: @Sendable (Int) async throws -> Void

  /// Room for `free` bytes, and what `reserve` can get.
  public init(free: Int, reserve: @escaping @Sendable (Int) async throws -> Void) {
    (self.free, self.reserve) = (free, reserve)
  }
}

/// The answer to an `APIRequest`, whatever its status. Prints redacted.
public struct APIResponse: Sendable, Redacted {
  /// The HTTP status; a 3xx is handed out as it is.
  public let status: Int
  /// In the order in which they came.
  public let headers: [(name: String, value: String)]
  /// The body, whole.
  public let body: [UInt8]

  /// An answer by its parts.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension APIRequest {
  /// Headers that say where a message begins, ends or goes. Two opinions on that between us and a proxy are request
  /// smuggling (RFC 9112, section 11.2).
  private static let framing: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The request for the HTTP client. Its address is checked where all are, in `HTTPTransport`.
  /// - Throws: `.invalidRequest` for its method or headers.
  func checked(userAgent: String) throws(AuthError) -> HTTPClientRequest {
    // Tokens of RFC 9110, section 9.1, of those that anyone uses; CONNECT and TRACE are not for clients like this.
    guard !method.isEmpty, method.utf8.count <= 20, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }),
      method != "CONNECT", method != "TRACE"
    else { throw AuthError(.invalidRequest, "not an HTTP method; write it in capitals") }
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
