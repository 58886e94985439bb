import AgentProtocol
import FoundationEssentials

/// A `[[policy.rules]]` entry: the callers, the account, and the action.
package struct PolicyRule: Sendable, Equatable {
  package enum Action: String, Sendable, CaseIterable { case allow, deny, ask }

  /// The callers that a rule applies to.
  package enum Subject: Sendable, Equatable {
    case anyCaller
    /// The caller's systemd unit (`Caller.unit`), compared byte by byte.
    case unit(String)
    /// The file that this path resolves to at the time of the call.
    case executable(String)
  }

  /// The account; nil for every account.
  package var account: String?
  package var subject: Subject
  package var action: Action
  /// The API requests that the rule is limited to; nil for a rule about the account's token and
  /// everything else.
  package var scope: RequestScope?

  package init(
    account: String? = nil, subject: Subject = .anyCaller, action: Action, scope: RequestScope? = nil
  ) {
    (self.account, self.subject, self.action, self.scope) = (account, subject, action, scope)
  }
}

/// An error in a rule: the invalid key, and the value that is expected.
struct PolicyRuleError: Error, Equatable {
  /// The invalid key; nil if the rule as a whole is invalid.
  let key: String?
  /// The invalid element of the key's array; nil if the value as a whole is invalid.
  var index: Int?
  let message: String
}

extension PolicyRule {
  /// The maximum number of rules, which are searched for each decision. Far more than anyone can
  /// keep track of.
  static let maxRules = 256

  /// Creates a rule from values whose types the schema has checked.
  ///
  /// - Parameter inUserNamespace: True if the executables of other processes cannot be read.
  static func read(
    _ values: [String: ConfigurationSchema.Literal], inUserNamespace: Bool, hasUnits: Bool = CallerUnit.isReadable
  ) throws(PolicyRuleError) -> PolicyRule {
    func text(_ key: String) -> String? {
      if case .text(let text)? = values[key] { text } else { nil }
    }
    guard let action = text("action").flatMap(Action.init(rawValue:)) else {
      throw PolicyRuleError(key: nil, message: "action is missing for the rule")
    }
    var rule = PolicyRule(account: text("account"), action: action)
    if let account = rule.account, !AccountName.isValid(account) {
      throw PolicyRuleError(key: "account", message: "an account name \(AccountName.rule)")
    }
    if let unit = text("unit") {
      if let complaint = complaint(aboutUnit: unit, hasUnits) { throw complaint }
      rule.subject = .unit(unit)
    }
    if let executable = text("executable") {
      guard rule.subject == .anyCaller else {
        throw PolicyRuleError(key: "executable", message: "a rule can have a unit or an executable, not both")
      }
      if let complaint = complaint(aboutExecutable: executable, inUserNamespace) { throw complaint }
      rule.subject = .executable(executable)
    }
    do throws(RequestScopeError) {
      rule.scope = try readScope(values)
    } catch {
      throw PolicyRuleError(key: error.key.rawValue, index: error.index, message: error.message)
    }
    return rule
  }

  /// Nil if the rule has neither methods nor paths.
  private static func readScope(
    _ values: [String: ConfigurationSchema.Literal]
  ) throws(RequestScopeError) -> RequestScope? {
    func texts(_ key: RequestScopeError.Key) -> [String] {
      if case .texts(let texts)? = values[key.rawValue] { texts } else { [] }
    }
    let (methods, paths) = (texts(.methods), texts(.paths))
    return methods.isEmpty && paths.isEmpty ? nil : try RequestScope(methods: methods, paths: paths)
  }

  private static func complaint(aboutUnit unit: String, _ hasUnits: Bool) -> PolicyRuleError? {
    // 255 characters: UNIT_NAME_MAX of systemd.unit(5).
    let isUnit =
      [".service", ".scope"].contains { unit.utf8.reversed().starts(with: $0.utf8.reversed()) }
      && unit.utf8.count <= 255
      && unit.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "*") }
    guard isUnit else {
      return PolicyRuleError(
        key: "unit", message: "expected the full name of a service or scope, such as \"backup.service\"")
    }
    guard !hasUnits else { return nil }
    return PolicyRuleError(
      key: "unit",
      message: "misconfigured: this system uses cgroup v1, where the unit of a process cannot be read; "
        + "boot with systemd.unified_cgroup_hierarchy=1, or remove the rule")
  }

  private static func complaint(aboutExecutable path: String, _ inUserNamespace: Bool) -> PolicyRuleError? {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      return PolicyRuleError(key: "executable", message: "expected an absolute path")
    }
    if let words = InterpretedPrograms.complaint(about: path) {
      return PolicyRuleError(key: "executable", message: words)
    }
    guard inUserNamespace else { return nil }
    return PolicyRuleError(
      key: "executable",
      message:
        "misconfigured: the agent runs in a user namespace (PrivateUsers=yes), where it cannot identify the calling "
        + "program; use unit = \"NAME.service\", or run the agent with PrivateUsers=no")
  }
}

