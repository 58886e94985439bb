import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A temporary home with a server that plays Supabase Auth, and an agent. Not safe for use by two threads.
final class EndToEndStage {
  /// A user that lives as long as the stage, and is no secret.
  static let email = "doctor@example.org"
  let password = "Aa1-" + String(UInt64.random(in: .min ... .max), radix: 36)
  /// Seconds of an access token's life: short enough to wait for the refresh at about three quarters of it, long enough that a
  /// slow machine still finds it alive.
  private static let tokenLife = 8
  /// Longer than any start takes on a slow machine.
  private static let patience = Duration.seconds(20)

  private struct StartLine: Decodable {
    let url: String
    let anonKey: String
  }

  private let folder: String
  private let programs: (agent: String, sandbox: String)
  private var sandbox: ChildProgram?
  private var agent: ChildProgram?
  private var socket: String { folder + "/run/agent.sock" }

  /// - Throws: where a program is missing, naming its package, or no folder can be made.
  init() throws {
    let programs = (agent: OwnProgram.path("ritual-agentd"), sandbox: OwnProgram.path("ritual-sandbox"))
    guard let agent = programs.agent else { throw Self.missing("ritual-agentd", package: "ritual-agent") }
    guard let sandbox = programs.sandbox else {
      throw Self.missing("ritual-sandbox", package: "ritual-agent-sandbox")
    }
    self.programs = (agent, sandbox)
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((place.hasPrefix("/") ? place : "/tmp") + "/ritual-doctor-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.failed, "no temporary folder can be made: \(words(of: errno))")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func missing(_ program: String, package: String) -> Failure {
    Failure(.failed, "\(program) is not installed", hint: "sudo apt install \(package)")
  }

  /// Ends what runs and removes the folder.
  func clear() {
    agent?.stop()
    sandbox?.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Server, configuration, agent.
  func start() throws {
    guard
      let output = ChildOutput(),
      let child = ChildProgram(
        programs.sandbox, ["--token-ttl", "\(Self.tokenLife)", "--user", "\(Self.email):\(password)"],
        environment: environment, output: output.descriptor)
    else { throw Failure(.failed, "ritual-sandbox cannot be started") }
    sandbox = child
    let text = output.text(within: Self.patience) { $0.contains("\n") }
    guard let line = text.split(separator: "\n").first,
      let start = try? WireCoding.decode(StartLine.self, from: Data(line.utf8))
    else { throw Failure(.failed, "ritual-sandbox does not start") }
    let project = try ProjectOptions(name: "default", url: start.url, anonKey: start.anonKey, apiURL: nil)
    _ = try ConfigurationFile(path: folder + "/config/config.toml").change({ try project.added(to: $0, file: "") }) {}
    try startAgent()
  }

  func startAgent() throws {
    agent = ChildProgram(
      programs.agent,
      [
        "--config", folder + "/config/config.toml", "--socket", socket, "--state-dir", folder + "/state", "--key-file",
        folder + "/data/vault.key",
      ], environment: environment)
    guard agent != nil else { throw Failure(.failed, "ritual-agentd cannot be started") }
    _ = try connect()
  }

  func killAgent() { agent?.kill() }

  /// A connection to the agent of the stage; waits until it serves.
  func connect() throws -> AgentConnection {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      do throws(AgentClientError) {
        return try AgentConnection(to: socket)
      } catch {
        guard error.code == .unreachable, ContinuousClock.now < deadline, agent?.end(within: .milliseconds(50)) == nil
        else {
          throw Failure(.failed, "ritual-agentd does not start")
        }
      }
    }
  }

  /// Nothing of the user's agent: no folder, socket, credential or descriptor of it.
  private var environment: [String] {
    let own = [
      "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)/config",
      "XDG_STATE_HOME=\(folder)/state",
      "XDG_DATA_HOME=\(folder)/data", "TMPDIR=\(folder)",
    ]
    let kept: [String] = ["PATH", "LD_LIBRARY_PATH", "LANG"].compactMap { (name: String) -> String? in
      getenv(name).map { name + "=" + String(cString: $0) }
    }
    return own + kept
  }
}

/// The other programs of this package: beside this one, else in PATH.
enum OwnProgram {
  static func path(_ name: String) -> String? {
    folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
  }

  private static var folders: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return [ownFolder].compactMap { $0 } + path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  private static var ownFolder: String? {
    guard let target = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(target) }
    let path = String(cString: target)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
