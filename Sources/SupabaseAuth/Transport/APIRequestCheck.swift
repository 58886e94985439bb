import AsyncHTTPClient
import NIOCore
import NIOHTTP1

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
