import AgentClient
import AgentProtocol
import Glibc

/// Enables the agent's service after the first sign-in, so that the agent starts with the user's
/// session. Socket activation alone would start it with the first request, and nothing would be
/// refreshed until then. The agent cannot enable itself, because its systemd sandboxing hides the
/// service manager.
struct ServiceAtLogin {
  private static let service = "ritual-agent.service"
  /// The timeout of systemctl(1) in seconds, so that a service manager that hangs does not delay a
  /// finished sign-in.
  private static let systemctlTimeout = "5"

  let common: CommonOptions
  let output: Output

  /// Enables the service if it is installed and disabled, the account that just signed in is the
  /// only one, and the configuration does not say `autostart = false`. Thus a user who disables it
  /// later is not overruled by each sign-in. Never fails.
  func enableAfterFirstSignIn() {
    guard isManagersAgent, isWantedNow, !systemctl(["is-enabled", Self.service]), systemctl(["enable", Self.service])
    else { return }
    output.note(
      "\(Self.service) is now enabled and starts when you log in\n"
        + "  to undo: systemctl --user disable \(Self.service)")
  }

  /// Whether the agent belongs to a running user manager: no other socket was named.
  private var isManagersAgent: Bool {
    guard common.socket == nil, variable("RITUAL_AGENT_SOCKET") == nil, let runtime = variable("XDG_RUNTIME_DIR")
    else { return false }
    return access(runtime + "/systemd/private", F_OK) == 0
  }

  private var isWantedNow: Bool {
    guard let status = try? common.connect().call(AgentStatusMethod.self, .init()), status.autostart != false else {
      return false
    }
    return status.accounts.count { $0.state == .authenticated || $0.state == .degraded } == 1
  }

  private func systemctl(_ arguments: [String]) -> Bool {
    DesktopTool.run("timeout", [Self.systemctlTimeout, "systemctl", "--user", "--quiet"] + arguments)
  }

  private func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
