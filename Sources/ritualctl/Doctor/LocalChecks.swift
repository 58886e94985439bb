import AgentClient
import AgentProtocol
import Glibc
import SystemSupport

/// The checks of `doctor`, in the order of a user's questions: does the agent run, is it private,
/// does it work?
struct LocalChecks {
  /// The value of `--socket`.
  let socket: String?

  /// The timeout of a request. The agent's own checks end within 10 s.
  private static let requestTimeout = Duration.seconds(20)

  func all() throws -> [DiagnosticCheck] {
    let places = AgentPaths.ofThisProcess()
    let connected = connect()
    let (agent, diagnosis) = ask(connected)
    let path = try socket ?? places.socket
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    return try agent + PermissionChecks(places, socket: path).checks()
      + UnitCheck(isReachable: (try? connected.get()) != nil).checks()
      + AdapterChecks(
        socket: path, units: places.userUnits, runtime: runtime, reported: Set(diagnosis?.checks.map(\.name) ?? []),
        home: getenv("HOME").map { String(cString: $0) }
      ).checks()
      + (diagnosis?.checks ?? [])
      + Self.browserOutside + HandlerCheck(redirect: diagnosis?.redirect, schemes: diagnosis?.schemes ?? []).checks()
      + [SwapCheck().check()]
  }

  private static let browserOutside =
    WSL.isPresent
    ? [
      DiagnosticCheck(
        "browser", .ok,
        "this is WSL: after a sign-in in a browser on Windows, paste the redirect URL from its address bar")
    ] : []

  private func connect() -> Result<AgentConnection, any Error> {
    Result {
      let limit = CommonOptions.connectTimeout
      return try socket.map { try AgentConnection(to: $0, timeout: limit) } ?? AgentConnection(timeout: limit)
    }
  }

  /// Checks the connection, and requests the agent's own checks.
  private func ask(_ connected: Result<AgentConnection, any Error>) -> ([DiagnosticCheck], AgentDiagnose.Result?) {
    var checks: [DiagnosticCheck] = []
    do {
      let connection = try connected.get()
      let hello = try connection.call(
        AgentHello.self, AgentHello.Params(client: "ritualctl doctor \(AgentVersion.current)"),
        timeout: Self.requestTimeout)
      let status = Result { try connection.call(AgentStatusMethod.self, .init(), timeout: Self.requestTimeout) }
      checks.append(Self.answered(hello, isReplaced: (try? status.get())?.programReplaced == true))
      checks += AccountChecks.checks(status)
      checks += environment(try? status.get().keyFile)
      return (checks, try connection.call(AgentDiagnose.self, timeout: Self.requestTimeout))
    } catch {
      let failure = UnreachableAgent.failure(error, socket: socket)
      let name = checks.isEmpty ? "socket" : "agent"
      checks.append(
        DiagnosticCheck(
          name, failure.retryable && name == "agent" ? .warn : .fail,
          "\(failure.message.text); the agent's own checks were skipped", next: failure.hints.first?.text))
      return (checks, nil)
    }
  }

  /// The environment of this program, if it names other directories than the agent uses.
  private func environment(_ agents: String?) -> [DiagnosticCheck] {
    let places = AgentPaths.ofThisProcess()
    let ignored = places.snapVariables.map {
      DiagnosticCheck("environment", .ok, "\($0) is ignored, because a snap has set it")
    }
    guard let agents, let own = try? places.keyFile, own != agents else { return ignored }
    return ignored + [
      DiagnosticCheck(
        "environment", .warn, "the agent's key file is \(agents), but here XDG_DATA_HOME leads to \(own)",
        next: "unset XDG_DATA_HOME, or set it for the agent, too")
    ]
  }

