import Glibc

/// Where the agent's files lie (XDG Base Directory Specification), worked out from an environment. Pure, but for
/// `socket`, which looks at the folders that it names.
public struct Places: Sendable {
  private var environment: [String: String]
  private let uid: UInt32

  /// The places of the user `uid` under `environment`.
  public init(environment: [String: String], uid: UInt32) {
    self.environment = environment
    self.uid = uid
  }

  /// The places of this process.
  public static func ofThisProcess() -> Places {
    var environment: [String: String] = [:]
    for name in [
      "RITUAL_AGENT_SOCKET", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "HOME",
      "CREDENTIALS_DIRECTORY",
    ] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return Places(environment: environment, uid: getuid())
  }

  /// The places of this process, with the socket where no variable names one.
  public static var usual: Places {
    var places = ofThisProcess()
    places.environment["RITUAL_AGENT_SOCKET"] = nil
    return places
  }

  /// The configuration file, unless `--config` names another.
  public var configuration: String { base("XDG_CONFIG_HOME", "/.config") + "/ritual-agent/config.toml" }

  /// The state folder (vault, audit log, queue), unless `--state-dir` names another.
  public var state: String { base("XDG_STATE_HOME", "/.local/state") + "/ritual-agent" }

  /// The key file of the vault: not beside the vault, so that a copy of the state alone opens nothing.
  public var keyFile: String { base("XDG_DATA_HOME", "/.local/share") + "/ritual-agent/vault.key" }

  /// The user's desktop entries (XDG Base Directory Specification).
  public var applications: String { base("XDG_DATA_HOME", "/.local/share") + "/applications" }

  /// Of which accounts `ritual-notify` has reminded today. Not in the agent's folder: it is another program's.
  public var reminders: String { base("XDG_STATE_HOME", "/.local/state") + "/ritual-notify/reminded" }

  /// The user's choice of applications (Association between MIME types and applications, 1.0.1).
  public var mimeDefaults: String { base("XDG_CONFIG_HOME", "/.config") + "/mimeapps.list" }

  /// The systemd credential that opens the vault (systemd.exec(5), LoadCredential=); nil where the service manager passes none.
  public var credential: String? { value("CREDENTIALS_DIRECTORY").map { $0 + "/ritual-agent.vault-key" } }

  /// The socket: `$RITUAL_AGENT_SOCKET`, else in `$XDG_RUNTIME_DIR`; without either (cron, su) in `/run/user/UID` if
  /// that is the user's own and 0700, else in `state/run`.
  public var socket: String {
    if let path = value("RITUAL_AGENT_SOCKET") { return path }
    if let runtime = value("XDG_RUNTIME_DIR") { return runtime + "/ritual-agent/agent.sock" }
    let usual = "/run/user/\(uid)"
    return isPrivateFolder(usual) ? usual + "/ritual-agent/agent.sock" : state + "/run/agent.sock"
  }

  private func base(_ name: String, _ underHome: String) -> String {
    // The specification: a path that is not absolute is to be ignored.
    if let path = value(name), path.hasPrefix("/") { return path }
    return (value("HOME") ?? "") + underHome
  }

  private func value(_ name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  private func isPrivateFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == uid
      && status.st_mode & 0o777 == 0o700
  }
}
