import AgentProtocol
import Glibc
import SystemSupport

/// Checks whether the sockets of egress and credentials are at their places, and whether the user's
/// units and the files of `ritualctl setup` name them. The agent reports by itself which sockets it serves.
struct AdapterChecks {
  /// The path of the agent's socket.
  let socket: String
  /// The directory of the user's own units.
  let units: String
  /// `$XDG_RUNTIME_DIR`, which units write as `%t`.
  let runtime: String?
  /// The names of the agent's own checks, which know more than a look at the file system.
  var reported: Set<String> = []
  /// The home directory, which has the files of `ritualctl setup`; nil means that they are not checked.
  var home: String?

  /// Maximum number of files that are read: more than any user has units.
  private static let maxFiles = 2000
  /// Maximum size of a file. Some AI tools keep their history in the file of their configuration.
  private static let maxSize = 8 * 1024 * 1024

  func checks() -> [DiagnosticCheck] { missingSockets + wrongCredentials + wrongCurlSettings + missingCommands }

  // MARK: - Sockets

  private var missingSockets: [DiagnosticCheck] {
    // A check of the agent's own socket reports that one.
    guard Self.isSocket(socket) else { return [] }
    return [
      ("egress", AgentPaths.egressSocket(nextTo: socket)),
      ("credentials", AgentPaths.credentialsSocket(nextTo: socket)),
    ]
    .filter { !reported.contains($0.0) && !Self.isSocket($0.1) }
    .map { name, path in
      DiagnosticCheck(
        name, .warn, "\(path) is missing",
        next: Self.enableSockets)
    }
  }

  /// The command, or the instruction, that enables the socket units and gives the agent their sockets.
  static let enableSockets =
    (ServiceManager.isPresent ? "systemctl --user enable ritual-agent.socket && " : "") + ServiceManager.restartAgent

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  // MARK: - Units

  /// A line `LoadCredential=NAME:PATH` of a unit that means the agent.
  struct Load: Equatable {
    let unit: String
    let name: String
    let path: String
  }

  private var wrongCredentials: [DiagnosticCheck] {
    let right = AgentPaths.credentialsSocket(nextTo: socket)
    return loads().compactMap { load in
      let unit = load.unit
      guard load.path == right else {
        return DiagnosticCheck(
          "units", .warn,
          "\(unit) loads a credential from \(load.path), but the agent's socket is \(right)",
          next: "ritualctl setup systemd")
      }
      guard Self.isTokenName(load.name) else {
        return DiagnosticCheck(
          "units", .warn,
          "\(unit) loads a credential named \(load.name), but the agent gives only token and "
            + "token.ACCOUNT", next: "ritualctl setup systemd")
      }
      return nil
    }
  }

  private static func isTokenName(_ name: String) -> Bool {
    name == "token" || name.hasPrefix("token.") && AccountName.isValid(String(name.dropFirst("token.".count)))
  }

  /// The lines in the user's own unit files and their drop-ins. Sorted by unit.
  func loads() -> [Load] {
    var files: [(unit: String, path: String)] = []
    for name in BlockDevice.names(in: units).sorted() {
      if Self.isUnit(name) { files.append((name, "\(units)/\(name)")) }
      guard name.hasSuffix(".d"), Self.isUnit(String(name.dropLast(2))) else { continue }
      for part in BlockDevice.names(in: "\(units)/\(name)").sorted() where part.hasSuffix(".conf") {
        files.append((String(name.dropLast(2)), "\(units)/\(name)/\(part)"))
      }
    }
    return files.prefix(Self.maxFiles).flatMap { unit, path in
      Self.loads(in: Self.text(of: path), unit: unit, runtime: runtime)
    }
  }

  private static func isUnit(_ name: String) -> Bool {
    [".service", ".socket", ".mount", ".swap"].contains { name.hasSuffix($0) }
  }

  /// The lines of one file that load a credential from a socket of the agent, by the name of the
  /// socket: an older or a mistyped directory is what this looks for.
  static func loads(in text: String, unit: String, runtime: String?) -> [Load] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, Menu.trimmed(String(parts[0])) == "LoadCredential" else { return nil }
      let value = Menu.trimmed(String(parts[1])).split(separator: ":", maxSplits: 1)
      guard value.count == 2 else { return nil }
      let path = value[1].replacing("%t", with: runtime ?? "%t").replacing("%%", with: "%")
      guard path.hasSuffix("/credentials.sock") || path.contains("/ritual-agent/") else { return nil }
      return Load(unit: unit, name: String(value[0]), path: String(path))
    }
  }

  // MARK: - Files of `ritualctl setup`

  /// The file that `ritualctl setup curl` names, if its socket is another one.
  private var wrongCurlSettings: [DiagnosticCheck] {
    guard let path = home.map({ $0 + "/.curlrc-ritual" }) else { return [] }
    let right = AgentPaths.egressSocket(nextTo: socket)
    return Self.quoted(in: Self.text(of: path)).filter { $0.hasSuffix("/egress.sock") && $0 != right }.map {
      DiagnosticCheck(
        "setup", .warn, "\(path) names the socket \($0), but the agent's is \(right)", next: "ritualctl setup curl")
    }
  }

  /// Where AI tools for one user keep the commands of their MCP servers, below the home directory.
  private static let serverFiles = [
    ".claude.json", ".codeium/windsurf/mcp_config.json", ".codex/config.toml",
    ".config/Claude/claude_desktop_config.json", ".config/Code/User/mcp.json", ".config/opencode/opencode.json",
    ".cursor/mcp.json", ".gemini/settings.json",
  ]

  /// The files that start ritualctl from a place where it no longer is, such as after a change from the
  /// tarball to the package. Each is reported once.
  private var missingCommands: [DiagnosticCheck] {
    Self.serverFiles.compactMap { name in
      guard let path = home.map({ "\($0)/\(name)" }),
        let command = Self.quoted(in: Self.text(of: path)).first(where: {
          $0.hasPrefix("/") && $0.hasSuffix("/ritualctl") && access($0, X_OK) != 0
        })
      else { return nil }
      return DiagnosticCheck(
        "setup", .warn, "\(path) starts \(command), which does not exist", next: "ritualctl setup mcp")
    }
  }

  /// The texts between quotation marks, in which JSON may escape a slash.
  private static func quoted(in text: String) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).map { String($0.replacing("\\/", with: "/")) }
  }

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maxSize else { return "" }
    return String(decoding: (try? Descriptor.readAll(file, limit: maxSize)) ?? [], as: UTF8.self)
  }
}
