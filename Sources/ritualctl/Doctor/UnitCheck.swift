import AgentProtocol
import Glibc

/// Checks the agent's units in the user's service manager.
struct UnitCheck {
  /// Whether the agent answers, however it was started.
  let isReachable: Bool

  private static let enable = "systemctl --user enable --now ritual-agent.socket"

  func checks() -> [DiagnosticCheck] {
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    let properties = "LoadState,ActiveState,SubState,UnitFileState,Result,ExecMainStatus,PrivateUsers"
    let shown = CapturedTool.output("systemctl", ["--user", "show", "--property=" + properties] + names)
    guard let shown, case let units = Self.units(shown), units.count == names.count else {
      return [
        DiagnosticCheck(
          "units", .warn, "unknown: no systemd user manager (systemd --user) is running",
          next: isReachable
            ? nil : ServiceManager.isBooted ? "loginctl enable-linger, or run ritual-agentd" : "ritual-agentd")
      ]
    }
    return [judge(socket: units[0], service: units[1])] + ConfinementCheck(service: units[1]).checks()
  }

  private func judge(socket: [String: String], service: [String: String]) -> DiagnosticCheck {
    for (name, unit) in [("ritual-agent.socket", socket), ("ritual-agent.service", service)]
    where unit["ActiveState"] == "failed" {
      return DiagnosticCheck(
        "units", .fail, "\(name) failed (\(ForeignText.shown(unit["Result"] ?? "", limit: 40)))",
        next:
          "journalctl --user -u ritual-agent.service -n 50; after the fix: \(Self.restartHint(socket, service))")
    }
    let outcome: CheckOutcome = isReachable ? .warn : .fail
    guard socket["LoadState"] == "loaded" else {
      return DiagnosticCheck("units", outcome, "ritual-agent.socket is not installed", next: Self.enable)
    }
    guard socket["ActiveState"] == "active" else {
      return DiagnosticCheck("units", outcome, "ritual-agent.socket is not active", next: Self.enable)
    }
    guard ["enabled", "static"].contains(socket["UnitFileState"] ?? "") else {
      return DiagnosticCheck(
        "units", .warn, "ritual-agent.socket is active, but does not start at the next login", next: Self.enable)
    }
    let state = ForeignText.shown(service["SubState"] ?? "not running", limit: 40)
    return DiagnosticCheck("units", .ok, "ritual-agent.socket is active and enabled; ritual-agent.service: \(state)")
  }

  /// The command that restarts the agent. While the socket listens, any client does. After the
  /// start limit is hit, the socket fails too (systemd.socket(5)).
  private static func restartHint(_ socket: [String: String], _ service: [String: String]) -> String {
    let isHeld = socket["ActiveState"] != "active" || service["Result"] == "start-limit-hit"
    return isHeld ? FailedUnits.remedy : "ritualctl status"
  }

  /// Parses the output of `systemctl show`: one block per unit, separated by empty lines.
  private static func units(_ text: String) -> [[String: String]] {
    text.split(separator: "\n\n").map { block in
      let pairs = block.split(separator: "\n").map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
      return Dictionary(pairs, uniquingKeysWith: { $1 })
    }
  }
}

/// Checks whether the confinement of the agent's unit is effective. It needs user namespaces, which
/// some systems deny to a user's service manager, as Ubuntu does from 24.04 on.
struct ConfinementCheck {
  /// The properties of ritual-agent.service.
  let service: [String: String]

  /// The sysctls that restrict user namespaces, each with the value that does.
  private static let restrictions = [
    (name: "kernel.apparmor_restrict_unprivileged_userns", value: "1"),
    (name: "kernel.unprivileged_userns_clone", value: "0"),
    (name: "user.max_user_namespaces", value: "0"),
  ]

  /// Empty if the service is not installed.
  func checks() -> [DiagnosticCheck] {
    guard service["LoadState"] == "loaded" else { return [] }
    switch service["PrivateUsers"] {
    case "yes": return [whole]
    case "no":
      return [
        DiagnosticCheck(
          "confinement", .warn, "reduced: a drop-in turns off what needs a user namespace (PrivateUsers=no)",
          next: Self.restriction == nil ? "to see the drop-in: systemctl --user cat ritual-agent.service" : nil)
      ]
    default: return []
    }
  }

  private var whole: DiagnosticCheck {
    guard service["ActiveState"] != "active" else {
      return DiagnosticCheck("confinement", .ok, "effective: the agent has its own user namespace")
    }
    let restriction = Self.restriction
    guard let failedStep else {
      guard let restriction else { return DiagnosticCheck("confinement", .ok, "user namespaces are not restricted") }
      return DiagnosticCheck(
        "confinement", .warn, "ritual-agent.service may fail to start: user namespaces are restricted (\(restriction))",
        next: Self.installDropIn)
    }
    guard let restriction else {
      return DiagnosticCheck(
        "confinement", .fail, "ritual-agent.service cannot be confined (\(failedStep))",
        next: "journalctl --user -u ritual-agent.service -n 20")
    }
    return DiagnosticCheck(
      "confinement", .fail,
      "ritual-agent.service cannot be confined (\(failedStep)): user namespaces are restricted (\(restriction))",
      next: Self.installDropIn)
  }

  /// The step of the start that failed because of namespaces (systemd.exec(5), "Process Exit
  /// Codes").
  private var failedStep: String? {
    switch service["ExecMainStatus"] {
    case "226": "226/NAMESPACE"
    case "217": "217/USER"
    default: nil
    }
  }

  /// The first restriction that is in force, such as `user.max_user_namespaces=0`.
  private static var restriction: String? {
    let found = restrictions.first { name, value in
      let text = SwapCheck.text(of: "/proc/sys/" + name.replacing(".", with: "/"))
      return text?.split(whereSeparator: \.isWhitespace).first.map(String.init) == value
    }
    return found.map { "\($0.name)=\($0.value)" }
  }

  /// The commands that install the drop-in for this user, and start the agent with it.
  private static var installDropIn: String {
    let name = "without-namespaces.conf"
    let target = "~/.config/systemd/user/ritual-agent.service.d/" + name
    return "install -D -m 644 \(OwnProgram.prefix)/lib/ritual-agent/\(name) \(target); "
      + "systemctl --user daemon-reload; \(FailedUnits.remedy)"
  }
}

/// Units of the agent that failed after too many failed starts. Nothing listens then, and
/// correcting the configuration alone does not help.
enum FailedUnits {
  /// The commands after which systemd starts the units again.
  static let remedy =
    "systemctl --user reset-failed ritual-agent.service ritual-agent.socket; "
    + "systemctl --user start ritual-agent.socket"

  /// Adds the remedy to a failure if the agent cannot be reached and its units have failed.
  static func explained(_ failure: Failure, socket: String?) -> Failure {
    // Another socket belongs to another agent, which the units do not describe.
    guard failure.exit == .unreachable, failure.kind == "unreachable", socket == nil,
      getenv("RITUAL_AGENT_SOCKET") == nil, ServiceManager.isPresent, haveFailed
    else { return failure }
    var failure = failure
    failure.hints = [remedy, "why it did not start: journalctl --user -u ritual-agent.service -n 20"]
    return failure
  }

  /// Whether a unit has failed. systemctl(1) prints one state per line. The short timeout suffices:
  /// the user's manager answers immediately or not at all.
  private static var haveFailed: Bool {
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    let states = CapturedTool.output("systemctl", ["--user", "is-failed"] + names, within: .seconds(2))
    return states?.split(separator: "\n").contains("failed") ?? false
  }
}
