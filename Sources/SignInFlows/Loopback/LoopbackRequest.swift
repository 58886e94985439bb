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
