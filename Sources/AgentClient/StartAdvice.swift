import AgentProtocol
import Glibc

/// The next steps if no agent listens on a socket, from facts about the machine.
package struct StartAdvice: Sendable {
  /// Where the path of the socket comes from.
  package enum Socket: Sendable, Hashable {
    /// The default path, on which the systemd units listen.
    case standard
    /// The caller, such as `--socket`.
    case named(String)
    /// RITUAL_AGENT_SOCKET.
    case variable(String)
  }

  /// The program that manages services for this user.
  package enum Manager: Sendable, Hashable {
    /// systemd is not the init system, as in most containers and in WSL without systemd.
    case none
    /// systemd is the init system, but no user manager runs for this user, as in cron and su.
    case system
    /// A user manager runs.
    case user(Units)
  }

  /// The agent's units in the user manager.
  package enum Units: Sendable, Hashable {
    case unknown
    /// A unit failed, mostly after too many starts.
    case failed
    /// The unit files exist, but the user manager has not read them.
    case unread
    /// There are no unit files.
    case missing
    /// The socket unit is not active, and may be disabled.
    case inactive
    /// The socket unit is active, although nothing listens.
    case active
  }

  package var socket: Socket
  package var manager: Manager
  /// The command for `ritual-agentd`; nil if it is not installed.
  package var program: String? = "ritual-agentd"
  /// True for root by sudo(8): the agent is that of the user who called it.
  package var isBySudo: Bool

  package init(
    socket: Socket, manager: Manager, program: String? = "ritual-agentd", isBySudo: Bool = Self.isProcessBySudo
  ) {
    (self.socket, self.manager, self.program, self.isBySudo) = (socket, manager, program, isBySudo)
  }

  package static var isProcessBySudo: Bool { geteuid() == 0 && getenv("SUDO_UID").map { atoi($0) > 0 } == true }

  /// The facts that need neither another program nor a search: the units are unknown, and
  /// `ritual-agentd` counts as installed.
  package init(path: String) {
    isBySudo = Self.isProcessBySudo
    manager = ServiceManager.isPresent ? .user(.unknown) : ServiceManager.isBooted ? .system : .none
    if path == (try? AgentPaths.withDefaultSocket.socket) {
      socket = .standard
    } else {
      socket = path == (try? AgentPaths.ofThisProcess().socket) ? .variable(path) : .named(path)
    }
  }

  /// The commands after which systemd starts failed units again.
  package static let restartOfFailedUnits =
    "systemctl --user reset-failed 'ritual-agent*'; systemctl --user start ritual-agent.socket"

  private static let enable = "systemctl --user enable --now ritual-agent.socket"

  /// The next steps. The first is a command, unless the agent is not installed, or is another user's.
  package var hints: [String] {
    switch (socket, manager) {
    case (.standard, _) where isBySudo:
      ["run the command without sudo", "the agent runs as your own user, and this is root"]
    case (.named(let path), _): starting { ["\($0) --socket \(ForeignText.shown(path))"] }
    case (.variable(let path), _):
      starting { ["\($0) --socket \(ForeignText.shown(path))"] } + ["RITUAL_AGENT_SOCKET is set to this path"]
    case (.standard, .none):
      starting { ["\($0) &", "this machine does not run systemd; for one command only: \($0) -- COMMAND"] }
    case (.standard, .system):
      ["loginctl enable-linger", "no user manager (systemd --user) is running for you, as in cron or after su"]
    case (.standard, .user(.unknown)), (.standard, .user(.inactive)): [Self.enable]
    case (.standard, .user(.failed)):
      [Self.restartOfFailedUnits, "why it did not start: journalctl --user -u ritual-agent.service -n 20"]
    case (.standard, .user(.unread)): ["systemctl --user daemon-reload && \(Self.enable)"]
    case (.standard, .user(.missing)):
      starting { ["\($0) &", "its systemd units are not installed"] }
    case (.standard, .user(.active)):
      [
        "systemctl --user restart ritual-agent.socket ritual-agent.service",
        "ritual-agent.socket is active, but its socket file is missing or was replaced",
      ]
    }
  }

  private func starting(_ steps: (String) -> [String]) -> [String] {
    program.map(steps) ?? ["ritual-agentd is not installed: install the package ritual-agent"]
  }
}