/// The systemd unit of a process, derived from its cgroup (cgroups(7)) in the way of
/// `sd_pid_get_user_unit(3)`: slices and the user manager are skipped, and the first unit below
/// them is the result. Deeper cgroups are ignored: a process can create them, because systemd
/// delegates a unit's subtree.
package enum CallerUnit {
  /// Suffixes of units that have a cgroup, except slices.
  private static let kinds = [".service", ".scope", ".socket", ".mount", ".swap"]

  /// Returns the unit named in `/proc/PID/cgroup`; nil if there is none.
  ///
  /// - Parameter root: The cgroup of the service manager, a prefix that is visible in a container
  ///   and is not a unit of that manager.
  package static func name(in cgroups: String, root: String = ownRoot) -> String? {
    guard let path = unified(cgroups) else { return nil }
    var parts = Array(path.utf8.dropFirst(path.utf8.starts(with: (root + "/").utf8) ? root.utf8.count : 0))
      .split(separator: UInt8(ascii: "/")).compactMap(unit)[...]
    if let first = parts.first, isManager(first) { parts.removeFirst() }
    return parts.first
  }

  /// Returns a path component as a unit name; nil for slices and other directories. A leading
  /// underscore is systemd's escape.
  private static func unit(_ part: ArraySlice<UInt8>) -> String? {
    let name = part.first == UInt8(ascii: "_") ? part.dropFirst() : part
    guard kinds.contains(where: { name.count > $0.utf8.count && name.suffix($0.utf8.count).elementsEqual($0.utf8) })
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns whether `unit` is `user@UID.service`.
  private static func isManager(_ unit: String) -> Bool {
    let digits = unit.utf8.dropFirst("user@".utf8.count).dropLast(".service".utf8.count)
    return unit.utf8.starts(with: "user@".utf8) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      && unit.utf8.elementsEqual("user@\(String(decoding: digits, as: UTF8.self)).service".utf8)
  }

  /// Returns the path in the unified hierarchy: the line `0::PATH`.
  private static func unified(_ cgroups: String) -> String? { path(in: cgroups, of: "") }

  /// Returns the path from the line `NUMBER:CONTROLLERS:PATH` with these controllers.
  private static func path(in cgroups: String, of controllers: String) -> String? {
    for line in cgroups.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      if fields.count == 3, fields[1].elementsEqual(controllers.utf8) { return String(Substring(fields[2])) }
    }
    return nil
  }

  /// The root of the service manager's cgroup tree.
  package static let ownRoot =
    (try? String(contentsOfFile: "/proc/1/cgroup", encoding: .utf8)).map { root(of: $0) } ?? ""

  /// Returns the parent of `init.scope`, the cgroup in which the manager runs.
  package static func root(of manager: String) -> String {
    let path = Array((unified(manager) ?? "").utf8)
    let leaf = Array("/init.scope".utf8)
    let tree = path.suffix(leaf.count).elementsEqual(leaf) ? path.dropLast(leaf.count) : path[...]
    return tree.elementsEqual("/".utf8) ? "" : String(decoding: tree, as: UTF8.self)
  }

  /// True if units can be read on this system.
  package static let isReadable =
    (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)).map { isReadable(in: $0) } ?? true

  /// Returns false with cgroup v1 only, where systemd keeps its tree in `name=systemd`, and `0::`
  /// is missing or empty.
  package static func isReadable(in cgroups: String) -> Bool {
    guard let path = unified(cgroups) else { return false }
    guard let old = Self.path(in: cgroups, of: "name=systemd") else { return true }
    return path != "/" || old == "/"
  }
}

/// Whether this process runs in its own user namespace (user_namespaces(7)), such as with
/// `PrivateUsers=yes`. There the executables of the user's other processes cannot be read.
package enum UserNamespace {
  package static let isOwn = isOwn(map: try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8))

  /// Returns false for the initial namespace, whose map has one line that maps every uid to itself.
  /// Returns true without /proc, because no executable can be read then either.
  package static func isOwn(map: String?) -> Bool {
    guard let map else { return true }
    let lines = map.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    return lines != [["0", "0", "4294967295"]]
  }
}
