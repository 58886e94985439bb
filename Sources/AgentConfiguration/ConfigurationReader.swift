import AgentProtocol

/// Reads a configuration from TOML. Every key must be known and have a valid value of the right
/// type; otherwise the error states the position and what is expected.
struct ConfigurationReader {
  private let file: String
  private let inUserNamespace: Bool

  init(file: String, inUserNamespace: Bool) {
    self.file = file
    self.inUserNamespace = inUserNamespace
  }

  func read(_ root: TOMLTable) throws(ConfigurationError) -> Configuration {
    try refuseUnknown(root, "", ConfigurationSchema.roots)
    var tables: [String: [String: ConfigurationSchema.Literal]] = [:]
    for (name, keys) in ConfigurationSchema.tables {
      if let entry = root[name] { tables[name] = try values(of: entry.node, "[\(name)]", keys) }
    }
    var configuration = Configuration()
    configuration.projects = try projects(root["projects"])
    configuration.agent.take(tables["agent"] ?? [:])
    configuration.signIn.take(tables["sign_in"] ?? [:])
    configuration.signIn.confirmsLinks = tables["linking"]?["policy"] == .text("confirm")
    configuration.vault.take(tables["vault"] ?? [:])
    configuration.audit.take(tables["audit"] ?? [:])
    configuration.policy = try policy(root["policy"])
    return configuration
  }

  // MARK: - Projects

  private func projects(_ entry: TOMLTable.Entry?) throws(ConfigurationError) -> [String: ProjectConfiguration] {
    guard let entry else { return [:] }
    guard let table = entry.node.table else {
      throw error(.wrongType, entry.node.position, "expected a table for each project, such as [projects.default]")
    }
    var projects: [String: ProjectConfiguration] = [:]
    for entry in table.entries {
      guard entry.node.table != nil else {
        throw error(
          .wrongType, entry.position,
          "\(TOMLText.shownKey([entry.name])) must belong to a project: use [projects.default], not [projects]")
      }
      guard AccountName.isValid(entry.name) else {
        throw error(.badValue, entry.position, "a project name \(AccountName.rule)")
      }
      projects[entry.name] = try project(entry)
    }
    return projects
  }

  private func project(_ entry: TOMLTable.Entry) throws(ConfigurationError) -> ProjectConfiguration {
    let values = try self.values(of: entry.node, "[projects.\(entry.name)]", ConfigurationSchema.project)
    guard let project = ProjectConfiguration(values) else {
      throw error(.badValue, entry.position, "\(values["url"] == nil ? "url" : "anon_key") is missing for the project")
    }
    if let complaint = project.validationError {
      throw error(.badValue, place(of: complaint.key, in: entry.node), complaint.message)
    }
    return project
  }

  // MARK: - Policy

  private func policy(_ entry: TOMLTable.Entry?) throws(ConfigurationError) -> [PolicyRule] {
    guard let entry else { return [] }
    guard let table = entry.node.table else {
      throw error(.wrongType, entry.node.position, "expected [[policy.rules]]")
    }
    try refuseUnknown(table, "[policy]", ["rules"])
    guard let rules = table["rules"] else { return [] }
    guard case .array(let elements) = rules.node.value else {
      throw error(.wrongType, rules.node.position, "expected a table for each rule, under [[policy.rules]]")
    }
    guard elements.count <= PolicyRule.maxRules else {
      throw error(.badValue, rules.node.position, "too many rules (limit: \(PolicyRule.maxRules))")
    }
    var read: [PolicyRule] = []
    for element in elements { read.append(try rule(element)) }
    return read
  }

  private func rule(_ node: TOMLNode) throws(ConfigurationError) -> PolicyRule {
    let values = try self.values(of: node, "[[policy.rules]]", ConfigurationSchema.policyRule)
    do throws(PolicyRuleError) {
      return try PolicyRule.read(values, inUserNamespace: inUserNamespace)
    } catch let complaint {
      let position = complaint.key.map { place(of: $0, complaint.index, in: node) } ?? node.position
      throw error(.badValue, position, complaint.message)
    }
  }

  // MARK: - Keys and values

  /// Returns the values of the table. Every key must be known and every value must have the right
  /// type.
  private func values(
    of node: TOMLNode, _ header: String, _ keys: [ConfigurationSchema.Key]
  ) throws(ConfigurationError) -> [String: ConfigurationSchema.Literal] {
    guard let table = node.table else {
      throw error(.wrongType, node.position, "\(header) must be a table with keys")
    }
    try refuseUnknown(table, header, keys.map(\.name))
    var values: [String: ConfigurationSchema.Literal] = [:]
    for key in keys {
      guard let entry = table[key.name] else { continue }
      values[key.name] = try literal(entry.node, key)
    }
    return values
  }

