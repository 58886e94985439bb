/// The module rules of docs/design.md, each as a function from the manifest to descriptions of its
/// violations.
enum ModuleRules {
  /// Modules of the toolchain, which no manifest declares.
  static let toolchain: Set<String> = [
    "Swift", "Glibc", "Synchronization", "FoundationEssentials", "Foundation", "Dispatch", "RegexBuilder", "Testing",
  ]

  /// Targets that must not import full Foundation, which brings ICU, 40 MB and a slow start.
  static let withoutFoundation = [
    "SystemSupport", "SystemBus", "AgentProtocol", "AgentClient", "ritualctl", "SessionVault", "SupabaseAuth",
    "SessionEngine",
    "AccessControl", "SignInFlows", "Egress", "AgentServer", "AgentCore", "ritual-agentd", "ritual-notify",
  ]

  /// A file imports only direct dependencies of its target. (The compiler's own check accepts
  /// everything in the transitive closure.) A product's module has the product's name.
  static func undeclaredImports(of target: Manifest.Target, in files: [SourceFile]) -> [String] {
    // A module is named as its target, with underscores.
    let allowed = toolchain.union(target.dependencies.map { String($0.name.map { $0 == "-" ? "_" : $0 }) })
    return files.flatMap { file in
      file.imports.filter { !allowed.contains($0) }
        .map { "\(file.path) imports \($0), which \(target.name) does not name as a dependency" }
    }
  }

  /// Targets in `withoutFoundation`, where size and start time count, import FoundationEssentials
  /// only.
  static func foundationImports(of target: Manifest.Target, in files: [SourceFile]) -> [String] {
    guard withoutFoundation.contains(target.name) else { return [] }
    return files.flatMap { file in
      file.imports.filter { $0.hasPrefix("Foundation") && $0 != "FoundationEssentials" }
        .map { "\(file.path) imports \($0): FoundationEssentials is enough" }
    }
  }

