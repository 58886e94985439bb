import WebURLs

/// URLs of the project and the API in responses, as the client of the proxy has to write them.
enum ClientURL {
  /// Returns `url` with its origin replaced by `http://HOST` if it is one of `origins`, and without
  /// `basePath`, which the proxy adds; any other URL, and a relative one, unchanged.
  static func rewritten(_ url: String, origins: [String], basePath: String, host: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let origin = try? WebURL(String(url[..<scheme.lowerBound] + "://" + authority)).origin,
      origins.contains(origin)
    else { return url }
    var rest = url[authority.endIndex...]
    if !basePath.isEmpty, rest.hasPrefix(basePath + "/") { rest = rest.dropFirst(basePath.count) }
    return "http://\(host)\(rest)"
  }
}
