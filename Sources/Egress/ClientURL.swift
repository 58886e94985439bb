import FoundationEssentials
import WebURLs

/// URLs of the project and the API in a response, as the client of the proxy has to write them. Pure.
///
/// A URL becomes the client's only if the client's request with it arrives where the URL leads.
struct ClientURL {
  /// The origins `scheme://host[:port]` of the project and of its API.
  let project: String
  let api: String
  /// The path of the project's URL.
  let basePath: String
  /// The origin, and the path with the query, of the request that is answered.
  let request: (origin: String, target: String)
  /// The host of the client's request.
  let host: String

  /// The path of resumable uploads. A server behind a gateway often gives their URL with the scheme or the
  /// port of its own socket.
  private static let uploads = "/storage/v1/upload/"

  /// Returns a URL or a relative reference (RFC 3986, section 4.1) for the client; what leads elsewhere is
  /// unchanged.
  func rewritten(_ url: String) -> String {
    let absolute = url.hasPrefix("//") ? request.origin.prefix { $0 != "/" } + url : url[...]
    if let mark = Self.schemeEnd(absolute) { return rewritten(absolute, mark) ?? url }
    guard url.hasPrefix("/") else {
      // Dot segments can lead out of the path of a service.
      guard url.contains(".."), let base = URL(string: request.origin + request.target),
        let whole = URL(string: url, relativeTo: base)
      else { return url }
      return rewritten(whole.absoluteString)
    }
    // A path is relative to the client's host, which stands for two origins.
    if let path = clientPath(url[...], on: request.origin) { return path }
    return request.origin + url
  }

  /// True if a URL that is not the client's leads away from it.
  func leadsAway(_ url: String) -> Bool {
    let url = rewritten(url)
    return (url.hasPrefix("//") || Self.schemeEnd(url[...]) != nil) && !url.hasPrefix("http://\(host)/")
  }

  /// The `://` behind the scheme of an absolute URL; nil for another one.
  private static func schemeEnd(_ url: Substring) -> Range<Substring.Index>? {
    url.firstRange(of: "://").flatMap { mark in url[..<mark.lowerBound].contains { "/?#".contains($0) } ? nil : mark }
  }

  private func rewritten(_ url: Substring, _ mark: Range<Substring.Index>) -> String? {
    let (scheme, authority) = (url[..<mark.lowerBound], url[mark.upperBound...].prefix { !"/?#".contains($0) })
    let rest = url[authority.endIndex...]
    // As https, a host of any name can be parsed.
    guard let server = try? WebURL("https://" + authority), ["http", "https"].contains(scheme.lowercased()) else {
      return nil
    }
    let origin = (try? WebURL("\(scheme)://\(authority)"))?.origin
    if let origin, [project, api].contains(origin) {
      return clientPath(rest, on: origin).map { "http://\(host)\($0)" }
    }
    guard server.host == (try? WebURL(project))?.host, withoutBase(rest).hasPrefix(Self.uploads) else {
      return nil
    }
    return "http://\(host)\(withoutBase(rest))"
  }

  /// The path with which the client's request arrives at `rest` on `origin`; nil if there is none.
  private func clientPath(_ rest: Substring, on origin: String) -> String? {
    guard !Self.hasDotSegments(rest) else { return nil }
    let below = String(withoutBase(rest))
    if origin == project, ProjectPath.contains(below) { return below }
    return origin == api && !ProjectPath.contains(String(rest)) ? String(rest) : nil
  }

  /// True for a path that clients may shorten. A name with two dots counts as well.
  private static func hasDotSegments(_ rest: Substring) -> Bool {
    let path = rest.prefix { !"?#".contains($0) }
    return path.contains("..") || path.lowercased().contains("%2e")
  }

  /// Without the path of the project's URL, which the proxy adds.
  private func withoutBase(_ path: Substring) -> Substring {
    path.hasPrefix(basePath + "/") ? path.dropFirst(basePath.count) : path
  }
}

extension ClientURL {
  /// Returns the value of a `Link` header (RFC 8288, section 3) with its targets rewritten.
  func rewrittenLinks(_ value: String) -> String {
    var (result, rest, isQuoted) = ("", value[...], false)
    while let character = rest.first {
      if character == "<", !isQuoted, let end = rest.firstIndex(of: ">") {
        result += "<" + rewritten(String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[end...]
        continue
      }
      if character == "\"" { isQuoted.toggle() }
      // An escape in a quoted string is of two characters.
      let length = isQuoted && character == "\\" ? 2 : 1
      result += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return result
  }
}
