import AgentProtocol

/// A project as `init` adds it to the configuration: a block of TOML text.
struct ProjectBlock {
  let name: String
  private let keys: [(String, String)]

  /// - Throws: wrong usage, where a value cannot be right.
  init(name: String, url: String, anonKey: String, apiURL: String?) throws {
    guard AccountName.isValid(name) else {
      throw Failure(
        .usage, "a project's name is 1 to 32 of a-z, 0-9, dot, hyphen, underscore, and begins with a letter or digit")
    }
    for (option, address) in [("--project-url", url), ("--api-url", apiURL)] {
      guard let address else { continue }
      guard WebAddress(address) != nil else {
        throw Failure(.usage, "\(option) must be an address with https, or with http to this machine")
      }
    }
    guard !anonKey.isEmpty, anonKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(.usage, "--anon-key must be the project's anon (publishable) key")
    }
    // It must not even be written for the agent to refuse it: the file may be in a backup a minute later.
    guard !ServiceKey.matches(anonKey) else { throw Failure(.usage, ServiceKey.complaint) }
    self.name = name
    keys = [("url", url), ("anon_key", anonKey)] + (apiURL.map { [("api_url", $0)] } ?? [])
  }

  var text: String {
    (["[projects.\(TOMLText.key(name))]"] + keys.map { "\($0) = \(TOMLText.basicString($1))" }).joined(separator: "\n")
      + "\n"
  }
}

/// Writing TOML 1.0.
enum TOMLText {
  /// A basic string; the caller has refused control characters.
  static func basicString(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  /// A key: bare where it may be; a dot would divide it.
  static func key(_ name: String) -> String { name.contains(".") ? basicString(name) : name }
}
