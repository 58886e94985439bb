/// A Swift file, as text.
struct SourceFile: Sendable {
  /// The path relative to the package directory.
  var path: String
  var text: String

  /// The imported modules, in order. An import is at the start of a line; text inside a multi-line
  /// string is ignored.
  var imports: [String] {
    var isInString = false
    let importLine = Self.importLine  // compiled once per file, not per line
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      defer { if line.ranges(of: #"""""#).count % 2 == 1 { isInString.toggle() } }
      guard !isInString, let match = line.prefixMatch(of: importLine) else { return nil }
      return String(match.module)
    }
  }

  // @testable public import struct Module.Type
  private static var importLine: Regex<(Substring, module: Substring)> {
    #/\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(?<module>\w+)/#
  }
}
