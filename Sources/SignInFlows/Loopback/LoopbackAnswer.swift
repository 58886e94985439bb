import NIOCore

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
