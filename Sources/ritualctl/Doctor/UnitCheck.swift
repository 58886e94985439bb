import AgentProtocol
import Glibc

/// What the user's service manager says of the agent's units.
struct UnitCheck {
  /// Whether the agent answers, by whatever way it was started.
  let isReachable: Bool

  private static let enable = "systemctl --user enable --now ritual-agent.socket"

  func check() -> DiagnosticCheck {
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    let shown = CapturedTool.output(
      "systemctl", ["--user", "show", "--property=LoadState,ActiveState,SubState,UnitFileState,Result"] + names)
    guard let shown, case let units = Self.units(shown), units.count == names.count else {
      return DiagnosticCheck(
        "units", .warn, "not known: there is no service manager of the user (systemd --user) to ask",
        next: isReachable
          ? nil : ServiceManager.isBooted ? "loginctl enable-linger, or run ritual-agentd" : "ritual-agentd")
    }
    return judge(socket: units[0], service: units[1])
  }

  private func judge(socket: [String: String], service: [String: String]) -> DiagnosticCheck {
    for (name, unit) in [("ritual-agent.socket", socket), ("ritual-agent.service", service)]
    where unit["ActiveState"] == "failed" {
      return DiagnosticCheck(
        "units", .fail, "\(name) failed (\(ForeignText.shown(unit["Result"] ?? "", limit: 40)))",
        next: "journalctl --user -u ritual-agent.service -n 50; when that is mended: \(Self.again(socket, service))")
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
        "units", .warn, "ritual-agent.socket is active, and will not be after the next login", next: Self.enable)
    }
    let state = ForeignText.shown(service["SubState"] ?? "not running", limit: 40)
    return DiagnosticCheck("units", .ok, "ritual-agent.socket is active and enabled; ritual-agent.service: \(state)")
  }

  /// What starts the agent again. While the socket listens the next client does; not past the limit of starts in a time,
  /// which takes the socket with it (systemd.socket(5)).
  private static func again(_ socket: [String: String], _ service: [String: String]) -> String {
    let isHeld = socket["ActiveState"] != "active" || service["Result"] == "start-limit-hit"
    return isHeld ? FailedUnits.remedy : "ritualctl status"
  }

  /// The blocks of `systemctl show`, one for each unit, with an empty line between them.
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

/// Units of the agent that systemd has given up on, after too many starts that failed: then nothing listens any more, and a
/// mended configuration alone does not help.
enum FailedUnits {
  /// What makes systemd try again.
  static let remedy =
    "systemctl --user reset-failed ritual-agent.service ritual-agent.socket; "
    + "systemctl --user start ritual-agent.socket"

  /// The failure, with the remedy where the agent cannot be reached and its units have failed.
  static func explained(_ failure: Failure, socket: String?) -> Failure {
    // By another socket another agent is meant, of which the units say nothing.
    guard failure.exit == .unreachable, failure.kind == "unreachable", socket == nil,
      getenv("RITUAL_AGENT_SOCKET") == nil, ServiceManager.isPresent, haveFailed
    else { return failure }
    var failure = failure
    failure.hints = [remedy, "why it did not start: journalctl --user -u ritual-agent.service -n 20"]
    return failure
  }

  /// A state in a line for each unit (systemctl(1)). Seconds: the user's manager answers at once, or not.
  private static var haveFailed: Bool {
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    let states = CapturedTool.output("systemctl", ["--user", "is-failed"] + names, within: .seconds(2))
    return states?.split(separator: "\n").contains("failed") ?? false
  }
}