  private static func answered(_ hello: AgentHello.Result, isReplaced: Bool) -> DiagnosticCheck {
    guard hello.version != AgentVersion.current else {
      guard !isReplaced else {
        return DiagnosticCheck("socket", .warn, InstalledVersion.replaced, next: ServiceManager.restartAgent)
      }
      return DiagnosticCheck("socket", .ok, "agent \(hello.version) is running")
    }
    return DiagnosticCheck(
      "socket", .warn, "agent \(hello.version) is running, but this is ritualctl \(AgentVersion.current)",
      next: ServiceManager.restartAgent)
  }
}

/// Checks whether each account can give a token. Shows account names, but nothing about their
/// users.
enum AccountChecks {
  static func checks(_ answer: Result<AgentStatusMethod.Result, any Error>) -> [DiagnosticCheck] {
    do {
      let status = try answer.get()
      guard status.accounts.isEmpty else { return status.accounts.map(check) }
      let isOpen = status.vault.state == "open"
      return [
        DiagnosticCheck(
          "accounts", .warn, isOpen ? "no account is signed in" : "unknown while the vault is not open",
          next: isOpen ? status.firstCommand : nil)
      ]
    } catch {
      let failure = Failure(error)
      return [DiagnosticCheck("accounts", .fail, failure.message.text, next: failure.hints.first?.text)]
    }
  }

  private static func check(_ account: AccountStatus) -> DiagnosticCheck {
    let name = account.name
    func row(_ outcome: CheckOutcome, _ words: String, next: String? = nil) -> DiagnosticCheck {
      DiagnosticCheck("accounts", outcome, "\(name): \(words)", next: next)
    }
    switch account.state {
    case .authenticated where account.tokenUsable: return row(.ok, "signed in")
    case .authenticated, .degraded:
      return row(
        account.tokenUsable ? .warn : .fail,
        "signed in, but a refresh is overdue" + (account.tokenUsable ? "" : " and the token has expired"),
        next: "ritualctl why --account \(name)")
    case .unauthenticated: return row(.ok, "signed out")
    case .signInNeeded:
      return row(.fail, "sign-in needed", next: "ritualctl sign-in --account \(name)")
    case .locked: return row(.warn, "unknown while the vault is locked", next: "ritualctl unlock")
    case .copied: return row(.fail, "the vault was copied from another machine", next: "ritualctl vault adopt")
    case .misconfigured:
      return row(
        .fail, "the configuration does not match this account", next: "ritualctl status --account \(name)")
    case .formatTooNew: return row(.fail, "a newer ritual-agent wrote its record", next: "update ritual-agent")
    default:
      return row(.warn, "in a state unknown to this version of ritualctl", next: "ritualctl status --account \(name)")
    }
  }
}

/// Checks that private files are accessible by the user only. A missing file is not an
/// error.
struct PermissionChecks {
  private struct Place {
    let path: String
    let kind: UInt32
    /// The mode bits that others must not have, and the chmod(1) argument that removes them.
    var refused: UInt32 = 0o077
    var remedy = "go-rwx"
    /// Whether the agent accepts a symbolic link to the file, and a file of root.
    var mayBeElsewhere = false
  }

  private let places: [Place]

  init(_ places: AgentPaths, socket: String) throws {
    let (configuration, state, keyFile) = (try places.configuration, try places.state, try places.keyFile)
    func folder(_ path: String) -> Place { Place(path: path, kind: S_IFDIR) }
    func readable(_ path: String, _ kind: UInt32) -> Place {
      // Others may read the file or directory, but not write to it.
      Place(path: path, kind: kind, refused: 0o022, remedy: "go-w", mayBeElsewhere: true)
    }
    self.places = [
      folder(Self.folder(of: socket)), Place(path: socket, kind: S_IFSOCK),
      Place(path: AgentPaths.egressSocket(nextTo: socket), kind: S_IFSOCK),
      Place(path: AgentPaths.credentialsSocket(nextTo: socket), kind: S_IFSOCK),
      readable(Self.folder(of: configuration), S_IFDIR), readable(configuration, S_IFREG),
      folder(state), folder(state + "/vault"), folder(state + "/audit"),
      folder(Self.folder(of: keyFile)), Place(path: keyFile, kind: S_IFREG),
      Place(path: keyFile + ".2", kind: S_IFREG),
    ]
  }

