import AgentClient
import AgentProtocol
import ArgumentParser

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "Print one JSON document; an error as one, too, on standard error.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print answers, warnings and errors only.")
  var quiet = false

  @Option(help: "Use colour: auto, always or never. NO_COLOR means never.")
  var color: ColorChoice = .auto

  var output: Output { Output(json: json, quiet: quiet, style: Style(color, isJSON: json)) }

  /// A connection to the agent.
  func connect() throws -> AgentConnection {
    try socket.map { try AgentConnection(to: $0) } ?? AgentConnection()
  }
}

/// The option that most commands have.
struct AccountOption: ParsableArguments {
  @Option(help: ArgumentHelp("The account; the default one if not given.", valueName: "name"))
  var account: String?

  var params: AccountParams { AccountParams(account: account) }
}

extension ColorChoice: ExpressibleByArgument {}
