import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport

/// `doctor --e2e`: tests the life of a session with a separate agent and server in a temporary
/// directory. The user's own agent is not contacted, and its files are not read.
enum EndToEnd {
  private static let names = ["sign-in", "rotation", "expiry", "kill -9", "revocation"]

  /// Runs the checks, up to the first that fails.
  static func checks() -> [DiagnosticCheck] {
    do {
      catchInterrupts()
      let stage = try EndToEndEnvironment()
      defer { stage.clear() }
      return try run(stage)
    } catch {
      let failure = Failure(error)
      return [DiagnosticCheck("start", .fail, failure.message, next: failure.hints.first)]
    }
  }

  private static func run(_ stage: EndToEndEnvironment) throws -> [DiagnosticCheck] {
    try stage.start()
    let life = EndToEndSteps(stage)
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
            next: failure.hints.first ?? "report this with the output of ritualctl --version and ritualctl doctor"))
        break
      }
    }
    return checks
  }

  /// Lets the current step finish after a signal, so that processes and directory are removed. Uses
  /// a handler, because child processes would inherit SIG_IGN.
  private static func catchInterrupts() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in isInterrupted.store(true, ordering: .relaxed) } }
  }
}

/// Whether a signal has arrived. Lock-free, so that a signal handler may set it (signal-safety(7)).
private let isInterrupted = Atomic(false)

/// A temporary home directory with a stand-in for Supabase Auth, and an agent. Not thread-safe.
final class EndToEndEnvironment {
  /// A user that exists only in this stage; its password is not secret.
  static let email = "doctor@example.org"
  let password = "Aa1-" + String(UInt64.random(in: .min ... .max), radix: 36)
  /// The lifetime of an access token in seconds: short enough to wait for the refresh at about
  /// three quarters of it, long enough that the token is still valid on a slow machine.
  private static let tokenLife = 8
  /// The start timeout, generous for a slow machine.
  private static let startTimeout = Duration.seconds(20)

  private struct StartLine: Decodable {
    let url: String
    let anonKey: String
  }

  private let folder: String
  private let programs: (agent: String, sandbox: String)
  private var sandbox: ChildProgram?
  private var agent: ChildProgram?
  var socket: String { folder + "/run/agent.sock" }

  /// - Throws: a failure if a program is missing, with its package, or if no directory can be
  ///   created.
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
      throw Failure(.failed, "no temporary directory can be created: \(errorDescription(errno))")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func missing(_ program: String, package: String) -> Failure {
    Failure(.failed, "\(program) is not installed", hint: "install the package \(package)")
  }

  /// Stops the processes and removes the directory.
  func clear() {
    agent?.stop()
    sandbox?.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts the server, writes the configuration, and starts the agent.
  func start() throws {
    guard
      let output = ChildOutput(),
      let child = ChildProgram(
        programs.sandbox, ["--token-ttl", "\(Self.tokenLife)", "--user", "\(Self.email):\(password)"],
        environment: environment, output: output.descriptor)
    else { throw Failure(.failed, "ritual-sandbox cannot be started") }
    sandbox = child
    let text = output.text(within: Self.startTimeout) { $0.contains("\n") }
    guard let line = text.split(separator: "\n").first,
      let start = try? WireCoding.decode(StartLine.self, from: Data(line.utf8))
    else { throw Failure(.failed, "ritual-sandbox did not start") }
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

  /// Connects to the stage's agent, waiting until it accepts connections.
  func connect() throws -> AgentConnection {
    let deadline = ContinuousClock.now + Self.startTimeout
    while true {
      do throws(AgentClientError) {
        return try AgentConnection(to: socket)
      } catch {
        guard error.code == .unreachable, ContinuousClock.now < deadline, agent?.end(within: .milliseconds(50)) == nil
        else {
          throw Failure(.failed, "ritual-agentd did not start")
        }
      }
    }
  }

  /// An environment without the directories, socket, credentials and passed descriptors of the
  /// user's agent.
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

/// The steps in the life of a session. Each step returns a description of the result, or throws.
final class EndToEndSteps {
  /// The timeout for actions of the agent itself: the refresh of a token that is valid for 8 s.
  private static let stepTimeout = Duration.seconds(25)

  private let stage: EndToEndEnvironment

  init(_ stage: EndToEndEnvironment) { self.stage = stage }

  func signIn() throws -> String {
    let params = PasswordParams(
      account: nil, project: nil, email: EndToEndEnvironment.email, password: stage.password)
    let result = try stage.connect().call(SignInPassword.self, params)
    guard result.outcome == .signedIn else { throw Failure(.failed, "the sign-in had an unexpected result") }
    try useToken()
    return "signed in; the server accepts the token"
  }

  /// Refreshes on demand. A refresh within 5 s of the last one is not repeated, so a second attempt
  /// may be necessary.
  func rotate() throws -> String {
    let connection = try stage.connect()
    let old = try connection.call(SessionToken.self, SessionToken.Params()).accessToken
    try retry("the refresh returned no new token") {
      _ = try connection.call(SessionRefresh.self, AccountParams())
      return try connection.call(SessionToken.self, SessionToken.Params()).accessToken != old
    }
    try useToken()
    return "a refresh returned a new token, and the server accepts it"
  }

  /// Waits for the agent to refresh a token before its expiry, without a request.
  func expire() throws -> String {
    let connection = try stage.connect()
    _ = try connection.subscribe()
    let deadline = ContinuousClock.now + Self.stepTimeout
    while ContinuousClock.now < deadline {
      guard let event = try connection.nextEvent(timeout: .seconds(1)), event.type == .tokenRefreshed else { continue }
      try useToken()
      return "the token was refreshed before it expired"
    }
    throw Failure(.failed, "the token was not refreshed before it expired")
  }

  func crash() throws -> String {
    stage.killAgent()
    try stage.startAgent()
    try useToken()
    return "the session survived a crash, and the server accepts its token"
  }

  /// Ends the session on the server, and waits until the agent notices at its next refresh.
  func revoke() throws -> String {
    let connection = try stage.connect()
    guard try send("POST", "/sandbox/revoke") / 100 == 2 else {
      throw Failure(.failed, "ritual-sandbox did not revoke the session")
    }
    try retry("the agent did not notice that the session was revoked") {
      do {
        _ = try connection.call(SessionRefresh.self, AccountParams())
        return false
      } catch let error as AgentError where error.kind == .signInNeeded {
        return true
      }
    }
    return "a revoked session requires a new sign-in"
  }

  private func useToken() throws {
    let status = try send("GET", "/rest/v1/whoami")
    guard status == 200 else { throw Failure(.failed, "the server rejected the token (\(status))") }
  }

  private func send(_ method: String, _ path: String) throws -> Int {
    try EgressClient(agent: stage.socket).send(.init(method: method, target: path)) { _, _ in }.status
  }

  /// Repeats the check every half second until it succeeds.
  private func retry(_ otherwise: String, _ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + Self.stepTimeout
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw Failure(.failed, otherwise) }
      // Within 5 s of a refresh, the agent answers without a new one.
      usleep(500_000)
    }
  }
}
