import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport

/// `doctor --e2e`: the life of a session with programs and a server of its own, in a temporary folder. The user's own agent is
/// not asked, and nothing of it is read.
enum EndToEnd {
  private static let names = ["sign-in", "rotation", "expiry", "kill -9", "revocation"]

  /// The checks, up to the first that fails.
  static func checks() -> [DiagnosticCheck] {
    do {
      catchInterrupts()
      let stage = try EndToEndStage()
      defer { stage.clear() }
      return try run(stage)
    } catch {
      let failure = Failure(error)
      return [DiagnosticCheck("start", .fail, failure.message, next: failure.hints.first)]
    }
  }

  private static func run(_ stage: EndToEndStage) throws -> [DiagnosticCheck] {
    try stage.start()
    let life = SessionLife(stage)
    let steps = [life.signIn, life.rotate, life.expire, life.crash, life.revoke]
    var checks: [DiagnosticCheck] = []
    for (name, step) in zip(names, steps) {
      do {
        guard !isInterrupted.load(ordering: .relaxed) else { throw Failure(.cancelled, "cancelled") }
        checks.append(DiagnosticCheck(name, .ok, try step()))
      } catch {
        let failure = Failure(error)
        checks.append(
          DiagnosticCheck(
            name, .fail, failure.message,
            next: failure.hints.first ?? "report it, with ritualctl --version and the output of ritualctl doctor"))
        break
      }
    }
    return checks
  }

  /// A signal lets the step that runs end, so that programs and folder are cleared away. A handler, not SIG_IGN, which the
  /// programs would inherit.
  private static func catchInterrupts() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in isInterrupted.store(true, ordering: .relaxed) } }
  }
}

/// Whether a signal has come. Lock-free, so that a signal handler may set it (signal-safety(7)).
private let isInterrupted = Atomic(false)

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
      throw Failure(.failed, "no temporary folder can be made: \(errorDescription(errno))")
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

/// What a session goes through on the stage. Each step says what was seen, or throws what was not.
final class SessionLife {
  /// For what the agent does by itself: the refresh of a token that lives 8 s.
  private static let patience = Duration.seconds(25)

  private let stage: EndToEndStage

  init(_ stage: EndToEndStage) { self.stage = stage }

  func signIn() throws -> String {
    let params = PasswordParams(
      account: nil, project: nil, email: EndToEndStage.email, password: stage.password)
    let result = try stage.connect().call(SignInPassword.self, params)
    guard result.outcome == .signedIn else { throw Failure(.failed, "the sign-in ended otherwise than expected") }
    try useToken()
    return "signed in; the server takes the token"
  }

  /// A refresh on demand. One that ended less than 5 s ago is not repeated, so it may take a second try.
  func rotate() throws -> String {
    let connection = try stage.connect()
    let old = try connection.call(SessionToken.self, SessionToken.Params()).accessToken
    try retry("the refresh brings no new token") {
      _ = try connection.call(SessionRefresh.self, AccountParams())
      return try connection.call(SessionToken.self, SessionToken.Params()).accessToken != old
    }
    try useToken()
    return "a refresh brought a new token, and the server takes it"
  }

  /// The agent renews a token before it ends, without being asked.
  func expire() throws -> String {
    let connection = try stage.connect()
    _ = try connection.subscribe()
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      guard let event = try connection.nextEvent(timeout: .seconds(1)), event.type == .tokenRefreshed else { continue }
      try useToken()
      return "the token was renewed before it ended"
    }
    throw Failure(.failed, "the token was not renewed before its end")
  }

  func crash() throws -> String {
    stage.killAgent()
    try stage.startAgent()
    try useToken()
    return "after a crash the session is there, and the server takes its token"
  }

  /// The server ends the session; the agent notices at its next refresh.
  func revoke() throws -> String {
    let connection = try stage.connect()
    guard try send("POST", "/sandbox/revoke", connection) / 100 == 2 else {
      throw Failure(.failed, "ritual-sandbox does not revoke")
    }
    try retry("the agent does not notice that the session has ended") {
      do {
        _ = try connection.call(SessionRefresh.self, AccountParams())
        return false
      } catch let error as AgentError where error.kind == .signInNeeded {
        return true
      }
    }
    return "a session that the server ended asks for a new sign-in"
  }

  private func useToken() throws {
    let status = try send("GET", "/rest/v1/whoami", try stage.connect())
    guard status == 200 else { throw Failure(.failed, "the server refuses the token (\(status))") }
  }

  private func send(_ method: String, _ path: String, _ connection: AgentConnection) throws -> Int {
    try connection.call(
      APIRequestMethod.self, APIRequestMethod.Params(account: nil, method: method, path: path)
    ).status
  }

  /// Asks again every half second until it is so.
  private func retry(_ otherwise: String, _ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + Self.patience
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw Failure(.failed, otherwise) }
      // A refresh that ended less than 5 s ago is answered for a new one.
      usleep(500_000)
    }
  }
}
