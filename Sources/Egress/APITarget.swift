package import AccessControl
package import AgentProtocol
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// The path and query of an API request, validated (TK-9). Pure.
///
/// Intermediate servers may decode what they pass on, and some fold case or drop parameters. So the
/// path is checked in every form that it can take, and refused if one of these leads elsewhere or
/// to the auth server. All comparisons are bytewise: in Swift, `;` followed by a combining mark is
/// one character, for a server it is two.
struct APITarget: Sendable, Equatable {
  /// As it was given.
  let raw: String
  /// Encoded as RFC 3986 requires.
  let text: String

  /// The maximum number of successive decodings by servers: one more than in any reported chain.
  private static let maxDecodings = 4

  /// Creates a target from a path with an optional query.
  /// - Parameter base: the path of Supabase on this origin, empty for its root; nil for another
  ///   origin.
  /// - Throws: `.invalidParams` for a path that is refused; `.denied` for a path of the auth
  ///   server.
  init(_ target: String, on base: String?) throws(AgentError) {
    let bytes = Array(target.utf8)
    let path = bytes.prefix { $0 != UInt8(ascii: "?") }
    let query = bytes[path.endIndex...]
    guard Self.hasWholeEscapes(path), Self.hasWholeEscapes(query) else {
      throw AgentError(.invalidParams, "A literal % must be written as %25.")
    }
    var spelling = Array(path)
    for round in 0...Self.maxDecodings {
      try Self.check(spelling, base)
      guard spelling.contains(Self.percent) else { break }
      let decoded = Self.decoded(spelling)
      if decoded == spelling { break }
      guard round < Self.maxDecodings,
        decoded.count(where: { $0 == Self.slash }) == spelling.count(where: { $0 == Self.slash })
      else {
        throw AgentError(.invalidParams, "The path must not contain an encoded slash or be encoded repeatedly.")
      }
      spelling = decoded
    }
    raw = target
    text = Self.encoded(path) + Self.encoded(query)
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

  /// Decodes once; bytes outside of escapes stay unchanged.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let escape = PercentEncoding.escape(bytes[index...])
      result.append(escape ?? bytes[index])
      index += escape == nil ? 1 : 3
    }
    return result
  }

  /// Encodes the characters that RFC 3986 does not allow but that are common, such as the brackets
  /// of a query.
  private static func encoded(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(where: isEncoded) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    for byte in text {
      if isEncoded(byte) {
        result += Array(PercentEncoding.encode(String(Unicode.Scalar(byte))).utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isEncoded(_ byte: UInt8) -> Bool { "\"<>[]^`{|}\\".utf8.contains(byte) }
}

/// The destination of an API request, derived from a path or a URL under the rules of TK-9. Pure.
///
/// The resulting URL begins with one of the two configured origins, byte for byte, so that no later
/// parser can read another host or path from it.
package struct APIRequestURL: Sendable, Equatable {
  /// `scheme://host[:port]`
  let origin: String
  /// Path and query.
  private let path: APITarget
  /// True if the URL is on the project's origin, which requires the `apikey` header.
  let isProject: Bool
  /// The path under which this origin serves Supabase; empty for its root, and for another origin.
  private let base: String

  /// Path and query, encoded as RFC 3986 requires.
  var target: String { path.text }
  /// Path and query as they were given, which the proxy passes on (EG-1).
  var rawTarget: String { path.raw }
  /// The complete URL, encoded as RFC 3986 requires.
  var url: String { origin + target }

  /// The maximum length, in bytes: more than any server accepts.
  private static let limit = 8 * 1024

  /// The paths that belong to the project, whatever `api_url` is.
  private static let projectPaths = ["/rest", "/storage", "/functions/v1", "/realtime/v1", "/graphql/v1"]

  /// Creates a destination.
  /// - Parameter text: a path that begins with `/`, or a URL on the project's or the API's origin.
  /// - Throws: `.invalidParams` if the text is neither; `.denied` for any spelling of an auth
  ///   server path.
  package init(_ text: String, project: Project) throws(AgentError) {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.utf8.contains(UInt8(ascii: "#"))
    else {
      throw Self.refused("The URL is too long, or has characters that must be percent-encoded.")
    }
    let (named, given) = try Self.split(text, project)
    switch named {
    case nil where Self.isProjectPath(given):
      (isProject, origin) = (true, project.origin)
      path = try APITarget(project.basePath + given, on: project.basePath)
    case nil, project.apiOrigin:
      (isProject, origin) = (project.apiOrigin == project.origin, project.apiOrigin)
      path = try APITarget(given, on: isProject ? project.basePath : nil)
    case project.origin:
      (isProject, origin) = (true, project.origin)
      path = try APITarget(given, on: project.basePath)
    default:
      throw Self.refused("Tokens are sent only to \(Self.origins(of: project)).")
    }
    base = isProject ? project.basePath : ""
  }

  /// The request as rules, approvals and grants judge it, whichever way it came in (EG-8).
  package func judged(as method: String) -> Policy.RequestTarget {
    let path = rawTarget.utf8.prefix { $0 != UInt8(ascii: "?") }
    return Policy.RequestTarget(method: method, path: String(decoding: path, as: UTF8.self), base: base)
  }

  /// Returns the origin of a URL, and its path with query. A path has no origin.
  private static func split(_ text: String, _ project: Project) throws(AgentError) -> (origin: String?, target: String)
  {
    if text.hasPrefix("/") { return (nil, text) }
    guard let scheme = text.firstRange(of: "://") else {
      throw refused("Use a path that starts with /, or a URL on \(origins(of: project)).")
    }
    let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains(where: { "@%\\".contains($0) }) else {
      throw refused("The URL must have a plain host and no user name.")
    }
    guard let origin = try? WebOrigin.of(String(text[..<scheme.upperBound] + authority)) else {
      throw refused("Tokens are sent only to \(origins(of: project)).")
    }
    let target = String(text[authority.endIndex...])
    return (origin, target.hasPrefix("/") ? target : "/" + target)
  }

  private static func isProjectPath(_ target: String) -> Bool {
    projectPaths.contains { target == $0 || target.hasPrefix($0 + "/") || target.hasPrefix($0 + "?") }
  }

  private static func origins(of project: Project) -> String {
    project.origin == project.apiOrigin ? project.origin : "\(project.origin) and \(project.apiOrigin)"
  }

  private static func refused(_ message: String) -> AgentError { AgentError(.invalidParams, message) }
}
