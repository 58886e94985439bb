import NIOCore
import NIOHTTP1

/// A request to the loopback listener that has passed every check. The listener has checked the
/// peer's uid before.
struct LoopbackRequest: Sendable {
  /// The request target as sent, including the query; begins with a slash.
  let target: String
  /// The form of a POST; nil for a GET.
  let form: FormBody?
  /// True if a page of this listener or the person made the request, or if the browser does not
  /// say.
  let isFromHere: Bool
  private let cookies: [String]

  /// The path as sent: neither decoded nor normalised.
  var path: String { String(target.prefix { $0 != "?" }) }

  var hasQuery: Bool { target.utf8.contains(UInt8(ascii: "?")) }

  /// Returns whether the request has the cookie for which the launch URL was exchanged.
  func holds(_ secret: String, port: Int) -> Bool { PageCookie.isHeld(secret, port: port, in: cookies) }

  /// Validates the head and body of a request.
  /// - Throws: the response to a request that is refused. Only a person's own top-level navigation
  ///   and the listener's own form and script are served. Background requests and posts of
  ///   other pages, requests for another host name (DNS rebinding) and prefetches are refused
  ///   before further processing.
  init(_ head: HTTPRequestHead, body: [UInt8] = [], port: Int) throws(LoopbackAnswer) {
    guard head.method == .GET || head.method == .POST else { throw .refused(405) }
    guard head.headers["host"] == ["127.0.0.1:\(port)"] else { throw .refused(421) }
    guard head.uri.utf8.first == UInt8(ascii: "/"), head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .refused(400)
    }
    guard head.uri.utf8.count <= SignInLimits.maxCallbackLength else { throw .refused(414) }
    let metadata = FetchMetadata(head.headers)
    if head.method == .POST {
      try Self.checkForm(head.headers, metadata, port: port)
    } else {
      let isScript = head.uri == PagePath.script.rawValue && metadata.isOwnScript
      guard metadata.isNavigation || isScript else { throw .refused(403) }
    }
    target = head.uri
    form = head.method == .POST ? FormBody(body) : nil
    isFromHere = metadata.isFromHere
    cookies = head.headers["cookie"]
  }

  /// Accepts only the listener's own form, sent from its own page. Browsers send `Origin` with
  /// every POST (Fetch, section 3.2).
  private static func checkForm(
    _ headers: HTTPHeaders, _ metadata: FetchMetadata, port: Int
  ) throws(LoopbackAnswer) {
    let origin = "http://127.0.0.1:\(port)"
    guard headers["origin"] == [origin], metadata.isNavigation, metadata.isSameOrigin else {
      throw .refused(403)
    }
    guard headers["content-type"] == ["application/x-www-form-urlencoded"] else { throw .refused(415) }
  }
}

/// W3C Fetch Metadata: the browser's description of a request. Old browsers and plain clients do
/// not send it.
private struct FetchMetadata {
  private let headers: HTTPHeaders

  init(_ headers: HTTPHeaders) { self.headers = headers }

  private func isAbsentOr(_ values: [String], _ name: String) -> Bool {
    headers[name].isEmpty || headers[name].count == 1 && values.contains(headers[name][0])
  }

  var isNavigation: Bool {
    let purposes = headers["sec-purpose"] + headers["purpose"] + headers["x-purpose"]
    return isAbsentOr(["navigate"], "sec-fetch-mode") && isAbsentOr(["document"], "sec-fetch-dest") && purposes.isEmpty
  }

  var isSameOrigin: Bool { isAbsentOr(["same-origin"], "sec-fetch-site") }

  /// True for the site `none` as well: a URL that was typed or opened by another program.
  var isFromHere: Bool { isAbsentOr(["same-origin", "none"], "sec-fetch-site") }

  var isOwnScript: Bool { headers["sec-fetch-dest"] == ["script"] && isSameOrigin }
}

/// A response of the loopback listener. Its headers prevent the browser from storing it, loading
/// resources other than the listener's script, framing it, or sending its URL to other sites. The
/// connection is closed after it.
struct LoopbackAnswer: Error, Sendable, Hashable {
  enum Kind: String, Sendable {
    case page = "text/html; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
  }

  /// A delayed navigation that needs no script (HTML, section "Refresh").
  struct Refresh: Sendable, Hashable {
    var after: Int
    var to: PagePath
  }

  let status: Int
  /// The target URL of a 303.
  var location: String?
  var body = ""
  var kind = Kind.page
  /// The complete value of `Set-Cookie`.
  var cookie: String?
  var refresh: Refresh?

  static func page(_ html: String, status: Int = 200) -> LoopbackAnswer { LoopbackAnswer(status: status, body: html) }

  /// Returns a 303 (RFC 9110, section 15.4.4): the browser sends a GET for another URL, so the code
  /// does not stay in the address bar or the history.
  static func seeOther(_ location: String) -> LoopbackAnswer {
    // The location is a percent-encoded URL of the agent or the project. This check also prevents
    // header injection.
    guard location.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return refused(500) }
    return LoopbackAnswer(status: 303, location: location)
  }

  static func seeOther(_ address: PagePath) -> LoopbackAnswer { seeOther(address.rawValue) }

  static func refused(_ status: Int) -> LoopbackAnswer {
    let document =
      status == 421
      ? PageDocument.notServed("Wrong address", "Ritual Agent serves the sign-in page only at the address 127.0.0.1.")
      : PageDocument.notServed(reasons[status] ?? "Refused", "This page is not available.")
    return page(document.html(of: nil), status: status)
  }

  private static let reasons = [
    200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 421: "Misdirected Request",
    431: "Request Header Fields Too Large", 500: "Internal Server Error",
  ]

  /// Forms may only be sent to this listener. Chromium applies `form-action` to redirects as well,
  /// so the provider buttons are links. With `no-referrer`, Chromium would send `Origin: null` with
  /// the listener's own forms; `same-origin` reveals as little to other sites.
  private static let fixedHeaders = [
    "Cache-Control: no-store", "Referrer-Policy: same-origin", "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Content-Security-Policy: default-src 'none'; style-src '\(PageStyle.hash)'; script-src 'self'; form-action 'self'; "
      + "frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin", "Connection: close",
  ]

  /// The complete HTTP/1.1 message.
  var bytes: ByteBuffer {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Refused")", "Content-Type: \(kind.rawValue)"]
    lines += Self.fixedHeaders
    if let location { lines.append("Location: \(location)") }
    if let cookie { lines.append("Set-Cookie: \(cookie)") }
    if let refresh { lines.append("Refresh: \(refresh.after); url=\(refresh.to.rawValue)") }
    if status == 405 { lines.append("Allow: GET, POST") }
    lines.append("Content-Length: \(body.utf8.count)")
    return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}
