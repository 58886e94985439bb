/// `agent.hello`: says who calls and learns what the agent speaks. Optional; first if sent.
public enum AgentHello: AgentMethod {
  public static let name = "agent.hello"
  public static let notes = MethodNotes("Says who calls, and learns what the agent speaks.", [.unsupportedVersion])

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
    public var agent: String
    public var version: String
    public var `protocol`: Int
    public var capabilities: [String]

    public init(agent: String, version: String, protocol: Int, capabilities: [String]) {
      self.agent = agent
      self.version = version
      self.protocol = `protocol`
      self.capabilities = capabilities
    }
  }
}

/// `agent.status`: everything that `ritualctl status` shows. Needs no network.
public enum AgentStatusMethod: AgentMethod {
  public static let name = "agent.status"
  public static let notes = MethodNotes("Everything that `ritualctl status` shows.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    public var version: String
    /// Seconds since the agent was ready.
    public var uptime: Int
    public var pid: Int32
    public var vault: VaultSummary
    public var accounts: [AccountStatus]
    /// What is wrong or worth knowing, in words; empty when all is well.
    public var health: [String]
    /// Where the vault lies: what a `ritualctl` in another environment would look for elsewhere. Older agents do not say.
    public var stateFolder: String?
    /// The accounts of which the server is still to be told a sign-out; absent while the vault is locked, for nobody knows.
    public var unrevoked: [String]?

    public init(
      version: String, uptime: Int, pid: Int32, vault: VaultSummary, accounts: [AccountStatus], health: [String],
      stateFolder: String? = nil, unrevoked: [String]? = nil
    ) {
      self.version = version
      self.uptime = uptime
      self.pid = pid
      self.vault = vault
      self.accounts = accounts
      self.health = health
      self.stateFolder = stateFolder
      self.unrevoked = unrevoked
    }
  }
}

/// The state of the vault.
public struct VaultSummary: Codable, Sendable, Hashable {
  /// `open`, `copied` (from another machine: nothing is refreshed), `locked` or `unavailable`.
  public var state: String
  /// What opened it: `key file`, `passphrase` or `systemd credential`.
  public var openedBy: String?
  /// What this protects and what not, in words (VA-3).
  public var protection: String?
  /// Records that were set aside, by file name.
  public var damaged: [String]
  /// Why it is `unavailable`, such as `vaultDamaged`; `protection` is the remedy then.
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

/// `agent.reload`: reads the configuration again. A bad file keeps the old settings and is the error.
public enum AgentReload: AgentMethod {
  public static let name = "agent.reload"
  public static let notes = MethodNotes("Reads the configuration again; a bad file keeps the old.", .account, .network)

  public struct Params: Codable, Sendable, Hashable {
    /// Also ask this project whether it answers, within 5 s.
    public var check: String?
    /// The absolute path of the file that the caller has changed. An agent that reads another file reloads nothing, and says
    /// so in `warning`.
    public var file: String?

    public init(check: String? = nil, file: String? = nil) {
      self.check = check
      self.file = file
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var projects: [String]
    /// What the check found wrong, in words; absent if nothing.
    public var warning: String?
    /// Whether the file was read: false where the agent reads another one than `file`. Older agents do not say.
    public var reloaded: Bool?

    public init(projects: [String], warning: String? = nil, reloaded: Bool? = nil) {
      self.projects = projects
      self.warning = warning
      self.reloaded = reloaded
    }
  }
}

/// How a check of `agent.diagnose` or `ritualctl doctor` ended. Open, since a newer agent may know more.
public struct CheckOutcome: RawRepresentable, Codable, Sendable, Hashable {
  /// The name on the wire.
  public let rawValue: String
  /// An outcome by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// As it should be.
  public static let ok = CheckOutcome(rawValue: "ok")
  /// Worth knowing, or not to be told; nothing is broken.
  public static let warn = CheckOutcome(rawValue: "warn")
  /// Something does not work, or is not safe.
  public static let fail = CheckOutcome(rawValue: "fail")

  /// Every outcome that this version knows.
  public static let known: [CheckOutcome] = [.ok, .warn, .fail]
}

/// One check, made to be pasted into a bug report: it holds no token, no e-mail address, no key, and no address of a project.
public struct DiagnosticCheck: Codable, Sendable, Hashable {
  /// What was looked at, such as `vault` or `tls`.
  public var name: String
  /// The project's name in the configuration, where the check is about one.
  public var project: String?
  public var outcome: CheckOutcome
  /// What was found.
  public var words: String
  /// What to do about it: a command if there is one. Absent where there is nothing to do.
  public var next: String?

  public init(
    _ name: String, project: String? = nil, _ outcome: CheckOutcome, _ words: String, next: String? = nil
  ) {
    (self.name, self.project, self.outcome, self.words, self.next) = (name, project, outcome, words, next)
  }
}

/// `agent.diagnose`: the checks of `ritualctl doctor` that are made where the agent runs, side by side; they end within about
/// 10 s. Who asks while they run gets the same answer; a few in a row are made, then one every 10 s.
public enum AgentDiagnose: AgentMethod {
  public static let name = "agent.diagnose"
  public static let notes = MethodNotes("The checks of `ritualctl doctor` that need the agent; 10 s at most.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    public var checks: [DiagnosticCheck]
    /// How browsers come back, as `[sign_in] redirect` says: `loopback`, `scheme` or `manual`.
    public var redirect: String
    /// The custom schemes of the projects, each once.
    public var schemes: [String]

    public init(checks: [DiagnosticCheck], redirect: String, schemes: [String]) {
      (self.checks, self.redirect, self.schemes) = (checks, redirect, schemes)
    }
  }
}
