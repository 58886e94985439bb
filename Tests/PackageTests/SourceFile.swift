/// A Swift file, as text.
struct SourceFile: Sendable {
  /// From the package's folder on.
  var path: String
  var text: String

  /// The modules that it imports, in order. Imports stand at the start of a line; what looks like one inside a
  /// multi-line string is not.
  var imports: [String] {
    var isInString = false
    let importLine = Self.importLine  // compiled once for the file, not for each line
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
