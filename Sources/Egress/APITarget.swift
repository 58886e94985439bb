package import AccessControl
import AgentConfiguration
package import AgentProtocol
package import SessionEngine
import SystemSupport
import WebURLs

/// Checks the path and query of an API request. Pure.
///
/// Intermediate servers may decode what they pass on, and some fold case or drop parameters. So the
/// path is checked in every form that it can take, and refused if one of these leads elsewhere or
/// to the auth server. All comparisons are bytewise: in Swift, `;` followed by a combining mark is
/// one character, for a server it is two.
enum APITarget {
  /// The maximum number of successive decodings by servers: one more than in any reported chain.
  private static let maxDecodings = 4

  /// Checks a path with an optional query.
  /// - Parameters:
  ///   - base: the path of Supabase on this origin, empty for its root; nil for another
  ///   origin.
  ///   - allowsSlashes: True if the server takes an encoded slash for a part of a segment. Each decoded form is
  ///     checked all the same.
  /// - Throws: `.invalidParams` for a path that is refused; `.denied` for a path of the auth
  ///   server.
  static func check(_ target: String, on base: String?, allowsSlashes: Bool = false) throws(AgentError) {
    guard !isPlain(target) else { return }
    let bytes = Array(target.utf8)
    let path = bytes.prefix { $0 != UInt8(ascii: "?") }
    let query = bytes[path.endIndex...]
    guard hasWholeEscapes(path), hasWholeEscapes(query) else {
      throw AgentError(.invalidParams, "A literal % must be written as %25.")
    }
    var spelling = Array(path)
    for round in 0...maxDecodings {
      try check(spelling, base)
      guard spelling.contains(percent) else { break }
      let decoded = PercentEncoding.decoded(spelling)
      if decoded == spelling { break }
      guard round < maxDecodings,
        allowsSlashes || decoded.count(where: { $0 == slash }) == spelling.count(where: { $0 == slash })
      else {
        throw AgentError(
          .invalidParams, "The path must not contain an encoded slash or be encoded repeatedly.",
          hint: base == nil ? "an API that needs encoded slashes: api_encoded_slashes = true in its project" : nil)
      }
      spelling = decoded
    }
  }

  /// True for a target that nobody reads in another way, and that cannot lead to the auth server: most are.
  private static func isPlain(_ target: String) -> Bool {
    var previous = UInt8(ascii: " ")
    var isQuery = false
    for byte in target.utf8 {
      switch byte {
      case percent: return false
      case UInt8(ascii: "?"): isQuery = true
      case _ where isQuery: break
      case UInt8(ascii: ";"), UInt8(ascii: "\\"), 0...0x20, 0x7F...: return false
      // Two slashes, a segment that begins with a dot, and the end of "auth".
      case slash where previous == slash, UInt8(ascii: ".") where previous == slash,
        UInt8(ascii: "h") where previous | 0x20 == UInt8(ascii: "t"),
        UInt8(ascii: "H") where previous | 0x20 == UInt8(ascii: "t"):
        return false
      default: break
      }
      previous = byte
    }
    return true
  }

  private static func check(_ spelling: [UInt8], _ base: String?) throws(AgentError) {
    guard String(validating: spelling, as: UTF8.self) != nil,
      spelling.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
      !zip(spelling, spelling.dropFirst()).contains(where: { $0 == slash && $1 == slash })
    else { throw AgentError(.invalidParams, "The path must not contain //, \\ or control characters.") }
    // Some servers cut off parameters behind a semicolon (RFC 3986, section 3.3).
    let segments = spelling.map(lowercased).split(separator: slash, omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != UInt8(ascii: ";") } }
    guard !segments.contains(where: { (1...2).contains($0.count) && $0.allSatisfy { $0 == UInt8(ascii: ".") } }) else {
      throw AgentError(.invalidParams, "The path must not contain dot segments.")
    }
    guard !reachesAuth(segments, base) else {
      throw AgentError(
        .denied, "The auth server cannot be called this way: its tokens stay in the agent.",
        hint: "see ritualctl --help for sign-in, sign-out and status")
    }
  }

  /// True if the path leads to the auth server: `auth/v1` anywhere, or any path under `auth` on the
  /// project's own origin.
  private static func reachesAuth(_ segments: [ArraySlice<UInt8>], _ base: String?) -> Bool {
    let (auth, version) = (Array("auth".utf8)[...], Array("v1".utf8)[...])
    if zip(segments, segments.dropFirst()).contains(where: { $0 == auth && $1 == version }) { return true }
    guard let base else { return false }
    let depth = base.utf8.split(separator: slash).count
    // A path begins with a slash, so its first segment is empty.
    return segments.dropFirst(1 + depth).first?.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == auth
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  // MARK: - Escapes (RFC 3986, section 2.1)

  private static let slash = UInt8(ascii: "/")
  private static let percent = UInt8(ascii: "%")

  private static func hasWholeEscapes(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.allSatisfy { text[$0] != percent || PercentEncoding.escape(text[$0...]) != nil }
  }
}

/// The destination of an API request, derived from its path. Pure.
///
/// The resulting URL begins with one of the two configured origins, byte for byte, so that no later
/// parser can read another host or path from it.
package struct APIRequestURL: Sendable, Equatable {
  /// `scheme://host[:port]`
  let origin: String
  /// Path and query, byte for byte as they were given.
  let target: String
  /// True if the URL is on the project's origin, which requires the `apikey` header.
  let isProject: Bool
  /// The path under which this origin serves Supabase; empty for its root, and for another origin.
  private let base: String

  var url: String { origin + target }

  /// The maximum length, in bytes: more than any server accepts.
  private static let limit = 8 * 1024

  /// Creates a destination.
  /// - Parameter given: a path that begins with `/`, with an optional query.
  /// - Throws: `.invalidParams` for a path that is refused; `.denied` for any spelling of an auth
  ///   server path.
  package init(_ given: String, project: Project) throws(AgentError) {
    guard given.utf8.count <= Self.limit, given.isVisibleASCII, !given.utf8.contains(UInt8(ascii: "#")) else {
      throw AgentError(.invalidParams, "The URL is too long, or has characters that must be percent-encoded.")
    }
    guard given.hasPrefix("/") else { throw AgentError(.invalidParams, "The path must start with /.") }
    if ProjectPath.contains(given) {
      (isProject, origin, target) = (true, project.origin, project.basePath + given)
    } else {
      (isProject, origin, target) = (project.apiOrigin == project.origin, project.apiOrigin, given)
    }
    try APITarget.check(
      target, on: isProject ? project.basePath : nil,
      allowsSlashes: !isProject && project.settings.apiEncodedSlashes)
    base = isProject ? project.basePath : ""
  }

  /// The request as rules, approvals and grants judge it, whichever way it came in.
  package func judged(as method: String) -> Policy.RequestTarget {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    return Policy.RequestTarget(method: method, path: String(decoding: path, as: UTF8.self), base: base)
  }
}
