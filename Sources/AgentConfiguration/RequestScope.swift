import AgentProtocol
import SystemSupport

/// The API requests that a policy rule or a grant is limited to, by HTTP method and path. Pure.
///
/// Paths are compared by whole segments after one percent-decoding: `/rest/v1/todos` includes itself
/// and `/rest/v1/todos/1`, but not `/rest/v1/todos2`. Servers read some paths in different ways, for
/// example one with an encoded slash or a dot segment. Such an unclear path is never included for
/// certain, and may be included in every scope.
package struct RequestScope: Sendable, Hashable {
  /// The maximum number of methods, and of paths: more than anyone can keep track of.
  package static let maxEntries = 64
  /// The maximum length of a path, in bytes.
  package static let maxPathLength = 1024
  /// Longer than any method in the IANA registry.
  private static let maxMethodLength = 20

  /// Uppercase; empty for every method.
  package let methods: [String]
  /// Empty for every path.
  package let paths: [String]
  private let segments: [[ArraySlice<UInt8>]]

  /// - Throws: for no method and no path, for too many of them, and for one that no request has.
  package init(methods: [String] = [], paths: [String] = []) throws(RequestScopeError) {
    guard !methods.isEmpty || !paths.isEmpty else {
      throw RequestScopeError(key: .methods, message: "expected at least one method or path")
    }
    for (key, list) in [(RequestScopeError.Key.methods, methods), (.paths, paths)] where list.count > Self.maxEntries {
      throw RequestScopeError(key: key, message: "too many entries (limit: \(Self.maxEntries))")
    }
    if let index = methods.firstIndex(where: { !Self.isMethod($0) }) {
      throw RequestScopeError(
        key: .methods, index: index,
        message: "expected an HTTP method in capital letters, such as \"GET\", and not CONNECT or TRACE")
    }
    var segments: [[ArraySlice<UInt8>]] = []
    for (index, path) in paths.enumerated() {
      guard let parts = Self.segments(ofPlain: path) else {
        throw RequestScopeError(
          key: .paths, index: index,
          message: "expected a path such as \"/rest/v1/todos\": it starts with /, does not end with /, "
            + "and has no //, dot segments, %, ?, #, ; or \\")
      }
      segments.append(parts)
    }
    (self.methods, self.paths, self.segments) = (methods, paths, segments)
  }

  /// The methods and paths as a person reads them.
  package var words: String {
    [methods, paths].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }.joined(separator: " ")
  }

  /// A request in the form in which scopes compare it: by the path that Supabase or the API sees, without
  /// the path under which the project's origin serves Supabase.
  package struct Request: Sendable {
    let method: String
    /// Nil if the path is unclear. The last segment is empty if the path ends with a slash.
    let segments: [ArraySlice<UInt8>]?
    /// The other paths that a server could read, if the path is clear: `segments` is certain only where
    /// the base path is written as in the configuration.
    fileprivate let alternatives: [[ArraySlice<UInt8>]]

    /// - Parameters:
    ///   - path: the path as it is sent, without the query.
    ///   - base: the path under which the server of this request has Supabase; empty for its root, and
    ///     for another server.
    package init(method: String, path: String, base: String = "") {
      self.method = method
      let written = RequestScope.decoded(path).flatMap(RequestScope.segments)
      guard let written, !base.isEmpty, let base = RequestScope.decoded(base).flatMap(RequestScope.segments) else {
        // A base that servers read in different ways makes every path unclear.
        (segments, alternatives) = (base.isEmpty ? written : nil, [])
        return
      }
      guard written.count > base.count, written.starts(with: base, by: RequestScope.isSame) else {
        (segments, alternatives) = (written, [])
        return
      }
      let below = Array(written.dropFirst(base.count))
      let isExact = written.starts(with: base) { $0.elementsEqual($1) }
      (segments, alternatives) = isExact ? (below, [written]) : (written, [below])
    }
  }

  /// True if the request certainly is in the scope.
  package func includes(_ request: Request) -> Bool {
    guard methods.isEmpty || methods.contains(where: { $0.utf8.elementsEqual(request.method.utf8) }) else {
      return false
    }
    guard !paths.isEmpty else { return true }
    guard let found = request.segments else { return false }
    return segments.contains { found.starts(with: $0) { $0.elementsEqual($1) } }
  }

  /// True if some server could take the request for one in the scope: the path is unclear, or differs
  /// in the case of ASCII letters alone, or begins with the base path in another spelling.
  package func mayInclude(_ request: Request) -> Bool {
    guard methods.isEmpty || methods.contains(where: { Self.isSame($0.utf8, request.method.utf8) }) else {
      return false
    }
    guard !paths.isEmpty, let certain = request.segments else { return true }
    return ([certain] + request.alternatives).contains { found in
      segments.contains { found.starts(with: $0, by: Self.isSame) }
    }
  }

  /// Compares bytes, without regard to the case of ASCII letters.
  private static func isSame(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
    left.elementsEqual(right) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  // MARK: - Methods and paths

  private static func isMethod(_ text: String) -> Bool {
    (1...maxMethodLength).contains(text.utf8.count) && !["CONNECT", "TRACE"].contains(text)
      && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// The segments of a rule's path; nil if it is not plain. The path `/` has none, and includes all.
  private static func segments(ofPlain path: String) -> [ArraySlice<UInt8>]? {
    let bytes = Array(path.utf8)
    guard bytes.count <= maxPathLength, !bytes.contains(UInt8(ascii: "%")), let parts = segments(bytes) else {
      return nil
    }
    if parts.count == 1, parts[0].isEmpty { return [] }
    return parts.last?.isEmpty == true ? nil : parts
  }

  /// Decodes once (RFC 3986, section 2.1). Nil for a malformed escape, and if a second decoding or
  /// the decoded slash would lead elsewhere.
  private static func decoded(_ path: String) -> [UInt8]? {
    let bytes = Array(path.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      guard let byte = PercentEncoding.escape(bytes[index...]), byte != UInt8(ascii: "/") else { return nil }
      decoded.append(byte)
      index += 3
    }
    let isFinal = decoded.indices.allSatisfy { PercentEncoding.escape(decoded[$0...]) == nil }
    return isFinal ? decoded : nil
  }

  /// Splits a decoded path; nil if it is unclear.
  private static func segments(_ path: [UInt8]) -> [ArraySlice<UInt8>]? {
    let slash = UInt8(ascii: "/")
    // Some servers cut off parameters behind a semicolon (RFC 3986, section 3.3), and some take a
    // backslash for a slash.
    guard path.first == slash, String(validating: path, as: UTF8.self) != nil,
      path.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !"\\;?#".utf8.contains($0) })
    else { return nil }
    let parts = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    guard !parts.dropLast().contains(where: \.isEmpty),
      !parts.contains(where: { (1...2).contains($0.count) && $0.allSatisfy { $0 == UInt8(ascii: ".") } })
    else { return nil }
    return parts
  }
}

/// An error in a scope: the invalid entry, and what is expected.
package struct RequestScopeError: Error, Sendable, Equatable {
  package enum Key: String, Sendable { case methods, paths }

  package let key: Key
  /// The invalid entry of the list; nil if the list as a whole is invalid.
  package let index: Int?
  package let message: String

  init(key: Key, index: Int? = nil, message: String) { (self.key, self.index, self.message) = (key, index, message) }
}
