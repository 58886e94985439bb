import AgentCore
import AgentProtocol
import AgentServer
import ArgumentParser
import CWipe
import FoundationEssentials
import Glibc
import Logging
import SystemSupport

@main
struct RitualAgentd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-agentd",
    abstract: "Keep Supabase sessions and provide access tokens to one user's programs.",
    usage: "ritual-agentd [<options>] [-- <command> ...]",
    discussion: """
      Runs in the foreground, under systemd or started manually. With a command after --, runs until that command \
      exits; RITUAL_AGENT_SOCKET is set for the command.

      Examples:

        # Check the configuration before a reload
        ritual-agentd --check-config
        # An agent for one script, with its own vault
        ritual-agentd --socket /tmp/a/sock --state-dir /tmp/a -- ./import.sh
      """,
    version: AgentVersion.current)

  @Option(help: ArgumentHelp("Configuration file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Socket to listen on, unless systemd passes one.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("State directory, with the vault and the audit log.", valueName: "dir"))
  var stateDir: String?

  @Option(help: ArgumentHelp("Key file of the vault.", valueName: "file"))
  var keyFile: String?

  @Option(help: "Log level: trace, debug, info, notice, warning, error, or critical.", transform: level)
  var logLevel: Logger.Level = StartOptions().logLevel

  @Flag(help: "Check the configuration, report errors, and exit.")
  var checkConfig = false

  // Not documented, because only `ritualctl init` uses it.
  @Option(
    help: ArgumentHelp(
      "Check this project of a configuration read from standard input, print the results as JSON, and exit.",
      valueName: "name", visibility: .hidden))
  var checkProject: String?

  @Argument(parsing: .postTerminator, help: "Command to run; the agent stops when it exits.")
  var command: [String] = []

  private var start: StartOptions {
    StartOptions(
      config: config, socket: socket, stateDir: stateDir, keyFile: keyFile, logLevel: logLevel,
      checkConfig: checkConfig, checkProject: checkProject, command: command)
  }

  private static func level(_ name: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: name) else { throw ValidationError("unknown log level '\(name)'") }
    return level
  }

  /// Calls exit(3) here instead of in the parser, because exit statuses are part of the interface.
  static func main() {
    Descriptor.occupyStandardNumbers()
    // What the agent makes is the user's alone, and usable by the user, whatever started the agent.
    let callersMask = umask(0o077)
    var failures = ProcessHardening.apply()
    if !ritual_wipe_is_in_force() { failures.append("freed memory is not overwritten") }
    DescriptorLimit.raise()
    let start = startOrExit()
    // Both run before a second thread starts: the first changes the environment, the second the
    // signal mask that threads inherit.
    let (passed, signals) = (PassedSocket.takeAll(), StopSignals())
    let stop = AgentStop()
    // Detached, because the main actor's thread waits for signals.
    Task.detached { [failures] in
      do {
        try await start.run(hardeningFailures: failures, passed: passed, stop: stop, callersMask: callersMask)
        Glibc.exit(ExitStatus.done.rawValue)
      } catch {
        Glibc.exit(status(of: error))
      }
    }
    signals.forward(to: stop.request)
  }

  /// Parses the command line. Exits for `--help` and `--version`, and if the command line is
  /// invalid.
  private static func startOrExit() -> StartOptions {
    // The service manager passes no arguments. The parser would take a tenth of the time until
    // READY=1.
    guard CommandLine.argc > 1 else { return StartOptions() }
    do {
      var parsed = try parseAsRoot()
      if let agent = parsed as? Self { return agent.start }
      // A command that the parser itself adds, such as `help`.
      try parsed.run()
      Glibc.exit(ExitStatus.done.rawValue)
    } catch {
      Glibc.exit(status(of: error))
    }
  }

  /// Prints the message of the parser or the agent, and returns the exit status: 64 (EX_USAGE of
  /// sysexits.h) for an invalid command line, 1 for a failure.
  private static func status(of error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let isParsers = exitCode(for: error) != .failure
    guard isParsers else {
      Terminal.write("ritual-agentd: \(errorDescription(for: error))\n", to: STDERR_FILENO)
      return ExitStatus.failed.rawValue
    }
    guard exitCode(for: error) == .success else {
      let text = ProgramText.usageError(message(for: error), program: "ritual-agentd")
      Terminal.write(text + "\n", to: STDERR_FILENO)
      return exitCode(for: error).rawValue
    }
    do { try Terminal.answer(ProgramText.help(fullMessage(for: error)) + "\n") } catch { return status(of: error) }
    return ExitStatus.done.rawValue
  }

  /// The text of an agent error for the user, including the hint.
  static func errorDescription(for error: any Error) -> String {
    switch error {
    case let error as SystemCallError: "the output cannot be written: \(SystemSupport.errorDescription(error.errno))"
    case let error as AgentError: error.data.hint.map { "\(error.message)\n  \($0)" } ?? error.message
    default: "\(error)"
    }
  }
}

