/// `agent.hello`: identifies the client and returns the agent's version and capabilities. Optional;
/// the first request if sent.
public enum AgentHello: AgentMethod {
  public static let name = "agent.hello"
  public static let notes = MethodNotes("Identifies the client; returns the protocol version.", [.unsupportedVersion])

  public struct Params: Codable, Sendable, Hashable {
    /// The client's name and version, for the journal.
    public var client: String
    /// The protocol version that the client speaks.
    public var `protocol`: Int

    public init(client: String, protocol: Int = Wire.protocolVersion) {
      self.client = client
      self.protocol = `protocol`
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The program's name: `ritual-agent`.
    public var agent: String
    /// The version of the agent.
    public var version: String
    /// The protocol version that the agent speaks.
    public var `protocol`: Int
    /// The groups of methods that the agent has, such as `session`: the first parts of their names.
    public var capabilities: [String]

    public init(agent: String, version: String, protocol: Int, capabilities: [String]) {
      self.agent = agent
      self.version = version
      self.protocol = `protocol`
      self.capabilities = capabilities
    }
  }
}

/// `agent.status`: returns everything that `ritualctl status` shows. Needs no network.
public enum AgentStatusMethod: AgentMethod {
  public static let name = "agent.status"
  public static let notes = MethodNotes("Returns everything that `ritualctl status` shows.")

  public struct Params: DirectoryParams, Hashable {
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The method is about all accounts.
    public var account: String? { nil }

    public init() {}
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The version of the agent.
    public var version: String
    /// Seconds since the agent became ready.
    public var uptime: Int
    /// The agent's process ID.
    public var pid: Int32
    /// The state of the vault.
    public var vault: VaultSummary
    /// The accounts. They may be unknown while the vault is locked.
    public var accounts: [AccountStatus]
    /// Readable findings; empty if there is nothing to report.
    public var health: [String]
    /// The state directory of the agent; a `ritualctl` with another environment would look
    /// elsewhere.
    public var stateFolder: String?
    /// The key file of the agent's vault, whether or not it exists.
    public var keyFile: String?
    /// The accounts with a pending revocation on the server. Absent while the vault is locked,
    /// because the list is then unknown.
    public var unrevoked: [String]?
    /// Whether the first sign-in enables the agent's service (`[agent] autostart`).
    public var autostart: Bool?
    /// Whether the file of the agent's program was deleted or replaced since the agent started, as
    /// after an upgrade: the agent runs the older program until it is restarted.
    public var programReplaced: Bool?
    /// The account that is set for `directory` of the request, or the nearest directory above it.
    public var here: DirectoryAccount?

    public init(
      version: String, uptime: Int, pid: Int32, vault: VaultSummary, accounts: [AccountStatus], health: [String],
      stateFolder: String? = nil, keyFile: String? = nil, unrevoked: [String]? = nil, autostart: Bool? = nil,
      programReplaced: Bool? = nil
    ) {
      self.version = version
      self.uptime = uptime
      self.pid = pid
      self.vault = vault
      self.accounts = accounts
      self.health = health
      self.stateFolder = stateFolder
      self.keyFile = keyFile
      self.unrevoked = unrevoked
      self.autostart = autostart
      self.programReplaced = programReplaced
    }
  }
}

extension AgentStatusMethod {
  /// The finding in `health` of an agent without a project.
  public static let noProject = "no project is configured: ritualctl init"
}

/// The state of the vault.
public struct VaultSummary: Codable, Sendable, Hashable {
  /// `open`, `copied` (from another machine: refreshes are suspended), `locked` or `unavailable`.
  public var state: String
  /// The key that opened the vault: `key file`, `passphrase` or `systemd credential`.
  public var openedBy: String?
  /// A readable statement of what the key protects and what it does not.
  public var protection: String?
  /// The file names of records that were set aside as damaged.
  public var damaged: [String]
  /// Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the remedy.
  public var error: ErrorKind?

  public init(
    state: String, openedBy: String? = nil, protection: String? = nil, damaged: [String] = [], error: ErrorKind? = nil
  ) {
    self.state = state
    self.openedBy = openedBy
    self.protection = protection
    self.damaged = damaged
    self.error = error
  }
}

/// `agent.reload`: reads the configuration again. An invalid file makes the reload fail and leaves
/// the settings unchanged.
public enum AgentReload: AgentMethod {
  public static let name = "agent.reload"
  public static let notes = MethodNotes(
    "Reloads the configuration; keeps the old one if the new one is invalid.", .account, .network)

  public struct Params: Codable, Sendable, Hashable {
    /// A project to check for reachability after the reload, within 5 s.
    public var check: String?
    /// The absolute path of the file that the caller changed. An agent that uses another file does
    /// not reload, and reports that in `warning`.
    public var file: String?

    public init(check: String? = nil, file: String? = nil) {
      self.check = check
      self.file = file
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The names of the projects in the configuration.
    public var projects: [String]
    /// A readable problem, such as a failed check; absent if there is none.
    public var warning: String?
    /// Whether the file was read: false if the agent uses a file other than `file`.
    public var reloaded: Bool?

    public init(projects: [String], warning: String? = nil, reloaded: Bool? = nil) {
      self.projects = projects
      self.warning = warning
      self.reloaded = reloaded
    }
  }
}

/// The outcome of a check of `agent.diagnose` or `ritualctl doctor`. A newer agent may send other
/// values.
public struct CheckOutcome: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The check passed.
  public static let ok = CheckOutcome(rawValue: "ok")
  /// A minor finding, or an unknown result. Nothing is known to be broken.
  public static let warn = CheckOutcome(rawValue: "warn")
  /// Something does not work or is not safe.
  public static let fail = CheckOutcome(rawValue: "fail")

  /// Every outcome that this version knows.
  public static let known: [CheckOutcome] = [.ok, .warn, .fail]
}

/// The result of one check. It is safe to paste into a bug report: it contains no token, email
/// address, key or project URL.
public struct DiagnosticCheck: Codable, Sendable, Hashable {
  /// The subject of the check, such as `vault` or `tls`.
  public var name: String
  /// The project's name in the configuration; absent if the check does not concern a project.
  public var project: String?
  /// Whether the check passed.
  public var outcome: CheckOutcome
  /// The finding, in readable form.
  public var words: String
  /// The remedy, as a command if there is one; absent if nothing needs to be done.
  public var next: String?

  public init(
    _ name: String, project: String? = nil, _ outcome: CheckOutcome, _ words: String, next: String? = nil
  ) {
    (self.name, self.project, self.outcome, self.words, self.next) = (name, project, outcome, words, next)
  }
}

/// `agent.diagnose`: runs the checks of `ritualctl doctor` that need the agent, concurrently,
/// within about 10 s. A request during a run shares its result. The rate limit allows a few runs in
/// a row, then one every 10 s.
public enum AgentDiagnose: AgentMethod {
  public static let name = "agent.diagnose"
  public static let notes = MethodNotes("Runs the checks of `ritualctl doctor` that need the agent (max. 10 s).")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// The results of the checks, in display order.
    public var checks: [DiagnosticCheck]
    /// The redirect mode of sign-ins in a browser, from `[sign_in] redirect`: `loopback`, `scheme`
    /// or `manual`.
    public var redirect: String
    /// The custom URL schemes of the projects, without duplicates.
    public var schemes: [String]

    public init(checks: [DiagnosticCheck], redirect: String, schemes: [String]) {
      (self.checks, self.redirect, self.schemes) = (checks, redirect, schemes)
    }
  }
}
