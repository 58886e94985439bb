import AgentClient
import AgentProtocol
import Glibc

/// After the first sign-in the agent is to start with the user's session: by the socket alone it would start when the first
/// tool asks, and refresh nothing until then. The agent cannot do this itself, for its confinement hides the service manager.
struct ServiceAtLogin {
  private static let service = "ritual-agent.service"
  /// Seconds for systemctl(1): a manager that hangs keeps nobody from a sign-in that is done.
  private static let patience = "5"

  let common: CommonOptions
  let output: Output

  /// Enables the service where it is installed, disabled, and the account that was just signed in is the only one: who
  /// disables it later is not overruled by each sign-in. Never fails.
  func enableAfterFirstSignIn() {
    guard isManagersAgent, isFirst, !systemctl(["is-enabled", Self.service]), systemctl(["enable", Self.service])
    else { return }
    output.note(
      "\(Self.service) is enabled: from now on it starts when you log in\n"
        + "  to undo that: systemctl --user disable \(Self.service)")
  }

  /// Whether the agent is the one of a user's manager that runs: nobody named another socket.
  private var isManagersAgent: Bool {
    guard common.socket == nil, variable("RITUAL_AGENT_SOCKET") == nil, let runtime = variable("XDG_RUNTIME_DIR")
    else { return false }
    return access(runtime + "/systemd/private", F_OK) == 0
  }

  private var isFirst: Bool {
    let accounts = (try? common.connect().call(SessionList.self))?.accounts ?? []
    return accounts.count { $0.state == .authenticated || $0.state == .degraded } == 1
  }

  private func systemctl(_ arguments: [String]) -> Bool {
    DesktopTool.run("timeout", [Self.patience, "systemctl", "--user", "--quiet"] + arguments)
  }

  private func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
