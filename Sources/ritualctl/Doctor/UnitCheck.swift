import AgentClient
import AgentProtocol
import Glibc

/// Checks the state of the agent's units in the user's service manager.
struct UnitCheck {
  /// Whether the agent answers, however it was started.
  let isReachable: Bool

  func checks() -> [DiagnosticCheck] {
    guard let units = UnitStates.read(within: .seconds(5)) else {
      return [
        DiagnosticCheck(
          "units", .warn, "unknown: no systemd user manager (systemd --user) is running",
          next: isReachable ? nil : start(ServiceManager.isBooted ? .system : .none))
      ]
    }
    return [judge(units)] + ConfinementCheck(service: units.service).checks()
  }

  /// The command that starts the agent under this service manager.
  private func start(_ manager: StartAdvice.Manager) -> String? {
    StartAdvice(socket: .standard, manager: manager, program: OwnProgram.command("ritual-agentd")).hints.first
  }

  private func judge(_ units: UnitStates) -> DiagnosticCheck {
    let (socket, service) = (units.socket, units.service)
    for (name, unit) in [("ritual-agent.socket", socket), ("ritual-agent.service", service)]
    where unit["ActiveState"] == "failed" {
      return DiagnosticCheck(
        "units", .fail, "\(name) failed (\(ForeignText.shown(unit["Result"] ?? "", limit: 40)))",
        next:
          "journalctl --user -u ritual-agent.service -n 50; after the fix: \(Self.restartHint(socket, service))")
    }
    let outcome: CheckOutcome = isReachable ? .warn : .fail
    guard socket["LoadState"] == "loaded" else {
      return DiagnosticCheck(
        "units", outcome, "ritual-agent.socket is not installed", next: start(.user(units.summary)))
    }
    guard socket["ActiveState"] == "active" else {
      return DiagnosticCheck("units", outcome, "ritual-agent.socket is not active", next: start(.user(.inactive)))
    }
    guard ["enabled", "static"].contains(socket["UnitFileState"] ?? "") else {
      return DiagnosticCheck(
        "units", .warn, "ritual-agent.socket is active but not enabled: it will not start at the next login",
        next: start(.user(.inactive)))
    }
    let state = ForeignText.shown(service["SubState"] ?? "not running", limit: 40)
    return DiagnosticCheck("units", .ok, "ritual-agent.socket is active and enabled; ritual-agent.service: \(state)")
  }

  /// The command that restarts the agent. While the socket listens, any client does. After the
  /// start limit is hit, the socket fails too (systemd.socket(5)).
  private static func restartHint(_ socket: [String: String], _ service: [String: String]) -> String {
    let isHeld = socket["ActiveState"] != "active" || service["Result"] == "start-limit-hit"
    return isHeld ? StartAdvice.restartOfFailedUnits : "ritualctl status"
  }
}

/// The states of the agent's units, as properties of systemctl(1).
struct UnitStates {
  let socket: [String: String]
  let service: [String: String]

  /// Asks the user's service manager; nil if there is none.
  static func read(within limit: Duration) -> UnitStates? {
    let properties =
      "--property=LoadState,ActiveState,SubState,UnitFileState,NeedDaemonReload,Result,ExecMainStatus,PrivateUsers"
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    guard let shown = CapturedTool.output("systemctl", ["--user", "show", properties] + names, within: limit) else {
      return nil
    }
    let units = parse(shown)
    return units.count == names.count ? UnitStates(socket: units[0], service: units[1]) : nil
  }

  var summary: StartAdvice.Units {
    if socket["ActiveState"] == "failed" || service["ActiveState"] == "failed" { return .failed }
    guard socket["LoadState"] != "not-found" else { return Self.haveFiles ? .unread : .missing }
    if socket["ActiveState"] == "active" { return .active }
    return socket["NeedDaemonReload"] == "yes" ? .unread : .inactive
  }

  /// Whether a unit file exists in a directory of the user manager (systemd.unit(5)).
  private static var haveFiles: Bool {
    let own = [try? AgentPaths.ofThisProcess().userUnits].compactMap { $0 }
    let folders = own + ["/etc", "/run", "/usr/local/lib", "/usr/lib"].map { $0 + "/systemd/user" }
    return folders.contains { access($0 + "/ritual-agent.socket", F_OK) == 0 }
  }

  /// Parses the output of `systemctl show`: one block per unit, separated by empty lines.
  private static func parse(_ text: String) -> [[String: String]] {
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
  /// The file that ProtectKernelLogs= hides, and that systemd-nspawn does not have.
  var kernelLog = "/proc/kmsg"

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
          "confinement", .warn,
          "reduced: a drop-in turns off the settings that need a user namespace (PrivateUsers=no)",
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
      let isHidden = access(kernelLog, F_OK) != 0
      return DiagnosticCheck(
        "confinement", .fail,
        "ritual-agent.service cannot be confined (\(failedStep))"
          + (isHidden ? ": this container hides \(kernelLog)" : ""),
        next: isHidden ? Self.keepKernelLog : "journalctl --user -u ritual-agent.service -n 20")
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

  private static let dropIns = "~/.config/systemd/user/ritual-agent.service.d"
  private static let restart = "systemctl --user daemon-reload; \(StartAdvice.restartOfFailedUnits)"

  /// The commands that install the drop-in for this user, and start the agent with it.
  private static var installDropIn: String {
    let name = "without-namespaces.conf"
    return "install -D -m 644 \(OwnProgram.prefix)/lib/ritual-agent/\(name) \(dropIns)/\(name); \(restart)"
  }

  /// The commands that leave the kernel's log alone, and start the agent.
  private static let keepKernelLog =
    #"mkdir -p \#(dropIns); printf '[Service]\nProtectKernelLogs=no\n' > \#(dropIns)/container.conf; \#(restart)"#
}

/// Explains why no agent can be reached, and how to start one on this machine.
enum UnreachableAgent {
  /// The failure for a thrown error. If no agent listens, its hints fit this machine.
  static func failure(_ error: any Error) -> Failure {
    var failure = Failure(error)
    guard let path = (error as? AgentClientError)?.unusedSocket else { return failure }
    var advice = StartAdvice(path: path)
    advice.program = OwnProgram.command("ritual-agentd")
    if advice.socket == .standard, case .user = advice.manager {
      // The user's manager answers immediately or not at all.
      advice.manager = .user(UnitStates.read(within: .seconds(2))?.summary ?? .unknown)
    }
    failure.hints = advice.hints
    return failure
  }
}
