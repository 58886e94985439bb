import NIOHTTP1
import WebURLs

/// The headers that the proxy passes on in both directions. Pure.
enum APIHeaders {
  /// The maximum length of a method: longer than any in the IANA registry.
  static let maxMethodLength = 20

  /// The headers of a connection (RFC 9110, section 7.6.1).
  private static let connection: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The header names that `Connection` lists.
  private static func options(of headers: some Sequence<(name: String, value: String)>) -> [String] {
    headers.filter { $0.name.lowercased() == "connection" }.flatMap { header in
      header.value.utf8.split(separator: UInt8(ascii: ",")).map { option in
        String(decoding: option.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
      }
    }
  }

  /// Returns the headers of a request that the proxy sends on: without those that the agent
  /// alone sets, which are dropped silently.
  ///
  /// - Parameter options: the options of `Connection`, in lower case.
  static func sentOn(_ headers: HTTPHeaders, options: Set<String>) -> HTTPHeaders {
    var sent = HTTPHeaders()
    sent.reserveCapacity(headers.count + 2)
    for (name, value) in headers where !ReservedHeader.contains(name) && !isListed(name, options) {
      sent.add(name: name, value: value)
    }
    return sent
  }

  private static func isListed(_ name: String, _ options: Set<String>) -> Bool {
    !options.isEmpty && options.contains(ReservedHeader.canonical(name))
  }

  /// Headers of a response that concern the connection, or whose effect would be on the proxy's host
  /// instead of the API's.
  private static let droppedFromAnswers: Set<String> = [
    "set-cookie", "set-cookie2", "www-authenticate", "authentication-info", "alt-svc",
  ]

  /// Returns the headers of a response for the client of the proxy. Framing is the proxy's.
  static func answered(_ headers: HTTPHeaders, _ urls: ClientURL) -> HTTPHeaders {
    // The client of a resumable upload sends its requests, and its placeholder token, to the Location.
    let isUpload = headers.contains(name: "tus-resumable")
    let options = headers.contains(name: "connection") ? Set(options(of: headers)) : []
    var answer = HTTPHeaders()
    answer.reserveCapacity(headers.count + 1)
    for (name, value) in headers {
      let known = name.lowercased()
      guard !connection.contains(known), !droppedFromAnswers.contains(known), !options.contains(known),
        known != "content-length", !known.utf8.starts(with: "proxy-".utf8),
        !known.utf8.starts(with: "access-control-".utf8)
      else { continue }
      switch known {
      case "location" where isUpload && urls.leadsAway(value): break
      case "location", "content-location": answer.add(name: name, value: urls.rewritten(value))
      case "link": answer.add(name: name, value: urls.rewrittenLinks(value))
      default: answer.add(name: name, value: value)
      }
    }
    return answer
  }
}