  /// A single `ok` check, or one check per problem.
  func checks() -> [DiagnosticCheck] {
    let faults = places.compactMap(Self.fault)
    return faults.isEmpty
      ? [
        DiagnosticCheck(
          "permissions", .ok,
          "only you can access the sockets, vault, and key, and only you can write the configuration")
      ] : faults
  }

  private static func fault(_ place: Place) -> DiagnosticCheck? {
    var status = stat()
    guard (place.mayBeElsewhere ? stat(place.path, &status) : lstat(place.path, &status)) == 0 else {
      return errno == ENOENT || errno == ENOTDIR
        ? nil : failed("\(place.path) cannot be checked: \(errorDescription(errno))", next: nil)
    }
    guard status.st_mode & S_IFMT == place.kind else {
      let link = place.mayBeElsewhere ? "" : " (links are not followed)"
      return failed("\(place.path) has the wrong file type\(link)", next: "move it away")
    }
    guard status.st_uid == geteuid() || place.mayBeElsewhere && status.st_uid == 0 else {
      return failed(
        "\(place.path) belongs to uid \(status.st_uid)",
        next: "move it away, or: sudo chown \(geteuid()) \(Quoted.ifNeeded(place.path))")
    }
    guard status.st_mode & place.refused != 0 else { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return failed(
      "\(place.path) is accessible to other users (mode \(mode))",
      next: "chmod \(place.remedy) \(Quoted.ifNeeded(place.path))")
  }

  private static func failed(_ words: String, next: String?) -> DiagnosticCheck {
    DiagnosticCheck("permissions", .fail, words, next: next)
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}

/// Checks that the desktop passes URLs of the custom scheme to the agent, if sign-ins are
/// configured to return that way.
struct HandlerCheck {
  /// The value of `[sign_in] redirect`; nil if the agent did not answer.
  let redirect: String?
  let schemes: [String]

  func checks() -> [DiagnosticCheck] {
    guard let redirect else { return [] }
    guard redirect == "scheme" else {
      return [DiagnosticCheck("handler", .ok, "not needed: browsers are redirected to 127.0.0.1")]
    }
    return schemes.compactMap { try? SchemeHandler($0) }.map(Self.check)
  }

  private static func check(_ handler: SchemeHandler) -> DiagnosticCheck {
    let register = "ritualctl register-handler --scheme \(handler.scheme)"
    let type = "x-scheme-handler/\(handler.scheme)"
    guard let answer = try? CapturedTool.run("xdg-mime", ["query", "default", type]) else {
      return DiagnosticCheck(
        "handler", .fail, "the program for \(handler.scheme):// is unknown: xdg-mime is missing or failed",
        next: "sudo apt install xdg-utils, then: \(register)")
    }
    let entry = answer.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard entry == handler.file else {
      let words =
        entry.isEmpty
        ? "no program opens \(handler.scheme)://"
        : "\(handler.scheme):// is opened by \(entry)"
      return DiagnosticCheck("handler", .fail, words, next: register)
    }
    return DiagnosticCheck("handler", .ok, "\(handler.scheme):// is opened by the agent")
  }
}

/// Removes the user's home directory, and thus the user's name, from paths.
struct HomePath {
  private let home: String?

  init() {
    var path = getenv("HOME").map { String(cString: $0) } ?? ""
    while path.last == "/" { path.removeLast() }
    home = path.hasPrefix("/") ? path : nil
  }

  /// The check with `~` in place of the home directory.
  func shortened(_ check: DiagnosticCheck) -> DiagnosticCheck {
    var check = check
    check.words = shortened(check.words)
    check.next = check.next.map { shortened($0) }
    return check
  }

  private func shortened(_ text: String) -> String {
    guard let home else { return text }
    // With the slash, a longer name such as /home/anna2 does not match.
    return text.replacing(home + "/", with: "~/")
  }
}
