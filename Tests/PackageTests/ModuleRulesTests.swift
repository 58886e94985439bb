import Testing

/// Applies the module rules to this package. Another suite shows, with a made-up package, that each
/// rule can fail.
@Suite struct ModuleRulesTests {
  @Test func everyImportIsDeclared() async throws {
    var files = 0
    for target in try await ThisPackage.manifest.targets where target.type != "system" {
      let sources = try ThisPackage.sources(of: target)
      files += sources.count
      #expect(ModuleRules.undeclaredImports(of: target, in: sources) == [])
      #expect(ModuleRules.foundationImports(of: target, in: sources) == [])
    }
    #expect(files > 5, "the files were looked for in the wrong place")
  }

  @Test func sessionsChangeInOnePlace() async throws {
    let engine = try #require(try await ThisPackage.manifest.target("SessionEngine"))
    let sources = try ThisPackage.sources(of: engine)
    #expect(sources.contains { $0.path.hasSuffix("Accounts/Commit.swift") }, "the rule has lost its file")
    #expect(ModuleRules.otherWriters(in: sources) == [])
  }

  @Test func forbiddenDependenciesAreAbsent() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(ModuleRules.forbiddenTransitiveDependencies(in: manifest) == [])
    #expect(ModuleRules.forbiddenDependents(in: manifest) == [])
    #expect(ModuleRules.forbiddenDirectDependencies(in: manifest) == [])
  }

  @Test func everyTargetIsBuiltStrictly() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(manifest.targets.contains { $0.name == "PackageTests" })
    #expect(ModuleRules.missingSettings(in: manifest) == [])
  }

  @Test func everyDependencyIsPinnedAndDocumented() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(!manifest.dependencies.isEmpty)
    #expect(ModuleRules.unpinned(in: manifest) == [])
    #expect(ModuleRules.undocumented(in: manifest, design: try ThisPackage.text(of: "docs/design.md")) == [])
  }
}