  /// Accounts, the facts about their users and the settings change in two files of SessionEngine: where `commit`
  /// is, and where an unlock reads them. Everywhere else a change goes through `commit`, `update` or
  /// `changeSettings`.
  static func otherWriters(in files: [SourceFile]) -> [String] {
    let doors = ["Accounts/Commit.swift", "Accounts/Accounts+Restore.swift"]
    return files.filter { file in
      file.path.contains("/Accounts/") && !doors.contains { file.path.hasSuffix($0) }
    }.flatMap { file in
      file.text.split(separator: "\n")
        .filter { $0.contains(#/(^|\W)table\.|\.(save|delete)\(|^\s*(self\.)?(people|settings)(?!\w)[^=]*\s=\s/#) }
        .map { "\(file.path) changes accounts by itself: \($0)" }
    }
  }

  /// Targets and products that a target must not depend on, directly or transitively.
  static func forbiddenTransitiveDependencies(in manifest: Manifest) -> [String] {
    let heavy = manifest.targets.flatMap(\.dependencies).filter { $0.package != nil && $0.name != "ArgumentParser" }
    let ours = manifest.targets.map(\.name)
    let inside = [
      "SessionVault", "SupabaseAuth", "SessionEngine", "AccessControl", "SignInFlows", "Egress", "AgentServer",
      "AgentCore",
      "CSodium", "CSystemd",
    ]
    let others = ours.filter { $0 != "SystemSupport" }
    return reach(of: "SystemSupport", in: manifest, forbidden: ours + heavy.map(\.name) + ["ArgumentParser"])
      + reach(of: "AgentProtocol", in: manifest, forbidden: others + heavy.map(\.name) + ["ArgumentParser"])
      + reach(of: "WebURLs", in: manifest, forbidden: ours + heavy.map(\.name) + ["ArgumentParser"])
      + reach(of: "AgentConfiguration", in: manifest, forbidden: inside + heavy.map(\.name) + ["ArgumentParser"])
      + reach(of: "AgentClient", in: manifest, forbidden: inside + heavy.map(\.name) + ["ArgumentParser"])
      // For SHA-256 alone: the vault stays out of reach.
      + reach(of: "ritualctl", in: manifest, forbidden: inside.filter { $0 != "CSodium" } + heavy.map(\.name))
      + reach(of: "ritual-notify", in: manifest, forbidden: inside.filter { $0 != "CSystemd" } + heavy.map(\.name))
      + reach(of: "AuthSandbox", in: manifest, forbidden: ours.filter { $0 != "COpenSSL" })
      + reach(of: "SessionVault", in: manifest, forbidden: others.filter { $0 != "CSodium" })
      + reach(of: "SupabaseAuth", in: manifest, forbidden: others.filter { $0 != "WebURLs" })
      + reach(of: "ritual-agentd", in: manifest, forbidden: ["AuthSandbox", "Hummingbird"])
  }

  /// The dependencies between the agent's layers are limited to the listed ones. Modules that are
  /// not listed are not restricted.
  static func forbiddenDirectDependencies(in manifest: Manifest) -> [String] {
    let layers: [String: Set<String>] = [
      "SystemBus": [], "SessionEngine": ["SessionVault", "SupabaseAuth", "AgentConfiguration"],
      "AccessControl": ["SessionEngine", "SessionVault", "SupabaseAuth", "AgentConfiguration"],
      "Egress": ["SessionEngine", "AccessControl", "SupabaseAuth", "AgentConfiguration"],
      "SignInFlows": ["SessionEngine", "AccessControl", "SupabaseAuth", "AgentConfiguration"],
      "AgentServer": ["SessionEngine", "AccessControl"],
    ]
    let layered = Set(layers.keys).union(layers.values.flatMap { $0 }).union(["AgentCore"])
    return layers.sorted { $0.key < $1.key }.flatMap { name, allowed in
      (manifest.target(name)?.dependencies.map(\.name) ?? []).filter { layered.contains($0) && !allowed.contains($0) }
        .map { "\(name) names \($0)" }
    }
  }

  /// Only the listed targets depend on the vault; only `ritual-sandbox` and tests depend on the
  /// sandbox; only tests depend on TestKit.
  static func forbiddenDependents(in manifest: Manifest) -> [String] {
    dependents(on: "SessionVault", in: manifest, allowing: ["AgentCore", "AccessControl", "SessionEngine", "TestKit"])
      + dependents(on: "AuthSandbox", in: manifest, allowing: ["ritual-sandbox"])
      + dependents(on: "TestKit", in: manifest, allowing: [])
  }

  /// Every target is compiled with the same strict settings.
  static func missingSettings(in manifest: Manifest) -> [String] {
    let wanted: Set<String> = [
      "treatAllWarnings error", "enableUpcomingFeature ExistentialAny",
      "enableUpcomingFeature MemberImportVisibility", "enableUpcomingFeature InternalImportsByDefault",
    ]
    return manifest.targets.filter { $0.type != "system" }.flatMap { target in
      wanted.subtracting(target.settings.map(\.flag)).sorted().map { "\(target.name) is built without \($0)" }
    }
  }

  /// Dependencies are pinned exactly, because the resolved file is not committed and builds must be
  /// reproducible.
  static func unpinned(in manifest: Manifest) -> [String] {
    manifest.dependencies.filter { $0.exactVersion == nil }.map { "\($0.url) is not pinned with exact:" }
  }

  /// Each dependency has a row in docs/design.md that states its purpose.
  static func undocumented(in manifest: Manifest, design: String) -> [String] {
    let rows = design.split(separator: "\n").filter { $0.hasPrefix("|") }
    return manifest.dependencies.map { $0.url.split(separator: "/").last.map(String.init) ?? $0.identity }
      .filter { name in !rows.contains { $0.hasPrefix("| `\(name)`") } }
      .map { "docs/design.md has no row for \($0)" }
  }

  private static func reach(of name: String, in manifest: Manifest, forbidden refused: [String]) -> [String] {
    manifest.closure(of: name).intersection(refused).subtracting([name]).sorted().map { "\(name) reaches \($0)" }
  }

  private static func dependents(on name: String, in manifest: Manifest, allowing allowed: [String]) -> [String] {
    manifest.targets
      .filter { $0.type != "test" && !allowed.contains($0.name) && $0.dependencies.contains { $0.name == name } }
      .map { "\($0.name) depends on \(name)" }
  }
}
