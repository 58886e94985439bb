import NIOCore

/// What the loopback listener answers. Every answer forbids the browser to store it, to load anything for it, to show it
/// inside another page, and to tell its address to anybody. The connection ends with it.
struct LoopbackAnswer: Error, Sendable, Hashable {
  let status: Int
  /// Where the browser goes on, for 303.
  let location: String?
  let html: String

  static func page(_ html: String, status: Int = 200) -> LoopbackAnswer {
    LoopbackAnswer(status: status, location: nil, html: html)
  }

  /// RFC 9110, section 15.4.4: a GET of another address; the code does not stay in the address bar or in the history.
  static func seeOther(_ location: String) -> LoopbackAnswer {
    // An address of ours or of the project, percent-encoded: never anything else, and never a second header.
    guard location.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return refused(500) }
    return LoopbackAnswer(status: 303, location: location, html: "")
  }

  static func refused(_ status: Int) -> LoopbackAnswer {
    page(SignInPage(title: reasons[status] ?? "Refused", text: ["This page is not served."]).html, status: status)
  }

  private static let reasons = [
    200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    414: "URI Too Long", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
    500: "Internal Server Error",
  ]

  private static let fixedHeaders = [
    "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy: same-origin", "Connection: close",
  ]

  /// The whole HTTP/1.1 message.
  var bytes: ByteBuffer {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Refused")"] + Self.fixedHeaders
    if let location { lines.append("Location: \(location)") }
    if status == 405 { lines.append("Allow: GET") }
    lines.append("Content-Length: \(html.utf8.count)")
    return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + html)
  }
}
