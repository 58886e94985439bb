import Glibc

/// Whether systemd manages this user's services, and the commands that a hint names with and without it.
public enum ServiceManager {
  /// True if this process is a unit of systemd (SYSTEMD_EXEC_PID, systemd.exec(5)), or if a user manager runs
  /// (sd_booted(3), and the manager's own socket).
  public static let isPresent = isUnit || (isBooted && hasUserManager)

  /// True if systemd is the init of this machine (sd_booted(3)).
  public static let isBooted = access("/run/systemd/system", F_OK) == 0

  /// Starts the agent.
  public static let startAgent = isPresent ? "systemctl --user enable --now ritual-agent.socket" : "ritual-agentd"

  /// Starts the agent again.
  public static let restartAgent =
    isPresent ? "systemctl --user restart ritual-agent.service" : "end ritual-agentd, then start it again"

  /// Shows the agent's log.
  public static let agentLog =
    isPresent ? "journalctl --user -u ritual-agent.service" : "see what ritual-agentd wrote to standard error"

  private static let isUnit = variable("SYSTEMD_EXEC_PID") == String(getpid())

  private static var hasUserManager: Bool {
    let runtime = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return access(runtime + "/systemd/private", F_OK) == 0
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
