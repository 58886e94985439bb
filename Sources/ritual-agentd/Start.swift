import AgentCore
import AgentProtocol
import AgentServer
import ArgumentParser
import Glibc
import Logging
import SystemSupport

/// What the command line says, or leaves as it is.
struct Start {
  var config, socket, stateDir, keyFile: String?
  var logLevel: Logger.Level = .info
  var checkConfig = false
  var command: [String] = []

  /// Checks the configuration, or runs the agent until it is told to stop.
  ///
  /// - Parameter passed: the sockets of the service manager.
  func run(hardeningFailures: [String], passed: [PassedSocket], stop: AgentStop) async throws {
    LogDestination.ofThisProcess().install(level: logLevel)
    let logger = Logger(label: "ritual-agent")
    for failure in hardeningFailures { logger.warning("\(failure)") }
    if checkConfig { return try check() }
    let places = Places.ofThisProcess()
    let socket = try socket ?? places.socket
    let child = command.isEmpty ? nil : ChildCommand(command, socket: socket, logger: logger)
    let options = AgentOptions(
      configuration: try config ?? places.configuration, socket: socket, state: try stateDir ?? places.state,
      keyFile: try keyFile ?? places.keyFile, credential: places.credential, passedSockets: passed, command: child,
      stop: stop)
    do {
      try await Agent(options, logger: logger).run()
    } catch  where Agent.isMistakeInConfiguration(error) {
      Terminal.write("ritual-agentd: \(RitualAgentd.words(for: error))\n", to: STDERR_FILENO)
      // The unit does not try again after this status (RestartPreventExitStatus=).
      throw ExitCode(EX_CONFIG)
    }
    if let status = child?.status { throw ExitCode(status) }
  }

  private func check() throws {
    // A running agent takes a missing file for an empty one; who names it to have it checked has mistyped it.
    if let config, access(config, F_OK) != 0 {
      throw ValidationError("there is no \(config): \(words(of: errno))")
    }
    let notes = try Agent.check(configuration: try config ?? Places.ofThisProcess().configuration)
    for note in notes { Terminal.write("ritual-agentd: note: \(note)\n", to: STDERR_FILENO) }
    Terminal.write("OK\n", to: STDOUT_FILENO)
  }
}
