import Glibc
import SystemSupport

/// The paths of the agent's files (XDG Base Directory Specification), derived from an environment.
/// The file system is read only for `socket` and `otherKeyFile`, and for the home directory if HOME has
/// no usable path.
public struct AgentPaths: Sendable {
  private var environment: [String: String]
  private let uid: UInt32
  private let users: String

  /// Creates the paths for the user `uid` under `environment`.
  ///
  /// - Parameter users: the user database (passwd(5)), read if HOME has no usable path.
  public init(environment: [String: String], uid: UInt32, users: String = "/etc/passwd") {
    self.environment = environment
    self.uid = uid
    self.users = users
  }

  /// The paths of this process.
  public static func ofThisProcess() -> AgentPaths {
    var environment: [String: String] = [:]
    for name in [
      "RITUAL_AGENT_SOCKET", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "HOME",
      "CREDENTIALS_DIRECTORY",
    ] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return AgentPaths(environment: environment, uid: getuid())
  }

  /// The paths of this process with the default socket: RITUAL_AGENT_SOCKET is ignored.
  public static var withDefaultSocket: AgentPaths {
    var places = ofThisProcess()
    places.environment["RITUAL_AGENT_SOCKET"] = nil
    return places
  }

  /// The configuration file. `--config` overrides it.
  public var configuration: String {
    get throws(AgentPathsError) { try base("XDG_CONFIG_HOME", "/.config") + "/ritual-agent/config.toml" }
  }

  /// The state directory (vault, audit log, queue). `--state-dir` overrides it.
  public var state: String {
    get throws(AgentPathsError) { try base("XDG_STATE_HOME", "/.local/state") + "/ritual-agent" }
  }

  /// The vault's key file. It is outside the state directory, so that a copy of the state alone
  /// cannot be opened.
  public var keyFile: String {
    get throws(AgentPathsError) { try base("XDG_DATA_HOME", "/.local/share") + "/ritual-agent/vault.key" }
  }

  /// The key file at its default path, if there is one and XDG_DATA_HOME names another directory.
  public var otherKeyFile: String? {
    guard let home, let own = try? keyFile else { return nil }
    let usual = home + "/.local/share/ritual-agent/vault.key"
    return usual != own && access(usual, F_OK) == 0 ? usual : nil
  }

