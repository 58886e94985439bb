import AgentProtocol
import Glibc

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
