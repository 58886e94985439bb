import Foundation

/// Package.swift as SwiftPM understands it: the part of `swift package dump-package` that the
/// module rules need.
struct Manifest: Decodable, Sendable {
  var targets: [Target]
  var dependencies: [Package]

  struct Target: Decodable, Sendable {
    var name: String
    /// `regular`, `executable`, `test` or `system`.
    var type: String
    var path: String?
    var dependencies: [Dependency]
    var settings: [Setting]
  }

  /// A target's dependency: a target of this package, or another package's product.
  struct Dependency: Decodable, Sendable {
    var name: String
    /// The product's package; nil for a target of this package.
    var package: String?
  }

  /// A package dependency.
  struct Package: Decodable, Sendable {
    var identity: String
    var url: String
    /// The pinned version; nil if the requirement is a range, a branch or a revision.
    var exactVersion: String?
  }

  /// A build setting, as its compiler flag: `enableUpcomingFeature ExistentialAny`, `treatAllWarnings error`.
  struct Setting: Decodable, Sendable {
    var flag: String
  }

  /// The target with that name.
  func target(_ name: String) -> Target? { targets.first { $0.name == name } }

  /// The names of all targets and products that `name` reaches, directly or transitively, without
  /// `name` itself.
  func closure(of name: String) -> Set<String> {
    var found: Set<String> = []
    var rest = target(name)?.dependencies.map(\.name) ?? []
    while let next = rest.popLast() {
      if found.insert(next).inserted { rest += target(next)?.dependencies.map(\.name) ?? [] }
    }
    return found
  }
}

extension Manifest.Target {
  /// The directory of the target's sources, relative to the package directory, by SwiftPM's own
  /// rule.
  var directory: String { path ?? (type == "test" ? "Tests/" : "Sources/") + name }
}

extension Manifest.Dependency {
  private enum Keys: String, CodingKey { case byName, target, product }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Keys.self)
    guard let key = object.allKeys.first else { throw DecodingError.unknownForm("dependency", decoder) }
    // ["Crypto", "swift-crypto", null, null] or ["AgentProtocol", null]
    let words = try object.decode([Loose].self, forKey: key).map(\.text)
    guard let first = words.first, let name = first else { throw DecodingError.unknownForm("dependency", decoder) }
    self.name = name
    self.package = key == .product ? words.dropFirst().first ?? nil : nil
  }
}

extension Manifest.Package {
  private enum Keys: String, CodingKey { case sourceControl }

  private struct Source: Decodable {
    var identity: String
    var location: Location
    var requirement: [String: [Loose]]
  }

  private struct Location: Decodable { var remote: [Remote]? }
  private struct Remote: Decodable { var urlString: String }

  init(from decoder: any Decoder) throws {
    let sources = try decoder.container(keyedBy: Keys.self).decode([Source].self, forKey: .sourceControl)
    guard let source = sources.first, let remote = source.location.remote?.first else {
      throw DecodingError.unknownForm("package", decoder)
    }
    identity = source.identity
    url = remote.urlString
    exactVersion = source.requirement["exact"]?.first?.text
  }
}

extension Manifest.Setting {
  private enum Keys: String, CodingKey { case kind }

  init(from decoder: any Decoder) throws {
    // {"enableUpcomingFeature": {"_0": "ExistentialAny"}}, {"treatAllWarnings": {"_0": "error"}}
    let kind = try decoder.container(keyedBy: Keys.self).decode([String: [String: Loose]].self, forKey: .kind)
    flag = kind.map { name, values in ([name] + values.values.compactMap(\.text)).joined(separator: " ") }.joined()
  }
}

/// A string, or nil for any other value.
private struct Loose: Decodable {
  var text: String?

  init(from decoder: any Decoder) throws {
    text = try? decoder.singleValueContainer().decode(String.self)
  }
}

extension DecodingError {
  fileprivate static func unknownForm(_ what: String, _ decoder: any Decoder) -> DecodingError {
    let words = "swift package dump-package writes a \(what) in a form that this test does not know"
    return .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: words))
  }
}