  private func literal(
    _ node: TOMLNode, _ key: ConfigurationSchema.Key
  ) throws(ConfigurationError) -> ConfigurationSchema.Literal {
    let isRightType: Bool
    switch (key.kind, node.value) {
    case (.text, .text(let text)): return .text(text)
    case (.choice(let choices), .text(let text)):
      if choices.contains(text) { return .text(text) }
      isRightType = true
    case (.integer(let range), .integer(let number)):
      if range.contains(number) { return .integer(number) }
      isRightType = true
    case (.boolean, .boolean(let truth)): return .boolean(truth)
    case (.texts(let bounds), .array(let elements)): return .texts(try texts(elements, of: node, key, bounds))
    default: isRightType = false
    }
    throw error(isRightType ? .badValue : .wrongType, node.position, "\(key.name) must be \(key.kind.words)")
  }

  private func texts(
    _ elements: [TOMLNode], of node: TOMLNode, _ key: ConfigurationSchema.Key,
    _ bounds: ConfigurationSchema.TextListBounds
  ) throws(ConfigurationError) -> [String] {
    guard (1...bounds.maxCount).contains(elements.count) else {
      throw error(.badValue, node.position, "\(key.name) must be \(key.kind.words)")
    }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else {
        throw error(.wrongType, element.position, "\(key.name) must be \(key.kind.words)")
      }
      guard text.utf8.count <= bounds.maxLength else {
        throw error(
          .badValue, element.position, "an entry of \(key.name) can have at most \(bounds.maxLength) bytes")
      }
      texts.append(text)
    }
    return texts
  }

  /// Throws for the first unknown key in the order of the file, where the user starts to read.
  private func refuseUnknown(_ table: TOMLTable, _ header: String, _ known: [String]) throws(ConfigurationError) {
    guard let entry = table.entries.first(where: { !known.contains($0.name) }) else { return }
    let meant =
      NearestName.suggestion(entry.name, among: known).map { "did you mean \($0)?" }
      ?? "valid keys: \(known.joined(separator: ", "))"
    let place = header.isEmpty ? "" : " in \(header)"
    throw error(.unknownKey, entry.position, "unknown key \(TOMLText.shownKey([entry.name]))\(place); \(meant)")
  }

  // MARK: - Errors

  /// Returns the start of the key's value, or of an element of it, or the start of the table if the
  /// key is missing.
  private func place(of key: String, _ index: Int? = nil, in node: TOMLNode) -> TextPosition {
    guard let value = node.table?[key]?.node else { return node.position }
    guard let index, case .array(let elements) = value.value, elements.indices.contains(index) else {
      return value.position
    }
    return elements[index].position
  }

  private func error(
    _ code: ConfigurationError.Code, _ position: TextPosition, _ message: String
  ) -> ConfigurationError {
    ConfigurationError(code, file: file, at: position, message)
  }
}

/// An error in the configuration and its position. Errors are equal if their codes are equal.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  package struct Code: Sendable, Hashable {
    private enum Kind: Sendable { case unreadable, insecure, syntax, unknownKey, wrongType, badValue }
    private let kind: Kind
    /// The file cannot be read, or is too large.
    package static let unreadable = Code(kind: .unreadable)
    /// The file is not a regular file, or other users could change it.
    package static let insecure = Code(kind: .insecure)
    /// The file is not UTF-8 or not valid TOML.
    package static let syntax = Code(kind: .syntax)
    /// The key does not exist, or is not allowed in this table.
    package static let unknownKey = Code(kind: .unknownKey)
    /// The value has the wrong type, such as a number instead of a string.
    package static let wrongType = Code(kind: .wrongType)
    /// The value has the right type, but is out of range, missing or otherwise invalid.
    package static let badValue = Code(kind: .badValue)
  }

  package let code: Code
  package let file: String
  /// The line, counted from 1; 0 if the error concerns the whole file.
  package let line: Int
  /// The column, counted from 1; 0 if the error concerns the whole file.
  package let column: Int
  /// The fault and the expected form, for the user. Text quoted from the file has passed `ForeignText`.
  package let message: String

  /// Creates an error. Without a position it concerns the whole file.
  init(_ code: Code, file: String, at position: TextPosition? = nil, _ message: String) {
    self.code = code
    self.file = file
    line = position?.line ?? 0
    column = position?.column ?? 0
    self.message = message
  }

  /// `FILE:LINE:COLUMN: MESSAGE`, the format of compilers.
  package var description: String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
  }

  package static func == (left: ConfigurationError, right: ConfigurationError) -> Bool { left.code == right.code }
}

/// Spelling suggestions for unknown names.
package enum NearestName {
  /// The maximum length that is compared, in bytes: longer than any known name with typing errors.
  private static let longest = 64

  /// Returns the maximum number of wrong letters: one in three, because a suggestion beyond that
  /// would be a guess.
  private static func tolerance(_ name: String) -> Int { max(1, name.count / 3) }

  /// Returns the nearest of `candidates` within the tolerance; nil if there is none. `anonKey` and
  /// `ANON-KEY` match `anon_key`.
  package static func suggestion(_ name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let lower = name.lowercased()
    let best = candidates.map { ($0, distance(lower, $0)) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= tolerance(name) else { return nil }
    return best.0
  }

  /// Returns the number of letters to change, insert, delete or swap with the next one (optimal
  /// string alignment, after Damerau).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var best = min(row[j], rows[i][j + 1]) + 1
        best = min(best, rows[i][j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
