import Foundation
import TestKit
import Testing

@testable import AgentConfiguration
@testable import AgentCore

/// docs/ritual-agent.example.toml against the schema: every key, no other key, and the documented
/// defaults.
@Suite struct ExampleFileTests {
  private static let text = (try? GeneratedFile.text("docs/ritual-agent.example.toml")) ?? ""

  /// The text with its settings enabled. As its header says, a line with "#" and no space after it
  /// is a setting.
  private static let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.hasPrefix("#") && $0.count > 1 && !$0.hasPrefix("# ") ? String($0.dropFirst()) : String($0) }
    .joined(separator: "\n")

  /// The names of all keys in the file, by table.
  private static var keys: [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    var table = ""
    for line in uncommented.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        table = line.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
      } else if let name = line.split(separator: " ").first {
        found[table, default: []].insert(String(name))
      }
    }
    return found
  }

  private static let schema: [String: Set<String>] = {
    var all = ["projects.default": ConfigurationSchema.project, "policy.rules": ConfigurationSchema.policyRule]
    for (name, keys) in ConfigurationSchema.tables { all[name] = keys }
    return all.mapValues { Set($0.map(\.name)) }
  }()

  @Test("the example file has every key and no other")
  func isComplete() {
    #expect(Self.keys == Self.schema)
    #expect(Set(Self.schema.keys.map { String($0.prefix { $0 != "." }) }) == Set(ConfigurationSchema.roots))
  }

  @Test("the file as it is changes nothing; uncommented it is valid and shows the defaults")
  func namesTheDefaults() throws {
    #expect(try Configuration.parse(Self.text, file: "example") == Configuration())
    // Only the rule by executable depends on where the agent runs.
    let read = try Configuration.parse(Self.uncommented, file: "example", inUserNamespace: false)
    var usual = Configuration()
    usual.projects = read.projects
    usual.policy = read.policy
    #expect(read == usual)
    let project = try #require(read.projects["default"])
    let bare = ProjectConfiguration(url: project.url, anonKey: project.anonKey)
    #expect(project.profilePath == bare.profilePath)
    #expect(project.onlyThisCA == bare.onlyThisCA)
    #expect(project.redirectScheme == bare.redirectScheme)
    #expect(read.policy.count == 2)
  }

  @Test("the file states the range of each number")
  func tellsRanges() {
    for key in ConfigurationSchema.tables.flatMap(\.keys) {
      guard case .integer(let range) = key.kind else { continue }
      #expect(Self.text.contains("\(range.lowerBound) to \(range.upperBound)"), "\(key.name)")
    }
  }

  @Test("the file passes --check-config, commented and uncommented")
  func passesTheCheck() async throws {
    try await withScratchDirectory { folder in
      let secrets = [("proxy-password", "user:password\n"), ("headers", "X-Gate: open\n")]
      for (name, text) in secrets + [("a.toml", Self.text), ("b.toml", Self.uncommented)] {
        let file = folder.path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        guard name.hasSuffix(".toml") else { continue }
        if UserNamespace.isOwn, name == "b.toml" { continue }
        // The check warns about the rule by executable, which an agent in a user namespace refuses.
        #expect(try Agent.check(configuration: file).isEmpty == (name == "a.toml"))
      }
    }
  }
}
