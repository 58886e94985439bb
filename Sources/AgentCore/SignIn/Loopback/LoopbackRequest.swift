import NIOHTTP1

/// A request to the loopback listener that has passed every check but the peer's uid.
struct LoopbackRequest: Sendable, Hashable {
  /// As it was sent, the query included; begins with a slash.
  let target: String

  /// The path to the letter: nothing is decoded or normalised.
  var path: String { String(target.prefix { $0 != "?" }) }

  var hasQuery: Bool { target.utf8.contains(UInt8(ascii: "?")) }

  /// - Throws: the answer to a request that is not served. Only a person's own top-level navigation is (SI-8): whatever a
  ///   page elsewhere loads in the background, whatever comes under another name (DNS rebinding), and whatever a browser
  ///   fetches ahead of need is refused before anything looks at it.
  init(_ head: HTTPRequestHead, port: Int) throws(LoopbackAnswer) {
    guard head.method == .GET else { throw .refused(405) }
    guard head.headers["host"] == ["127.0.0.1:\(port)"] else { throw .refused(421) }
    guard Self.isNavigation(head.headers) else { throw .refused(403) }
    guard head.uri.utf8.first == UInt8(ascii: "/"), head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .refused(400)
    }
    guard head.uri.utf8.count <= SignInBounds.callbackLength else { throw .refused(414) }
    target = head.uri
  }

  /// W3C Fetch Metadata: what the browser says about the request. Old browsers and plain clients do not send it.
  private static func isNavigation(_ headers: HTTPHeaders) -> Bool {
    func isAbsentOr(_ value: String, _ name: String) -> Bool { [[], [value]].contains(headers[name]) }
    let purposes = headers["sec-purpose"] + headers["purpose"] + headers["x-purpose"]
    return isAbsentOr("navigate", "sec-fetch-mode") && isAbsentOr("document", "sec-fetch-dest") && purposes.isEmpty
  }
}
