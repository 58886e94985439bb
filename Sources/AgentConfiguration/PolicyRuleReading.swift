import AgentProtocol

/// What is wrong with a rule: the key that cannot stay, and what is meant there.
struct PolicyRuleComplaint: Sendable, Equatable {
  /// Nil where the rule as a whole is meant.
  let key: String?
  let message: String
}

extension PolicyRule {
  /// Rules that are looked through for a decision: more than anybody keeps in mind.
  static let most = 256

  /// The rule that the values make; the schema has checked their kinds.
  ///
  /// - Parameter inUserNamespace: whether the programs of other processes are out of sight.
  static func read(
    _ values: [String: ConfigurationSchema.Literal], inUserNamespace: Bool, hasUnits: Bool = CallerUnit.isReadable
  ) -> Result<PolicyRule, PolicyRuleComplaint> {
    func text(_ key: String) -> String? {
      if case .text(let text)? = values[key] { text } else { nil }
    }
    guard let action = text("action").flatMap(Action.init(rawValue:)) else {
      return .failure(PolicyRuleComplaint(key: nil, message: "the rule needs action"))
    }
    var rule = PolicyRule(account: text("account"), action: action)
    if let account = rule.account, !AccountName.isValid(account) {
      return .failure(
        PolicyRuleComplaint(
          key: "account", message: "an account's name is meant: 1 to 32 of a-z, 0-9, dot, hyphen, underscore"))
    }
    if let unit = text("unit") {
      if let complaint = complaint(aboutUnit: unit, hasUnits) { return .failure(complaint) }
      rule.subject = .unit(unit)
    }
    if let executable = text("executable") {
      guard rule.subject == .everybody else {
        return .failure(
          PolicyRuleComplaint(key: "executable", message: "a rule names a unit or an executable, not both"))
      }
      if let complaint = complaint(aboutExecutable: executable, inUserNamespace) { return .failure(complaint) }
      rule.subject = .executable(executable)
    }
    return .success(rule)
  }

  private static func complaint(aboutUnit unit: String, _ hasUnits: Bool) -> PolicyRuleComplaint? {
    // 255 characters: UNIT_NAME_MAX of systemd.unit(5).
    let isUnit =
      [".service", ".scope"].contains { unit.utf8.reversed().starts(with: $0.utf8.reversed()) }
      && unit.utf8.count <= 255
      && unit.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "*") }
    guard isUnit else {
      return PolicyRuleComplaint(
        key: "unit", message: "the whole name of a service or scope is meant, such as \"backup.service\"")
    }
    guard !hasUnits else { return nil }
    return PolicyRuleComplaint(
      key: "unit",
      message: "misconfigured: this system uses cgroup v1, where the unit of a process cannot be read; "
        + "boot with systemd.unified_cgroup_hierarchy=1, or remove the rule")
  }

  private static func complaint(aboutExecutable path: String, _ inUserNamespace: Bool) -> PolicyRuleComplaint? {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      return PolicyRuleComplaint(key: "executable", message: "a whole path is meant, one that begins with /")
    }
    if let words = InterpretedPrograms.complaint(about: path) {
      return PolicyRuleComplaint(key: "executable", message: words)
    }
    guard inUserNamespace else { return nil }
    return PolicyRuleComplaint(
      key: "executable",
      message:
        "misconfigured: the agent runs in a user namespace (PrivateUsers=yes), where it cannot read which program "
        + "calls; write unit = \"NAME.service\", or run the agent with PrivateUsers=no")
  }
}

extension PolicyRuleComplaint: Error {}
