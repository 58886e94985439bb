import AgentProtocol
import TOMLKit

/// Reads a configuration from TOML: every key is known, of the right kind, and of a value that makes sense; else the
/// error says where and what was meant.
struct ConfigurationReader {
  private let file: String
  private let positions: KeyPositions
  private let inUserNamespace: Bool

  init(_ positions: KeyPositions, file: String, inUserNamespace: Bool = UserNamespace.isOwn) {
    self.file = file
    self.inUserNamespace = inUserNamespace
    self.positions = positions
  }

  func read(_ root: TOMLTable) throws(ConfigurationError) -> Configuration {
    try refuseUnknown(root, [], ConfigurationSchema.roots)
    var tables: [String: [String: ConfigurationSchema.Literal]] = [:]
    for (name, keys) in ConfigurationSchema.tables {
      if let value = root[name] { tables[name] = try values(of: value, [name], keys) }
    }
    var configuration = Configuration()
    configuration.projects = try projects(root["projects"])
    configuration.signIn.take(tables["sign_in"] ?? [:])
    configuration.signIn.confirmsLinks = tables["linking"]?["policy"] == .text("confirm")
    configuration.vault.take(tables["vault"] ?? [:])
    configuration.audit.take(tables["audit"] ?? [:])
    configuration.policy = try policy(root["policy"])
    return configuration
  }

  // MARK: - Projects

  private func projects(
    _ value: (any TOMLValueConvertible)?
  ) throws(ConfigurationError) -> [String: ProjectConfiguration] {
    guard let value else { return [:] }
    guard let table = value.table else {
      throw atValue(.wrongType, ["projects"], "a table for each project is meant, such as [projects.default]")
    }
    var projects: [String: ProjectConfiguration] = [:]
    for name in table.keys.sorted() {
      guard let entry = table[name] else { continue }
      guard entry.type == .table else {
        throw atKey(
          .wrongType, ["projects", name],
          "\(ForeignText.shown(name, limit: 40)) needs a project to belong to: write [projects.default], not [projects]"
        )
      }
      guard AccountName.isValid(name) else {
        throw atKey(
          .badValue, ["projects", name],
          "a project's name is 1 to 32 of a-z, 0-9, dot, hyphen, underscore, and begins with a letter or digit")
      }
      projects[name] = try project(entry, ["projects", name])
    }
    return projects
  }

  private func project(
    _ value: any TOMLValueConvertible, _ path: [String]
  ) throws(ConfigurationError) -> ProjectConfiguration {
    let values = try self.values(of: value, path, ConfigurationSchema.project)
    guard let project = ProjectConfiguration(values) else {
      let missing = values["url"] == nil ? "url" : "anon_key"
      throw atKey(.badValue, path, "the project needs \(missing)")
    }
    if let complaint = project.complaint {
      throw atValue(.badValue, path + [complaint.key], complaint.message)
    }
    return project
  }

  // MARK: - Policy

  private func policy(_ value: (any TOMLValueConvertible)?) throws(ConfigurationError) -> [PolicyRule] {
    guard let value else { return [] }
    let path = ["policy", "rules"]
    guard let table = value.table else { throw atValue(.wrongType, ["policy"], "[[policy.rules]] is meant") }
    try refuseUnknown(table, ["policy"], ["rules"])
    guard let rules = table["rules"] else { return [] }
    guard let array = rules.array else {
      throw atValue(.wrongType, path, "a table for each rule is meant, under [[policy.rules]]")
    }
    let elements = Array(array)
    guard elements.count <= PolicyRule.most else {
      throw atValue(.badValue, path, "there are more than \(PolicyRule.most) rules")
    }
    var read: [PolicyRule] = []
    for (index, element) in elements.enumerated() { read.append(try rule(element, path + ["\(index)"])) }
    return read
  }

  private func rule(_ value: any TOMLValueConvertible, _ path: [String]) throws(ConfigurationError) -> PolicyRule {
    let values = try self.values(of: value, path, ConfigurationSchema.policyRule)
    do {
      return try PolicyRule.read(values, inUserNamespace: inUserNamespace).get()
    } catch {
      guard let key = error.key else { throw atKey(.badValue, path, error.message) }
      throw atValue(.badValue, path + [key], error.message)
    }
  }

  // MARK: - Keys and values

  /// The table's values, each of a known key and of its kind.
  private func values(
    of value: any TOMLValueConvertible, _ path: [String], _ keys: [ConfigurationSchema.Key]
  ) throws(ConfigurationError) -> [String: ConfigurationSchema.Literal] {
    guard let table = value.table else {
      throw atValue(.wrongType, path, "\(Self.header(path)) is a table, with keys under it")
    }
    try refuseUnknown(table, path, keys.map(\.name))
    var values: [String: ConfigurationSchema.Literal] = [:]
    for key in keys {
      guard let value = table[key.name] else { continue }
      values[key.name] = try literal(value, path, key)
    }
    return values
  }

  private func literal(
    _ value: any TOMLValueConvertible, _ path: [String], _ key: ConfigurationSchema.Key
  ) throws(ConfigurationError) -> ConfigurationSchema.Literal {
    let isRight: Bool
    switch key.kind {
    case .text:
      if let text = value.string { return .text(text) }
      isRight = false
    case .choice(let choices):
      if let text = value.string, choices.contains(text) { return .text(text) }
      isRight = value.type == .string
    case .whole(let range):
      if let number = value.int, range.contains(number) { return .whole(number) }
      isRight = value.type == .int
    case .truth:
      if let truth = value.bool { return .truth(truth) }
      isRight = false
    }
    throw atValue(isRight ? .badValue : .wrongType, path + [key.name], "\(key.name) is \(key.kind.words)")
  }

  private func refuseUnknown(
    _ table: TOMLTable, _ path: [String], _ known: [String]
  ) throws(ConfigurationError) {
    let unknown = table.keys.filter { !known.contains($0) }
    // The first one in the file, for that is where a person begins to read.
    guard let name = unknown.min(by: { place(path + [$0]) < place(path + [$1]) }) else { return }
    let table = path.isEmpty ? "" : " in \(Self.header(path))"
    let meant =
      NearestName.of(name, among: known).map { "did you mean \($0)?" } ?? "known are \(known.joined(separator: ", "))"
    throw atKey(.unknownKey, path + [name], "unknown key \(ForeignText.shown(name, limit: 40))\(table); \(meant)")
  }

  /// How the table is called in the file: rules have no names there.
  private static func header(_ path: [String]) -> String {
    path.starts(with: ["policy", "rules"]) ? "[[policy.rules]]" : "[\(path.joined(separator: "."))]"
  }

  // MARK: - Errors

  private func place(_ path: [String]) -> TextPosition {
    positions.position(of: path) ?? TextPosition(line: .max, column: 0)
  }

  private func atKey(_ code: ConfigurationError.Code, _ path: [String], _ message: String) -> ConfigurationError {
    ConfigurationError(code, file: file, at: positions.position(of: path), message)
  }

  private func atValue(_ code: ConfigurationError.Code, _ path: [String], _ message: String) -> ConfigurationError {
    ConfigurationError(code, file: file, at: positions.valuePosition(of: path), message)
  }
}
