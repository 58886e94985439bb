import Foundation
import TestKit
import Testing

@testable import AgentConfiguration
@testable import AgentCore

/// docs/ritual-agent.example.toml against the schema: every key, no other, and the defaults that it names (OP-3).
@Suite struct ExampleFileTests {
  private static let text: String = {
    // This file is Tests/AgentCoreTests/Configuration/ExampleFileTests.swift.
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appending(path: "docs/ritual-agent.example.toml")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// As its head says: a line with "#" and no space behind it is a setting.
  private static let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.hasPrefix("#") && $0.count > 1 && !$0.hasPrefix("# ") ? String($0.dropFirst()) : String($0) }
    .joined(separator: "\n")

  /// The names of all keys, table by table, as the file has them.
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

  @Test("every key is in it, and no other")
  func isComplete() {
    #expect(Self.keys == Self.schema)
    #expect(Set(Self.schema.keys.map { String($0.prefix { $0 != "." }) }) == Set(ConfigurationSchema.roots))
  }

  @Test("as it stands it says nothing; uncommented it is taken, and names the defaults")
  func namesTheDefaults() throws {
    #expect(try Configuration.parse(Self.text, file: "example") == Configuration())
    // The one thing that depends on where the agent runs is the rule by executable.
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

  @Test("a number's range is told")
  func tellsRanges() {
    for key in ConfigurationSchema.tables.flatMap(\.keys) {
      guard case .whole(let range) = key.kind else { continue }
      #expect(Self.text.contains("\(range.lowerBound) to \(range.upperBound)"), "\(key.name)")
    }
  }

  @Test("it passes --check-config as a file, commented and not")
  func passesTheCheck() async throws {
    try await withScratchFolder { folder in
      for (name, text) in [("a.toml", Self.text), ("b.toml", Self.uncommented)] {
        let file = folder.path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        if UserNamespace.isOwn, name == "b.toml" { continue }
        // The rule by executable is what a confined agent would refuse.
        #expect(try Agent.check(configuration: file).isEmpty == (name == "a.toml"))
      }
    }
  }
}
