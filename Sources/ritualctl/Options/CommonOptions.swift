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
