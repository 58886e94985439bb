import AgentClient
import AgentProtocol
import Glibc

/// Checks the state of the agent's units in the user's service manager.
struct UnitCheck {
  /// Whether the agent answers, however it was started.
  let isReachable: Bool

  func checks() -> [DiagnosticCheck] {
    let units = UnitStates.read(within: .seconds(5))
    return [units.map(judge) ?? unknown]
      + InstallationCheck(path: OwnProgram.pathFolders, service: units?.program).checks()
      + ConfinementCheck(service: units?.service ?? [:]).checks()
  }

  private var unknown: DiagnosticCheck {
    DiagnosticCheck(
      "units", .warn, "unknown: no systemd user manager (systemd --user) is running",
      next: isReachable ? nil : start(ServiceManager.isBooted ? .system : .none))
  }

  /// The command that starts the agent under this service manager.
  private func start(_ manager: StartAdvice.Manager) -> String? {
    StartAdvice(socket: .standard, manager: manager, program: OwnProgram.command("ritual-agentd")).hints.first
  }

  private func judge(_ units: UnitStates) -> DiagnosticCheck {
    let (socket, service) = (units.socket, units.service)
    if let failure = units.failure {
      return DiagnosticCheck(
        "units", .fail, failure,
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
    let state = service["SubState"] ?? "not running"
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
      "--property=LoadState,ActiveState,SubState,UnitFileState,NeedDaemonReload,Result,ExecMainStatus,PrivateUsers,"
      + "ProtectKernelLogs,ExecStart"
    let names = ["ritual-agent.socket", "ritual-agent.service"]
    let arguments = ["--user", "show", properties] + names
    guard let shown = try? CapturedTool.run("systemctl", arguments, within: limit) else { return nil }
    let units = parse(shown)
    return units.count == names.count ? UnitStates(socket: units[0], service: units[1]) : nil
  }

  var summary: StartAdvice.Units {
    if socket["ActiveState"] == "failed" || service["ActiveState"] == "failed" { return .failed }
    guard socket["LoadState"] != "not-found" else { return Self.haveFiles ? .unread : .missing }
    if socket["ActiveState"] == "active" { return .active }
    return socket["NeedDaemonReload"] == "yes" ? .unread : .inactive
  }

  /// The unit that failed, or whose start is tried again after a failure, with the result.
  var failure: String? {
    for (name, unit) in [("ritual-agent.socket", socket), ("ritual-agent.service", service)]
    where unit["ActiveState"] == "failed" || unit["SubState"]?.contains("auto-restart") == true {
      return "\(name) failed (\(unit["Result"] ?? ""))"
    }
    return nil
  }

  /// The program of the service, from `ExecStart={ path=… ; argv[]=… }`.
  var program: String? {
    let value = service["ExecStart"] ?? ""
    guard let start = value.firstRange(of: "path=")?.upperBound, let end = value.firstRange(of: " ;")?.lowerBound,
      start < end
    else { return nil }
    return String(value[start..<end])
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

/// Checks whether the shell and the service use the newest installation, where there are several: the
/// package in /usr, and the tarball below ~/.local, whose unit replaces that of the package.
struct InstallationCheck {
  /// The directories of PATH, in its order.
  let path: [String]
  /// The program of ritual-agent.service; nil if it is unknown.
  let service: String?

  private struct Installation: Equatable {
    /// The directory of the programs.
    let folder: String
    let version: String
  }

  /// Empty with one installation.
  func checks() -> [DiagnosticCheck] {
    let shell = installations(in: path)
    let unit = installations(in: [service.map(Self.folder)].compactMap { $0 })
    let all = shell + unit.filter { !shell.contains($0) }
    guard all.count > 1, let newest = all.max(by: { Self.isOlder($0.version, $1.version) }) else { return [] }
    let used = [("your shell finds", shell.first), ("ritual-agent.service runs", unit.first)]
    let old: [DiagnosticCheck] = used.compactMap { user, installation in
      guard let installation, Self.isOlder(installation.version, newest.version) else { return nil }
      return DiagnosticCheck(
        "installations", .warn,
        "\(user) version \(installation.version) in \(installation.folder), but \(newest.folder) has \(newest.version)",
        next: "to remove the old one: \(Self.removal(of: installation.folder))")
    }
    guard old.isEmpty else { return old }
    let places = all.map { "\($0.folder) (\($0.version))" }.joined(separator: ", ")
    return [DiagnosticCheck("installations", .ok, "several, of which the newest is used: \(places)")]
  }

  /// The installations in these directories. One that is reached by several paths, as on a system whose
  /// /bin is /usr/bin, counts once, and one that does not run does not count.
  private func installations(in folders: [String]) -> [Installation] {
    var found: [Installation] = []
    for folder in folders {
      guard let program = realpath(folder + "/ritualctl", nil) else { continue }
      defer { free(program) }
      let place = Self.folder(of: String(cString: program))
      guard !found.contains(where: { $0.folder == place }),
        let version = try? CapturedTool.run(place + "/ritualctl", ["--version"], within: .seconds(5))
      else { continue }
      found.append(Installation(folder: place, version: Menu.trimmed(version)))
    }
    return found
  }

  private static func folder(of program: String) -> String {
    program.lastIndex(of: "/").map { String(program[..<$0]) } ?? program
  }

  private static func isOlder(_ version: String, _ other: String) -> Bool {
    func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.map { Int($0) ?? 0 } }
    return numbers(version).lexicographicallyPrecedes(numbers(other))
  }

  private static func removal(of folder: String) -> String {
    let prefix = folder.hasSuffix("/bin") ? String(folder.dropLast("/bin".count)) : folder
    let script = prefix + "/lib/ritual-agent/install.sh"
    guard access(script, X_OK) == 0 else { return "sudo apt remove ritual-agent" }
    return "\(Quoted.ifNeeded(script)) --uninstall --prefix \(Quoted.ifNeeded(prefix))"
  }
}

/// Checks whether the confinement of the agent's unit is effective. It needs user namespaces, which
/// some systems deny to a user's service manager, as Ubuntu does from 24.04 on.
struct ConfinementCheck {
  /// The properties of ritual-agent.service.
  let service: [String: String]
  /// The file that ProtectKernelLogs= hides. In its place systemd-nspawn has a FIFO, over which
  /// nothing can be mounted, because it is deleted.
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
    let known = obstacle
    guard let failedStep else {
      guard let known else { return DiagnosticCheck("confinement", .ok, "user namespaces are not restricted") }
      return DiagnosticCheck(
        "confinement", .warn, "ritual-agent.service may fail to start: \(known.words)", next: known.remedy)
    }
    return DiagnosticCheck(
      "confinement", .fail,
      "ritual-agent.service cannot be confined (\(failedStep))" + (known.map { ": \($0.words)" } ?? ""),
      next: known?.remedy ?? "journalctl --user -u ritual-agent.service -n 20")
  }

  /// The reason why the mounts of the unit fail on this system, with the commands that install the drop-in
  /// for it.
  private var obstacle: (words: String, remedy: String)? {
    if let restriction = Self.restriction {
      return ("user namespaces are restricted (\(restriction))", Self.installDropIn)
    }
    var status = stat()
    let isThere = stat(kernelLog, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard !isThere, service["ProtectKernelLogs"] != "no" else { return nil }
    return ("this container hides \(kernelLog)", Self.keepKernelLog)
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
  /// The units once no start is in progress. A start that fails takes some milliseconds, and is tried
  /// again after a second; a longer one is not waited for.
  private static func settledUnits() -> UnitStates? {
    let end = ContinuousClock.now + .milliseconds(500)
    // The user's manager answers immediately or not at all.
    while let units = UnitStates.read(within: .seconds(2)) {
      guard units.service["SubState"]?.hasPrefix("start") == true, ContinuousClock.now < end else { return units }
      usleep(50_000)
    }
    return nil
  }

  /// The failure for a thrown error. If the agent does not answer, its cause and hints fit the state
  /// of the units, and otherwise this machine.
  ///
  /// - Parameter socket: The value of `--socket`.
  static func failure(_ error: any Error, socket: String?) -> Failure {
    var failure = Failure(error)
    guard let error = error as? AgentClientError, [.unreachable, .timedOut, .disconnected].contains(error.code),
      let path = try? error.unusedSocket ?? socket ?? AgentPaths.ofThisProcess().socket
    else { return failure }
    var advice = StartAdvice(path: path)
    let units = advice.socket == .standard ? settledUnits() : nil
    if let units, let failed = units.failure {
      if let known = ConfinementCheck(service: units.service).checks().first(where: { $0.outcome == .fail }) {
        failure.detail = Words(known.words, limit: 1000)
        failure.hints = known.next.map { [Words($0, limit: 1000)] } ?? []
      } else {
        failure.message += "; \(failed)"
        failure.hints = StartAdvice(socket: .standard, manager: .user(.failed)).hints.map { Words(harmless: $0) }
      }
    } else if error.unusedSocket != nil {
      advice.program = OwnProgram.command("ritual-agentd")
      if case .user = advice.manager { advice.manager = .user(units?.summary ?? .unknown) }
      failure.hints = advice.hints.map { Words(harmless: $0) }
    }
    return failure
  }
}
