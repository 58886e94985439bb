/// All keys of the file and their types. The validation, the suggestions and the messages are
/// derived from this schema.
enum ConfigurationSchema {
  struct Key: Sendable {
    let name: String
    let kind: Kind
  }

  enum Kind: Sendable {
    case text
    case choice([String])
    case integer(ClosedRange<Int>)
    case boolean
    /// An array of strings.
    case texts(TextListBounds)
  }

  /// The bounds of an array of strings, which is never empty.
  struct TextListBounds: Sendable {
    let maxCount: Int
    /// The maximum length of an element, in bytes.
    let maxLength: Int
  }

  /// A value in the file.
  enum Literal: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case texts([String])
  }

  static let project: [Key] = [
    Key(name: "url", kind: .text), Key(name: "anon_key", kind: .text), Key(name: "api_url", kind: .text),
    Key(name: "api_encoded_slashes", kind: .boolean),
    Key(name: "profile_path", kind: .text), Key(name: "ca_file", kind: .text),
    Key(name: "only_this_ca", kind: .boolean),
    Key(name: "proxy", kind: .text), Key(name: "proxy_password_file", kind: .text),
    Key(name: "headers_file", kind: .text), Key(name: "redirect_scheme", kind: .text),
    Key(name: "sign_in_page", kind: .text), Key(name: "password_reset_page", kind: .text),
    // Seconds, up to ten years. A shorter limit than a minute would be a mistake in the unit.
    Key(name: "session_limit", kind: .integer(60...315_360_000)),
  ]

  static let agent: [Key] = [Key(name: "autostart", kind: .boolean)]

  static let signIn: [Key] = [
    Key(name: "redirect", kind: .choice(["loopback", "scheme", "manual"])),
    // The server keeps a flow for 300 s. More than a thousand attempts an hour would be no limit.
    Key(name: "timeout", kind: .integer(1...300)), Key(name: "password_attempts_per_hour", kind: .integer(1...1000)),
    Key(name: "mfa", kind: .choice(["ask", "later"])),
  ]

  static let linking: [Key] = [
    Key(name: "policy", kind: .choice(["automatic", "confirm"]))
  ]

  static let vault: [Key] = [
    // Seconds, up to a year; 0 means never.
    Key(name: "idle_lock", kind: .integer(0...31_536_000)),
    Key(name: "lock_with_session", kind: .boolean),
    Key(name: "keep_unlocked_over_restart", kind: .boolean),
  ]

  private static let requestList = TextListBounds(
    maxCount: RequestScope.maxEntries, maxLength: RequestScope.maxPathLength)

  static let policyRule: [Key] = [
    Key(name: "account", kind: .text), Key(name: "unit", kind: .text), Key(name: "executable", kind: .text),
    Key(name: "action", kind: .choice(PolicyRule.Action.allCases.map(\.rawValue))),
    Key(name: "methods", kind: .texts(requestList)), Key(name: "paths", kind: .texts(requestList)),
  ]

  /// `keep_days` is in days, up to ten years.
  static let audit: [Key] = [Key(name: "keep_days", kind: .integer(1...3660))]

  /// The top-level tables, except `projects`, whose tables are named, and `policy`, which contains
  /// an array of tables.
  static let tables: [(name: String, keys: [Key])] = [
    ("agent", agent), ("audit", audit), ("linking", linking), ("sign_in", signIn), ("vault", vault),
  ]

  static let roots = ["agent", "audit", "linking", "policy", "projects", "sign_in", "vault"]
}

extension ConfigurationSchema.Kind {
  /// A description of the expected value, for messages.
  var words: String {
    switch self {
    case .text: "a quoted string"
    case .choice(let choices): choices.map { "\"\($0)\"" }.joined(separator: " or ")
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .texts(let bounds): "an array of 1 to \(bounds.maxCount) quoted strings"
    }
  }
}
