import AgentProtocol
import Glibc
import SystemSupport

/// Starts `ritualctl sign-in` in a unit of its own, so that it does not end with this program and has none of its rights.
struct SignInStarter {
  /// `--socket`, for `ritualctl`.
  let socket: String?

  /// What a browser needs, where the user manager does not know it. systemd-run(1) takes the values from our own environment.
  private static let passedOn = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "RITUAL_AGENT_SOCKET",
  ]

  /// Starts it for `account`; the pid of systemd-run(1), nil where that could not be started. No shell is involved, and the name
  /// cannot be taken for an option.
  func start(_ account: String) -> pid_t? {
    guard AccountName.isValid(account) else { return nil }
    let variables = Self.passedOn.filter { getenv($0) != nil }.map { "--setenv=" + $0 }
    let command = [Self.ritualctl, "sign-in", "--account=" + account] + (socket.map { ["--socket=" + $0] } ?? [])
    let arguments =
      ["systemd-run", "--user", "--collect", "--quiet", "--service-type=exec", "--description=Ritual Agent sign-in"]
      + variables + ["--"] + command
    return try? ChildProcess(arguments, output: .inherited, error: .inherited).start()
  }

  /// Beside this program, else in PATH.
  private static var ritualctl: String {
    guard let target = realpath("/proc/self/exe", nil) else { return "ritualctl" }
    defer { free(target) }
    let own = String(cString: target)
    let beside = own.lastIndex(of: "/").map { own[..<$0] + "/ritualctl" } ?? ""
    return access(String(beside), X_OK) == 0 ? String(beside) : "ritualctl"
  }
}
