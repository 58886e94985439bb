import Foundation
import Testing

/// A made-up package that breaks each module rule once, to show that each rule can fail.
@Suite struct ModuleRuleFailureTests {
  private func manifest(_ targets: String, dependencies: String = "") throws -> Manifest {
    let text = #"{"targets": [\#(targets)], "dependencies": [\#(dependencies)]}"#
    return try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
  }

  private func target(
    _ name: String, _ dependencies: String = "", type: String = "regular", settings: String = ""
  ) -> String {
    #"{"name": "\#(name)", "type": "\#(type)", "dependencies": [\#(dependencies)], "settings": [\#(settings)]}"#
  }

  private let vault = #"{"byName": ["SessionVault", null]}"#
  private let client = #"{"target": ["AgentClient", null]}"#
  private let crypto = #"{"product": ["Crypto", "swift-crypto", null, null]}"#

  @Test func findsAnUndeclaredImport() throws {
    let core = try #require(try manifest(target("AgentCore", vault + "," + crypto)).target("AgentCore"))
    let file = SourceFile(path: "Sources/AgentCore/A.swift", text: "import Crypto\npublic import NIOCore\n")
    #expect(
      ModuleRules.undeclaredImports(of: core, in: [file]) == [
        "Sources/AgentCore/A.swift imports NIOCore, which AgentCore does not name as a dependency"
      ])
  }

  @Test func findsFullFoundation() throws {
    let files = ["import Foundation", "import FoundationEssentials", "import FoundationNetworking"]
      .map { SourceFile(path: "A.swift", text: $0) }
    let layout = try manifest(target("ritualctl") + "," + target("AuthSandbox"))
    #expect(ModuleRules.foundationImports(of: try #require(layout.target("ritualctl")), in: files).count == 2)
    #expect(ModuleRules.foundationImports(of: try #require(layout.target("AuthSandbox")), in: files) == [])
  }

  @Test(arguments: [
    ("table.restore([])", 1), ("try await store().save(record)", 1), ("    people[name]?.account = new", 1),
    ("settings.defaultAccount = nil", 1), ("draft.settings.defaultAccount = nil", 0),
    ("if settings.defaultAccount == name { return }", 0),
  ])
  func findsAnotherWriter(line: String, count: Int) {
    let folder = "Sources/SessionEngine/Accounts/"
    let file = SourceFile(path: folder + "Accounts+Names.swift", text: "func f() {\n\(line)\n}")
    #expect(ModuleRules.otherWriters(in: [file]).count == count)
    #expect(ModuleRules.otherWriters(in: [SourceFile(path: folder + "Commit.swift", text: file.text)]) == [])
  }

  @Test func findsTheVaultBehindTheCommandLine() throws {
    let layout = try manifest(
      [target("ritualctl", client), target("AgentClient", vault), target("SessionVault")].joined(separator: ","))
    #expect(ModuleRules.forbiddenTransitiveDependencies(in: layout).contains("ritualctl reaches SessionVault"))
    #expect(ModuleRules.forbiddenDependents(in: layout) == ["AgentClient depends on SessionVault"])
  }

  @Test func findsALayerThatNamesTheOneAbove() throws {
    let server = #"{"byName": ["AgentServer", null]}"#
    let layout = try manifest(
      [target("SessionEngine", vault + "," + server), target("AgentServer", vault), target("SessionVault")]
        .joined(separator: ","))
    #expect(
      ModuleRules.forbiddenDirectDependencies(in: layout) == [
        "AgentServer names SessionVault", "SessionEngine names AgentServer",
      ])
  }

  @Test func findsASandboxThatSharesOurTypes() throws {
    let layout = try manifest(
      target("AuthSandbox", #"{"byName": ["AgentProtocol", null]}"#) + "," + target("AgentProtocol"))
    #expect(ModuleRules.forbiddenTransitiveDependencies(in: layout) == ["AuthSandbox reaches AgentProtocol"])
  }

  @Test func findsAHeavyLibraryInTheProtocol() throws {
    let layout = try manifest(
      target("AgentClient", #"{"byName": ["AgentProtocol", null]}"#) + "," + target("AgentProtocol", crypto))
    #expect(
      ModuleRules.forbiddenTransitiveDependencies(in: layout) == [
        "AgentProtocol reaches Crypto", "AgentClient reaches Crypto",
      ])
  }

  @Test func findsAMissingSetting() throws {
    let setting = #"{"tool": "swift", "kind": {"treatAllWarnings": {"_0": "error"}}}"#
    let found = ModuleRules.missingSettings(in: try manifest(target("AgentCore", settings: setting)))
    #expect(found.count == 3)
    #expect(found.contains("AgentCore is built without enableUpcomingFeature ExistentialAny"))
  }

  @Test(arguments: [
    (#"{"exact": ["1.0.0"]}"#, 0), (#"{"range": [{"lowerBound": "1.0.0", "upperBound": "2.0.0"}]}"#, 1),
  ])
  func findsALooseVersion(requirement: String, count: Int) throws {
    let layout = try manifest("", dependencies: source(requirement: requirement))
    #expect(ModuleRules.unpinned(in: layout).count == count)
  }

  @Test func findsAnUndocumentedDependency() throws {
    let layout = try manifest("", dependencies: source(requirement: #"{"exact": ["1.0.0"]}"#))
    #expect(
      ModuleRules.undocumented(in: layout, design: "swift-x is fine") == ["docs/design.md has no row for swift-x"])
    #expect(ModuleRules.undocumented(in: layout, design: "| `swift-x` | for y |") == [])
  }

  private func source(requirement: String) -> String {
    #"{"sourceControl": [{"identity": "swift-x", "location": {"remote": [{"urlString": "https://h/o/swift-x"}]}, "#
      + #""requirement": \#(requirement)}]}"#
  }
}