  /// The variables that are ignored because a snap has set them.
  public var snapVariables: [String] {
    ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].filter { directory($0).map(isSnaps) == true }
  }

  /// The directory of the user's desktop entries (XDG Base Directory Specification).
  public var applications: String {
    get throws(AgentPathsError) { try base("XDG_DATA_HOME", "/.local/share") + "/applications" }
  }

  /// The accounts for which `ritual-notify` has shown a reminder today. Outside the agent's
  /// directory, because another program owns the file.
  public var reminders: String {
    get throws(AgentPathsError) { try base("XDG_STATE_HOME", "/.local/state") + "/ritual-notify/reminded" }
  }

  /// The directory of the user's own systemd units (systemd.unit(5)).
  public var userUnits: String {
    get throws(AgentPathsError) { try base("XDG_CONFIG_HOME", "/.config") + "/systemd/user" }
  }

  /// The user's default applications (Association between MIME types and applications, 1.0.1).
  public var mimeDefaults: String {
    get throws(AgentPathsError) { try base("XDG_CONFIG_HOME", "/.config") + "/mimeapps.list" }
  }

  /// The systemd credential that opens the vault (systemd.exec(5), LoadCredential=); nil if the
  /// service manager passes none.
  public var credential: String? { directory("CREDENTIALS_DIRECTORY").map { $0 + "/ritual-agent.vault-key" } }

  /// The socket: `$RITUAL_AGENT_SOCKET`, else in `$XDG_RUNTIME_DIR`. Without either variable (cron,
  /// su): in `/run/user/UID` if the user owns that directory and its mode is 0700, else in
  /// `state/run`.
  public var socket: String {
    get throws(AgentPathsError) {
      if let path = value("RITUAL_AGENT_SOCKET") { return path }
      if let runtime { return runtime + "/ritual-agent/agent.sock" }
      let usual = "/run/user/\(uid)"
      return isPrivateFolder(usual) ? usual + "/ritual-agent/agent.sock" : try state + "/run/agent.sock"
    }
  }

  /// The socket of the HTTP proxy, next to the agent's socket.
  public static func egressSocket(nextTo socket: String) -> String { sibling("egress.sock", of: socket) }

  /// The directory of the sockets of grants, next to the agent's socket.
  public static func grants(nextTo socket: String) -> String { sibling("grants", of: socket) }

  /// The socket that gives tokens to systemd units (LoadCredential=, systemd.exec(5)), next to the
  /// agent's socket.
  public static func credentialsSocket(nextTo socket: String) -> String { sibling("credentials.sock", of: socket) }

  private static func sibling(_ name: String, of path: String) -> String {
    path.lastIndex(of: "/").map { path[...$0] + name } ?? name
  }

  private func base(_ name: String, _ underHome: String) throws(AgentPathsError) -> String {
    if let path = directory(name), !isSnaps(path) { return path }
    guard let home else { throw AgentPathsError(uid: uid) }
    return home + underHome
  }

  /// True for a directory below `~/snap`. A snap sets these variables for itself, and the programs in its terminal,
  /// such as that of VS Code, inherit them. The files of the agent must be the same in every terminal, and are
  /// not to be removed with the snap.
  private func isSnaps(_ path: String) -> Bool { home.map { path.hasPrefix($0 + "/snap/") } ?? false }

  /// The runtime directory of the user, which contains that of a snap.
  private var runtime: String? {
    guard let path = directory("XDG_RUNTIME_DIR"), let slash = path.lastIndex(of: "/") else { return nil }
    return path[slash...].hasPrefix("/snap.") ? String(path[..<slash]) : path
  }

  private var home: String? { Self.home(value("HOME")) ?? Self.home(homeOfUser) }

  /// The path in a variable. A relative path is ignored (XDG Base Directory Specification).
  private func directory(_ name: String) -> String? { value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// A home directory without trailing slashes. `/` is rejected: it is the home of system users and
  /// containers, whose files do not belong there.
  private static func home(_ path: String?) -> String? {
    guard var path, path.hasPrefix("/") else { return nil }
    while path.hasSuffix("/") { path.removeLast() }
    return path.isEmpty ? nil : path
  }

  /// Field 6 of passwd(5). getpwuid(3) loads libraries at run time and so does not work in a static
  /// program.
  private var homeOfUser: String? {
    for line in String(decoding: Descriptor.contents(of: users) ?? [], as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count >= 7, UInt32(fields[2]) == uid { return String(fields[5]) }
    }
    return nil
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

/// The home directory is unknown. No other directory is used instead.
public struct AgentPathsError: Error, Sendable, CustomStringConvertible {
  private let uid: UInt32

  init(uid: UInt32) { self.uid = uid }

  /// The message for the user.
  public var message: String {
    "no home directory found: HOME is not an absolute path, and /etc/passwd has no home for uid \(uid)"
  }

  /// The next step for the user.
  public var hint: String { "set HOME to your home directory" }

  public var description: String { "\(message)\n  \(hint)" }
}

/// Whether systemd manages this user's services, and the commands for hints with and without
/// systemd.
public enum ServiceManager {
  /// True if this process runs in a systemd unit (SYSTEMD_EXEC_PID, systemd.exec(5)), or if a user
  /// manager runs (sd_booted(3), and the manager's own socket).
  public static let isPresent = isUnit || (isBooted && hasUserManager)

  /// True if systemd is the init system of this machine (sd_booted(3)).
  public static let isBooted = access("/run/systemd/system", F_OK) == 0

  /// The command, or the instruction, that restarts the agent.
  public static let restartAgent =
    isPresent ? "systemctl --user restart ritual-agent.service" : "restart ritual-agentd"

  /// The command, or the instruction, that shows the agent's log.
  public static let agentLog =
    isPresent ? "journalctl --user -u ritual-agent.service" : "see the stderr output of ritual-agentd"

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
