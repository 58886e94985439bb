import AuthSandbox
import Foundation
import TestKit
import Testing

/// A user's environment for one test: `XDG_*` directories, a sandbox, and an agent that can be
/// killed and restarted.
actor TestHome {
  nonisolated let folder: URL
  nonisolated let sandbox: AuthSandbox
  private(set) var agent: RunningProgram?

  static let email = "anna@example.org"
  static let password = "correct horse 9"

  init(folder: URL, sandbox: AuthSandbox) {
    self.folder = folder
    self.sandbox = sandbox
  }

  nonisolated var environment: [String: String] {
    [
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path + "/run", "XDG_CONFIG_HOME": folder.path + "/config",
      "XDG_STATE_HOME": folder.path + "/state", "XDG_DATA_HOME": folder.path + "/data",
      "PATH": Programs.folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
      // As the installed programs are linked: binding a function at its first call saves the processor's vector
      // registers on the stack, with a piece of the token that was just copied.
      "LD_BIND_NOW": "1",
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
    ]
  }

  nonisolated var socket: String { folder.path + "/run/ritual-agent/agent.sock" }

  /// The pid of the running agent.
  var agentPID: Int32? { agent?.pid }

  /// The agent's log since its start.
  var agentLog: String { agent?.stderr ?? "" }

  /// Starts the agent, optionally through a `launcher` that executes its arguments, with `more`
  /// added to its environment and `descriptors` as its descriptors 3, 4, and so on.
  func startAgent(
    through launcher: [String] = [], more: [String: String] = [:], descriptors: [Int32] = []
  ) async throws {
    let command = launcher + [Programs.path("ritual-agentd")]
    let agent = try RunningProgram(
      command[0], Array(command.dropFirst()), environment: environment.merging(more) { $1 }, folder: folder,
      descriptors: descriptors)
    self.agent = agent
    try await eventually("the agent serves its socket: \(agent.stderr)") {
      guard agent.isRunning else { throw ConditionTimeout(what: "the agent ended: \(agent.stderr)") }
      return canConnect(to: socket)
    }
  }

  func killAgent() async throws {
    agent?.send(SIGKILL)
    _ = try await agent?.end()
  }

  /// Stops the agent, as systemd does by default, and returns its exit status.
  func endAgent(_ signal: Int32 = SIGTERM) async throws -> Int32? {
    agent?.send(signal)
    return try await agent?.end().status
  }

  func stopAgent() async {
    await agent?.stop()
    agent = nil
  }

  /// Runs `ritualctl` until it exits.
  nonisolated func ctl(_ arguments: String..., input: String? = nil) async throws -> Output {
    try await start(arguments, input: input).end()
  }

  /// Starts `ritualctl` without waiting for it.
  nonisolated func start(_ arguments: [String], input: String? = nil) throws -> RunningProgram {
    try RunningProgram(
      Programs.path("ritualctl"), arguments, environment: environment, input: input, folder: folder)
  }

  /// Configures the sandbox as the project `default`.
  nonisolated func configure() async throws {
    let output = try await ctl("init", "--project-url", sandbox.url, "--anon-key", sandbox.anonKey)
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// Signs in by email and password. The user must exist.
  nonisolated func signIn(_ arguments: String..., email: String = email) async throws {
    let output = try await start(
      ["sign-in", "email", "--email", email, "--password-stdin"] + arguments, input: Self.password + "\n"
    ).end()
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// The access token, in the raw format.
  nonisolated func token(_ arguments: String...) async throws -> String {
    let output = try await start(["token"] + arguments).end()
    #expect(output.status == 0, "\(output.stderr)")
    return output.stdout.trimmingCharacters(in: .newlines)
  }

  /// Simulates the browser: follows redirects and returns the last page.
  @discardableResult
  nonisolated func browse(_ url: String) async throws -> String {
    try await curl([url])
  }
}

enum Current {
  static let home = TestFixture<TestHome>()
}

/// The home of a test with the trait `home`.
var home: TestHome { Current.home.current }

extension Trait where Self == FixtureTrait {
  /// Gives the test a home with a sandbox, a configured project and an agent.
  static var home: Self { home() }

  static func home(_ settings: SandboxSettings = SandboxSettings(), users: [String] = [TestHome.email]) -> Self {
    Current.home.trait { try await withTestHome(settings, users: users, $0) }
  }
}

/// Runs `body` in a test home with a sandbox, a configured project and an agent, all of which are
/// removed afterwards.
func withTestHome(
  _ settings: SandboxSettings = SandboxSettings(), users: [String] = [TestHome.email],
  _ body: (TestHome) async throws -> Void
) async throws {
  try await withScratchDirectory { folder in
    try await withSandbox(settings) { sandbox in
      let household = TestHome(folder: folder, sandbox: sandbox)
      try FileManager.default.createDirectory(
        atPath: folder.path + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for user in users { _ = sandbox.addUser(email: user, password: TestHome.password) }
      try await household.configure()
      try await household.startAgent()
      try await withCleanup {
        await household.stopAgent()
        // Ensures that the server has accepted the agent's last connection: a server that is stopped
        // while it accepts a connection crashes (NIOAsyncWriter).
        _ = try? await household.browse(sandbox.url + "/")
      } _: {
        try await body(household)
      }
    }
  }
}

extension SandboxSettings {
  /// Returns the default settings after `change`.
  static func with(_ change: (inout SandboxSettings) -> Void) -> SandboxSettings {
    var settings = SandboxSettings()
    change(&settings)
    return settings
  }
}
