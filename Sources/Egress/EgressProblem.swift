import AgentProtocol
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// An answer of the proxy itself: a problem document (RFC 9457), marked by `Proxy-Status`
/// (RFC 9209), which no answer of an API has.
struct EgressProblem: Error, Sendable, Equatable {
  /// The HTTP status.
  let status: HTTPResponseStatus
  /// An error kind of the agent, or one of the proxy's own: `badRequest`, `misdirected`, `notFound`.
  let kind: String
  /// What happened, for the person who runs the tool.
  private(set) var detail: String
  /// The command to run, or another next step.
  var hint: String?
  var account: String?
  /// Seconds to wait before a retry.
  var retryAfter: Double?
  /// The error type of RFC 9209, section 2.3.
  let proxyError: String
  /// True if the rest of the connection cannot be understood.
  var closes = false

  init(
    _ status: HTTPResponseStatus, _ kind: String, _ detail: String, hint: String? = nil,
    proxyError: String = "http_request_error", closes: Bool = false
  ) {
    (self.status, self.kind, self.detail, self.hint) = (status, kind, detail, hint)
    (self.proxyError, self.closes) = (proxyError, closes)
  }

  static func badRequest(_ detail: String) -> EgressProblem {
    EgressProblem(.badRequest, "badRequest", detail, closes: true)
  }

  /// The problem for an error of the agent. Never a 401, which would start a sign-in in the tool.
  init(_ error: AgentError) {
    let (status, proxyError): (HTTPResponseStatus, String) =
      switch error.kind {
      case .unknownAccount: (.misdirectedRequest, "destination_not_found")
      case .invalidParams: (.badRequest, "http_request_error")
      case .tooLarge: (.payloadTooLarge, "http_request_error")
      case .timedOut: (.gatewayTimeout, "connection_timeout")
      case .offline, .internalError: (.badGateway, "destination_unavailable")
      case let kind where kind.facts.retryable: (.serviceUnavailable, "destination_unavailable")
      default: (.forbidden, "http_request_denied")
      }
    let cause = error.data.detail.map { " (\($0))" } ?? ""
    self.init(status, error.kind.rawValue, error.message + cause, hint: error.data.hint, proxyError: proxyError)
    (account, retryAfter) = (error.data.account, error.data.retryAfter)
  }

  /// Adds that the request may have had its effect, because its head was sent.
  mutating func addUnknownOutcome() { detail += " It is not known whether the request was carried out." }

  // MARK: - The answer

  private struct Document: Encodable {
    var type = "about:blank"
    var title: String
    var status: UInt
    var detail: String
    var kind: String
    var hint: String?
    var account: String?
  }

  /// Seconds until a retry where the error names none: a restart of the agent, and most outages of a
  /// second or two, are over by then.
  private static let usualRetry = 5.0

  var body: [UInt8] {
    let document = Document(
      title: status.reasonPhrase, status: status.code, detail: detail, kind: kind, hint: hint, account: account)
    // Strings and numbers always encode; an empty body would be noticed at once.
    return (try? WireCoding.encode(document)).map { Array($0) } ?? []
  }

  /// - Parameter length: the length of the body.
  func headers(length: Int) -> [(name: String, value: String)] {
    var headers = [
      ("content-type", "application/problem+json"), ("content-length", "\(length)"), ("cache-control", "no-store"),
      ("proxy-status", "ritual-agent; error=\(proxyError); details=\"\(kind)\""),
    ]
    if status == .unauthorized { headers.append(("www-authenticate", "Bearer realm=\"ritual-agent\"")) }
    if status == .methodNotAllowed {
      headers.append(("allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"))
    }
    if status == .serviceUnavailable {
      headers.append(("retry-after", "\(Int(max(1, (retryAfter ?? Self.usualRetry).rounded(.up))))"))
    }
    if closes { headers.append(("connection", "close")) }
    return headers
  }

  /// Writes the whole answer; without its body for HEAD.
  func write(to out: inout ByteBuffer, isHead: Bool) {
    let body = body
    out.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
    for (name, value) in headers(length: body.count) { out.writeString("\(name): \(value)\r\n") }
    out.writeLineEnd()
    if !isHead { out.writeBytes(body) }
  }
}