/// The options of the command line, or their defaults.
struct StartOptions {
  var config, socket, stateDir, keyFile: String?
  var logLevel: Logger.Level = .info
  var checkConfig = false
  var checkProject: String?
  var command: [String] = []

  /// Checks the configuration, or runs the agent until a stop is requested.
  ///
  /// - Parameters:
  ///   - passed: the sockets of the service manager.
  ///   - callersMask: the file mode creation mask for the command (umask(2)).
  func run(
    hardeningFailures: [String], passed: [PassedSocket], stop: AgentStop, callersMask: mode_t
  ) async throws {
    LogDestination.ofThisProcess().install(level: logLevel)
    let logger = Logger(label: "ritual-agent")
    for failure in hardeningFailures { logger.warning("\(failure)") }
    if let checkProject { return try await check(project: checkProject) }
    if checkConfig { return try check() }
    let places = AgentPaths.ofThisProcess()
    for name in places.snapVariables { logger.notice("\(name) is ignored, because a snap has set it") }
    let socket = try socket ?? places.socket
    let child = command.isEmpty ? nil : ChildCommand(command, socket: socket, mask: callersMask, logger: logger)
    let options = AgentOptions(
      configuration: try config ?? places.configuration, socket: socket, state: try stateDir ?? places.state,
      keyFile: try keyFile ?? places.keyFile, otherKeyFile: keyFile == nil ? places.otherKeyFile : nil,
      credential: places.credential, passedSockets: passed, command: child, stop: stop)
    do {
      try await Agent(options, logger: logger).run()
    } catch  where Agent.isConfigurationError(error) {
      Terminal.write("ritual-agentd: \(RitualAgentd.errorDescription(for: error))\n", to: STDERR_FILENO)
      // The unit does not restart after this status (RestartPreventExitStatus=).
      throw ExitCode(EX_CONFIG)
    }
    if let status = child?.status { throw ExitCode(status) }
  }

  private func check() throws {
    // A running agent treats a missing file as empty. A missing file that is named for a check is a
    // typing error.
    if let config, access(config, F_OK) != 0 {
      throw ValidationError("cannot find \(config): \(errorDescription(errno))")
    }
    let notes = try Agent.check(configuration: try config ?? AgentPaths.ofThisProcess().configuration)
    for note in notes { Terminal.write("ritual-agentd: note: \(note)\n", to: STDERR_FILENO) }
    try Terminal.answer("OK\n")
  }

  private func check(project: String) async throws {
    let configuration = try Descriptor.readAll(STDIN_FILENO, limit: Agent.maxConfigurationSize)
    let checks = try await Agent.check(project: project, of: configuration)
    try Terminal.answer(String(decoding: try WireCoding.encode(checks), as: UTF8.self) + "\n")
  }
}

/// Writes without stdio, whose globals Swift 6 does not allow.
enum Terminal {
  /// Writes all of `text` to standard output.
  static func answer(_ text: String) throws { try Descriptor.writeAll(STDOUT_FILENO, Array(text.utf8)) }

  /// Writes all of `text`. Failures (a closed pipe, a full disk) are ignored, because they cannot
  /// be reported.
  static func write(_ text: String, to descriptor: Int32) {
    try? Descriptor.writeAll(descriptor, Array(text.utf8))
  }
}
