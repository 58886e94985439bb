import NIOCore
import NIOHTTP1

/// A request to the loopback listener that has passed every check but the peer's uid.
struct LoopbackRequest: Sendable {
  /// As it was sent, the query included; begins with a slash.
  let target: String
  /// What a form sends by POST; nil for a GET.
  let form: FormBody?
  /// Whether a page of this listener, or the person, asked for it: true as well where the browser does not say.
  let isFromHere: Bool
  private let cookies: [String]

  /// The path to the letter: nothing is decoded or normalised.
  var path: String { String(target.prefix { $0 != "?" }) }

  var hasQuery: Bool { target.utf8.contains(UInt8(ascii: "?")) }

  /// Whether it brings the cookie that the launch address was exchanged for.
  func holds(_ secret: String, port: Int) -> Bool { PageCookie.isHeld(secret, port: port, in: cookies) }

  /// - Throws: the answer to a request that is not served. Only a person's own top-level navigation is (SI-8), and our own
  ///   form and script: whatever a page elsewhere loads in the background or posts, whatever comes under another name (DNS
  ///   rebinding), and whatever a browser fetches ahead of need is refused before anything looks at it.
  init(_ head: HTTPRequestHead, body: [UInt8] = [], port: Int) throws(LoopbackAnswer) {
    guard head.method == .GET || head.method == .POST else { throw .refused(405) }
    guard head.headers["host"] == ["127.0.0.1:\(port)"] else { throw .refused(421) }
    guard head.uri.utf8.first == UInt8(ascii: "/"), head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .refused(400)
    }
    guard head.uri.utf8.count <= SignInBounds.callbackLength else { throw .refused(414) }
    let metadata = FetchMetadata(head.headers)
    if head.method == .POST {
      try Self.checkForm(head.headers, metadata, port: port)
    } else {
      let isScript = head.uri == PageAddress.script.rawValue && metadata.isOwnScript
      guard metadata.isNavigation || isScript else { throw .refused(403) }
    }
    target = head.uri
    form = head.method == .POST ? FormBody(body) : nil
    isFromHere = metadata.isFromHere
    cookies = head.headers["cookie"]
  }

  /// A form of ours, sent from a page of ours: `Origin` is part of every POST of a browser (Fetch, section 3.2).
  private static func checkForm(
    _ headers: HTTPHeaders, _ metadata: FetchMetadata, port: Int
  ) throws(LoopbackAnswer) {
    guard headers["origin"] == ["http://127.0.0.1:\(port)"], metadata.isNavigation, metadata.isSameOrigin else {
      throw .refused(403)
    }
    guard headers["content-type"] == ["application/x-www-form-urlencoded"] else { throw .refused(415) }
  }
}

/// W3C Fetch Metadata: what the browser says about the request. Old browsers and plain clients do not send it.
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

  /// `none`: typed, or opened by another program.
  var isFromHere: Bool { isAbsentOr(["same-origin", "none"], "sec-fetch-site") }

  var isOwnScript: Bool { headers["sec-fetch-dest"] == ["script"] && isSameOrigin }
}

/// What the loopback listener answers. Every answer forbids the browser to store it, to load anything for it but our own
/// script, to show it inside another page, and to tell its address to anybody. The connection ends with it.
struct LoopbackAnswer: Error, Sendable, Hashable {
  enum Kind: String, Sendable {
    case page = "text/html; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
  }

  /// Where the browser goes by itself after a while, without any script (HTML, section "Refresh").
  struct Refresh: Sendable, Hashable {
    var after: Int
    var to: PageAddress
  }

  let status: Int
  /// Where the browser goes on, for 303.
  var location: String?
  var body = ""
  var kind = Kind.page
  /// The whole value of `Set-Cookie`.
  var cookie: String?
  var refresh: Refresh?

  static func page(_ html: String, status: Int = 200) -> LoopbackAnswer { LoopbackAnswer(status: status, body: html) }

  /// RFC 9110, section 15.4.4: a GET of another address; the code does not stay in the address bar or in the history.
  static func seeOther(_ location: String) -> LoopbackAnswer {
    // An address of ours or of the project, percent-encoded: never anything else, and never a second header.
    guard location.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return refused(500) }
    return LoopbackAnswer(status: 303, location: location)
  }

  static func seeOther(_ address: PageAddress) -> LoopbackAnswer { seeOther(address.rawValue) }

  static func refused(_ status: Int) -> LoopbackAnswer {
    page(PageDocument.notServed(reasons[status] ?? "Refused").html, status: status)
  }

  private static let reasons = [
    200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 421: "Misdirected Request",
    431: "Request Header Fields Too Large", 500: "Internal Server Error",
  ]

  /// Forms go to us alone (Chromium holds `form-action` against redirects, too, so ways to a provider are links). With
  /// `no-referrer` Chromium would send `Origin: null` with our own forms; `same-origin` tells others as little.
  private static let fixedHeaders = [
    "Cache-Control: no-store", "Referrer-Policy: same-origin", "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Content-Security-Policy: default-src 'none'; style-src '\(PageStyle.hash)'; script-src 'self'; form-action 'self'; "
      + "frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin", "Connection: close",
  ]

  /// The whole HTTP/1.1 message.
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
