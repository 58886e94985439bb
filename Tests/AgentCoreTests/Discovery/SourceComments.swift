import FoundationEssentials

/// The `///` comments of the types, members and values in source files, by `Type`, `Type.member`
/// and `Type.value`: their first paragraphs. An extension does not describe its type.
///
/// It relies on the formatter: a declaration starts its line, and is indented deeper than the type
/// that contains it.
struct SourceComments {
  private var comments: [String: String] = [:]
  /// The values that a type names as constants (`static let name = Type(rawValue: "value")`), by
  /// type.
  private(set) var values: [String: [String]] = [:]

  /// Types whose members are encoded as members of another type.
  private static let embedded = ["AuditEntry": "AuditFacts"]

  /// Reads all Swift files below the directories of this package.
  init(of directories: [String]) throws {
    for directory in directories.map({ GeneratedFile.root.appending(path: $0) }) {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path()).sorted()
      for path in paths where path.hasSuffix(".swift") {
        read(String(decoding: try Data(contentsOf: directory.appending(path: path)), as: UTF8.self))
      }
    }
  }

  init(text: String) { read(text) }

  func paragraph(of type: String) -> String? { comments[type] }

  /// The first sentence of a type's comment.
  func of(_ type: String) -> String? {
    comments[type].map { comment in
      comment.firstRange(of: ". ").map { comment[..<$0.lowerBound] + "." } ?? comment
    }
  }

  func of(_ type: String, member: String) -> String? {
    comments["\(type).\(member)"] ?? Self.embedded[type].flatMap { comments["\($0).\(member)"] }
  }

  private mutating func read(_ text: String) {
    var types: [(name: String, indentation: Int)] = []
    var comment: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indentation = line.prefix { $0 == " " }.count
      let code = line.dropFirst(indentation)
      if code.hasPrefix("///") {
        comment.append(code.dropFirst(4))
        continue
      }
      if !code.isEmpty { types.removeAll { $0.indentation >= indentation } }
      if let (keyword, name) = Self.declaration(code) {
        if keyword != "extension" { add(comment, types.map(\.name) + [name]) }
        if keyword != "var" && keyword != "let" { types.append((name, indentation)) }
      } else if let value = code.firstMatch(of: /static let \w+ = [\w.]+\(rawValue: "([^"]+)"\)/) {
        let path = types.map(\.name)
        values[path.joined(separator: "."), default: []].append(String(value.1))
        add(comment, path + [String(value.1)])
      }
      comment = []
    }
  }

  private mutating func add(_ comment: [Substring], _ path: [String]) {
    let paragraph = comment.prefix { !$0.isEmpty }.joined(separator: " ")
    if !paragraph.isEmpty { comments[path.joined(separator: ".")] = Self.plain(paragraph) }
  }

  private static func declaration(_ code: Substring) -> (keyword: Substring, name: String)? {
    var words = code.split(separator: " ")[...]
    while let word = words.first, ["public", "package", "private", "fileprivate", "final"].contains(word) {
      words.removeFirst()
    }
    guard words.count > 1,
      ["struct", "enum", "class", "actor", "extension", "var", "let"].contains(words[words.startIndex])
    else { return nil }
    let name = words[words.startIndex + 1].drop { $0 == "`" }.prefix {
      $0.isLetter || $0.isNumber || $0 == "." || $0 == "_"
    }
    return (words[words.startIndex], String(name))
  }

  /// The comment without the numbers of requirements, such as ``.
  private static func plain(_ comment: String) -> String {
    comment.replacing(#/ \([A-Z]{2}-[0-9]+[a-z]?(, [A-Z]{2}-[0-9]+)*\)/#, with: "")
  }
}
