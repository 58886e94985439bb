import AgentClient
import AgentProtocol
import ArgumentParser

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "Output one JSON document. An error is one on stderr.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print answers, warnings and errors only.")
  var quiet = false

  @Option(help: "Use colour: auto, always or never. NO_COLOR means never.")
  var color: ColorChoice = .auto

  var output: Output { Output(json: json, quiet: quiet, style: Style(color, isJSON: json)) }

  /// How long a running agent takes at most to accept a connection.
  static let connectTimeout = Duration.seconds(3)

  /// A connection to the agent.
  func connect(within limit: Duration = connectTimeout) throws -> AgentConnection {
    try socket.map { try AgentConnection(to: $0, timeout: limit) } ?? AgentConnection(timeout: limit)
  }

  /// One request on a connection of its own, answered within `limit`.
  func ask<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, within limit: Duration
  ) throws -> Method.Result {
    let end = ContinuousClock.now + limit
    let connection = try connect(within: limit)
    connection.maximumSilence = nil
    return try connection.call(method, params, timeout: max(.milliseconds(1), ContinuousClock.now.duration(to: end)))
  }
}

/// The option that most commands have.
struct AccountOption: ParsableArguments {
  @Option(help: ArgumentHelp("The account; the default one if not given.", valueName: "name"))
  var account: String?

  var params: AccountParams { AccountParams(account: account) }

  /// ` --account NAME` for a command in a hint; empty for the default account.
  var hintSuffix: String { account.map { " --account \(ForeignText.shown($0, limit: 40))" } ?? "" }
}

/// The time limit of commands that ask for local state only: the agent answers those from memory.
struct AnswerTimeout: ParsableArguments {
  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp("How long to wait for the agent, with exit status 7.", valueName: "seconds"))
  var seconds: Double = 3

  func validate() throws {
    guard seconds > 0, seconds <= 3600 else { throw ValidationError("--timeout is above 0 and at most 3600 seconds") }
  }

  var limit: Duration { .milliseconds(max(1, Int64(seconds * 1000))) }
}

extension ColorChoice: ExpressibleByArgument {}

/// What every command of ours has.
protocol AgentCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// Does the work; what it throws becomes the error message and the exit status.
  func perform(_ output: Output) throws -> ExitStatus
  /// The exit status of a failure.
  func exitCode(of failure: Failure) -> Int32
  /// Whether the error's stable name is shown, since the exit status does not tell it.
  var showsErrorKind: Bool { get }
}

extension AgentCommand {
  func exitCode(of failure: Failure) -> Int32 { failure.exit.rawValue }
  var showsErrorKind: Bool { false }
}

/// The version that is installed, which is this program's own: agent and tools come in one package.
enum InstalledVersion {
  /// What to do where the agent is older than what is installed, as after an upgrade; nil where it is not.
  static func complaint(aboutRunning running: String, installed: String = AgentVersion.current) -> String? {
    guard let old = numbers(running), let new = numbers(installed), old.lexicographicallyPrecedes(new) else {
      return nil
    }
    return "the agent runs \(ForeignText.shown(running)), installed is \(installed): "
      + ServiceManager.restartAgent
  }

  /// Major, minor, patch (Semantic Versioning 2.0.0, section 11); what stands behind them is left out.
  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == 3 && parts.count == 3 ? numbers : nil
  }
}
