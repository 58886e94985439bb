import AgentProtocol
import WebURLs

/// A change to one project of a configuration's text. Only the bytes of changed values change.
package struct ConfigurationEdit {
  /// The requested settings of a project; nil leaves a setting unchanged.
  package struct RequestedProject: Sendable {
    package var name: String
    package var url: String?
    package var anonKey: String?
    package var apiURL: String?

    package init(name: String, url: String?, anonKey: String?, apiURL: String?) {
      (self.name, self.url, self.anonKey, self.apiURL) = (name, url, anonKey, apiURL)
    }

    /// The keys of the file with their values.
    fileprivate var pairs: [(key: String, value: String)] {
      [("url", url), ("anon_key", anonKey), ("api_url", apiURL)].compactMap { key, value in value.map { (key, $0) } }
    }
  }

  package enum Outcome: Sendable, Equatable {
    /// The new text.
    case changed(String)
    /// The file already has all requested settings.
    case unchanged
    /// The project exists, with different values for these keys.
    case differs([String])
    /// No project has that name.
    case missing
    /// `projects` is an inline table or not a table, so that no project can be appended.
    case closed
  }

  private let text: String
  private let root: TOMLTable

  /// - Throws: `ConfigurationError` if the text is not valid TOML.
  package init(_ text: String, file: String) throws(ConfigurationError) {
    self.text = text
    root = try Configuration.table(of: text, file: file)
  }

  /// Appends the project.
  package func adding(_ wanted: RequestedProject) -> Outcome {
    if let projects = root["projects"] {
      guard let table = projects.node.table else { return .closed }
      if let project = table[wanted.name] {
        let others = wanted.pairs.filter { pair in !Self.isEqual(pair, project.node.table?[pair.key]?.node) }
        return others.isEmpty ? .unchanged : .differs(others.map(\.key))
      }
      if table.origin == .inline { return .closed }
    }
    let lines = ["[projects.\(TOMLText.key(wanted.name))]"] + wanted.pairs.map(Self.line)
    let gap = text.isEmpty ? "" : text.utf8.last == UInt8(ascii: "\n") ? lineEnd : lineEnd + lineEnd
    return .changed(text + gap + lines.map { $0 + lineEnd }.joined())
  }

  /// Changes the values of an existing project in place.
  package func updating(_ wanted: RequestedProject) -> Outcome {
    guard let entry = root["projects"]?.node.table?[wanted.name], let project = entry.node.table else {
      return .missing
    }
    var changes: [(range: Range<Int>, text: String)] = []
    var added: [(key: String, value: String)] = []
    for pair in wanted.pairs {
      guard let known = project[pair.key] else {
        added.append(pair)
        continue
      }
      if !Self.isEqual(pair, known.node) { changes.append((known.node.range, TOMLText.basicString(pair.value))) }
    }
    if !added.isEmpty { changes.append(insertion(of: added, into: project, entry)) }
    guard !changes.isEmpty else { return .unchanged }
    var bytes = Array(text.utf8)
    // Starts at the end, so that earlier offsets stay valid.
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(change.range, with: Array(change.text.utf8))
    }
    return .changed(String(decoding: bytes, as: UTF8.self))
  }

  /// Inserts new keys after an existing key, in the same notation, or else below the header.
  private func insertion(
    of pairs: [(key: String, value: String)], into project: TOMLTable, _ entry: TOMLTable.Entry
  ) -> (range: Range<Int>, text: String) {
    let bytes = Array(text.utf8)
    let anchor = project["url"] ?? project["anon_key"] ?? project.entries.first { $0.prefix != nil }
    guard let anchor, let prefix = anchor.prefix else {
      if project.origin == .inline {
        // In `{}`: between the braces.
        let place = entry.node.range.lowerBound + 1
        return (place..<place, " " + pairs.map(Self.line).joined(separator: ", ") + " ")
      }
      let place = lineEnd(from: entry.node.range.upperBound, in: bytes)
      return (place..<place, pairs.map { lineEnd + Self.line($0) }.joined())
    }
    let dots = String(decoding: bytes[prefix], as: UTF8.self)
    if project.origin == .inline {
      let place = anchor.node.range.upperBound
      return (place..<place, pairs.map { ", " + dots + Self.line($0) }.joined())
    }
    let indentation = bytes[..<prefix.lowerBound].reversed().prefix { $0 == 0x20 || $0 == 0x09 }.reversed()
    let place = lineEnd(from: anchor.node.range.upperBound, in: bytes)
    return (
      place..<place,
      pairs.map { lineEnd + String(decoding: Array(indentation), as: UTF8.self) + dots + Self.line($0) }.joined()
    )
  }

  /// Returns the end of the line that contains `offset`.
  private func lineEnd(from offset: Int, in bytes: [UInt8]) -> Int {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return end > offset && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
  }

  /// The line ending of the file's first line.
  private var lineEnd: String {
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")), end > text.utf8.startIndex else { return "\n" }
    return text.utf8[text.utf8.index(before: end)] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  private static func line(_ pair: (key: String, value: String)) -> String {
    "\(pair.key) = \(TOMLText.basicString(pair.value))"
  }

  /// Returns whether the values are equal. URLs are compared as `WebURL`, so that notation does
  /// not matter.
  private static func isEqual(_ pair: (key: String, value: String), _ node: TOMLNode?) -> Bool {
    guard let known = node?.text else { return false }
    if known == pair.value { return true }
    guard pair.key != "anon_key", let left = try? WebURL(known), let right = try? WebURL(pair.value) else {
      return false
    }
    return left == right
  }
}
