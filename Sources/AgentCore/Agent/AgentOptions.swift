import AgentProtocol
public import AgentServer

/// Where an agent finds what it needs.
public struct AgentOptions: Sendable {
  /// The configuration file; one that is not there is an empty one.
  public var configuration: String
  /// The socket to bind, where none was passed.
  public var socket: String
  /// The state folder; the vault lies in it.
  public var state: String
  /// The vault's key file, made at the first start.
  public var keyFile: String
  /// The systemd credential that opens the vault, where the service manager passed one.
  public var credential: String?
  /// Sockets that the service manager passed; the first one is served.
  public var passedSockets: [PassedSocket]
  /// A command for whose life the agent runs (`ritual-agentd … -- CMD`).
  public var command: ChildCommand?
  /// Requests a stop of this agent.
  public var stop: AgentStop

  public init(
    configuration: String, socket: String, state: String, keyFile: String, credential: String? = nil,
    passedSockets: [PassedSocket] = [],
    command: ChildCommand? = nil, stop: AgentStop = AgentStop()
  ) {
    self.configuration = configuration
    self.socket = socket
    self.state = state
    self.keyFile = keyFile
    self.credential = credential
    self.passedSockets = passedSockets
    self.command = command
    self.stop = stop
  }
}
