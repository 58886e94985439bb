import Testing

/// Applies the module rules to this package. Another suite shows, with a made-up package, that each
/// rule can fail.
@Suite struct HouseRulesTests {
  @Test func everyImportIsDeclared() async throws {
    var files = 0
    for target in try await ThisPackage.manifest.targets where target.type != "system" {
      let sources = try ThisPackage.sources(of: target)
      files += sources.count
      #expect(HouseRules.undeclaredImports(of: target, in: sources) == [])
      #expect(HouseRules.foundationImports(of: target, in: sources) == [])
    }
    #expect(files > 5, "the files were looked for in the wrong place")
  }

  @Test func nobodyReachesWhatTheyMayNot() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(HouseRules.forbiddenReach(in: manifest) == [])
    #expect(HouseRules.forbiddenDependents(in: manifest) == [])
    #expect(HouseRules.forbiddenNames(in: manifest) == [])
  }

  @Test func everyTargetIsBuiltStrictly() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(manifest.targets.contains { $0.name == "PackageTests" })
    #expect(HouseRules.missingSettings(in: manifest) == [])
  }

  @Test func everyDependencyIsPinnedAndDocumented() async throws {
    let manifest = try await ThisPackage.manifest
    #expect(!manifest.dependencies.isEmpty)
    #expect(HouseRules.unpinned(in: manifest) == [])
    #expect(HouseRules.undocumented(in: manifest, design: try ThisPackage.text(of: "docs/design.md")) == [])
  }
}
