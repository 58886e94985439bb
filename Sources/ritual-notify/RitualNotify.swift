import AgentProtocol
import ArgumentParser
import Glibc
import SystemBus
import SystemSupport

/// `ritual-notify`: shows desktop notifications for what needs a person: sign-ins, second factors and
/// approvals.
@main
struct RitualNotify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-notify",
    abstract: "Show a desktop notification when a sign-in, a second factor or an approval is needed.",
    discussion: "Runs until the session bus closes. Without a session bus it exits immediately with status 0.",
    version: AgentVersion.current)

  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var socket: String?

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let status = exitCode(for: error)
      guard status == .success || status == .validationFailure else { exit(withError: error) }
      let isHelp = status == .success
      let text =
        isHelp
        ? ProgramText.help(fullMessage(for: error))
        : ProgramText.usageError(message(for: error), program: "ritual-notify")
      try? Descriptor.writeAll(isHelp ? STDOUT_FILENO : STDERR_FILENO, Array("\(text)\n".utf8))
      Glibc.exit(status.rawValue)
    }
  }

  func run() throws {
    // Resolved first: an unknown home directory is an error, with or without a bus.
    let places = AgentPaths.ofThisProcess()
    let (usualSocket, reminders) = (try places.socket, try places.reminders)
    guard let bus = try? BusConnection(user: ()) else {
      Journal.note("no session bus: nothing to do")
      return
    }
    do throws(NotifyError) {
      try NotificationLoop(bus, socket: socket, usualSocket: usualSocket, reminders: reminders).run()
    } catch {
      // The bus ends with the session, and this program with it.
      Journal.note([error.message, error.cause].compactMap { $0 }.joined(separator: ": "))
    }
  }
}

/// Starts `ritualctl` in a separate unit, so that it does not end with this program and has none of
/// its permissions.
struct CommandStarter {
  /// A command about one account.
  enum Command: Sendable {
    case signIn
    /// Opens the agent's page, which asks for the code.
    case enterCode

    /// The command line without the account.
    var words: [String] { self == .signIn ? ["sign-in"] : ["mfa", "verify", "--browser"] }
    fileprivate var description: String { self == .signIn ? "Ritual Agent sign-in" : "Ritual Agent second factor" }
  }

  /// The value of `--socket` for `ritualctl`; nil for the default.
  let socket: String?

  /// Environment variables that a browser needs and the user manager may not know. systemd-run(1)
  /// takes the values from this process.
  private static let passedOn = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "RITUAL_AGENT_SOCKET",
  ]

  /// Starts the command for `account`. Returns the pid of systemd-run(1), or nil if it cannot be
  /// started or the name is invalid. No shell is involved, and the name cannot be taken for an
  /// option.
  func start(_ command: Command, _ account: String) -> pid_t? {
    guard AccountName.isValid(account) else { return nil }
    let variables = Self.passedOn.filter { getenv($0) != nil }.map { "--setenv=" + $0 }
    let program =
      [Self.ritualctl] + command.words + ["--account=" + account] + (socket.map { ["--socket=" + $0] } ?? [])
    let arguments =
      [
        "systemd-run", "--user", "--collect", "--quiet", "--service-type=exec", "--description=" + command.description,
      ] + variables + ["--"] + program
    return try? ChildProcess(arguments, output: .inherited, error: .inherited).start()
  }

  /// The path of `ritualctl` beside this program, or its name for a search in PATH.
  private static var ritualctl: String {
    guard let target = realpath("/proc/self/exe", nil) else { return "ritualctl" }
    defer { free(target) }
    let own = String(cString: target)
    let beside = own.lastIndex(of: "/").map { own[..<$0] + "/ritualctl" } ?? ""
    return access(String(beside), X_OK) == 0 ? String(beside) : "ritualctl"
  }
}
