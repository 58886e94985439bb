import AgentConfiguration
import AgentProtocol
import AgentServer
public import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SessionVault
import SystemSupport

/// The agent: made of its parts here, and nowhere else.
public struct Agent: Sendable {
  private let options: AgentOptions
  private let logger: Logger

  public init(_ options: AgentOptions, logger: Logger) {
    self.options = options
    self.logger = logger
  }

  /// Reads a configuration as a start would, and nothing more.
  ///
  /// - Returns: what an agent that runs elsewhere, in the confinement of its unit, may see otherwise; in words.
  /// - Throws: `ConfigurationError`, whose description names file, line and column.
  public static func check(configuration: String) throws -> [String] {
    let policy = try Configuration.load(path: configuration).policy
    let namesPrograms = policy.contains { if case .executable = $0.subject { true } else { false } }
    guard namesPrograms, !UserNamespace.isOwn else { return [] }
    return [
      "a rule names an executable, which an agent in a user namespace (PrivateUsers=yes) refuses; the running one "
        + "tells: ritualctl reload"
    ]
  }

  /// Whether an error of `run` or `check` is a mistake in the configuration, which no further try mends.
  public static func isMistakeInConfiguration(_ error: any Error) -> Bool { error is ConfigurationError }

  /// Configuration, vault, sessions, socket, READY, overdue refreshes, in this order; returns when it was asked to stop
  /// (`AgentOptions.stop`).
  ///
  /// - Throws: `ConfigurationError`, `SocketError`, and `AgentError` where another agent holds the vault. A vault that
  ///   cannot be opened for another reason is no error here: the agent runs and says so to whoever asks.
  public func run() async throws {
    let passed = options.passedSockets.first { $0.name != RestartKey.name }
    let configuration = try ConfigurationAtStart(path: options.configuration, passed: passed).load()
    let socket = try passed.map(ListeningSocket.adopt) ?? ListeningSocket.bind(options.socket)
    let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let restartKey = RestartKey(clock: SystemClock(), logger: logger)
      let kept = restartKey.takeBack(
        options.passedSockets, isOn: configuration.vault.staysUnlockedOverRestart,
        idleTime: configuration.vault.idleTime)
      let vault = try openVault(kept)
      if (try? vault.get().openedBy) != .passphrase { restartKey.forget("the vault did not open by it") }
      let parts = AgentParts(
        configuration, vault: vault, restartKey: restartKey, eventLoop: eventLoop, options: options, logger: logger)
      let result = await serve(parts, on: socket)
      await parts.close()
      try result.get()
    } catch {
      socket.remove()
      try? await eventLoop.shutdownGracefully()
      throw error
    }
    try await eventLoop.shutdownGracefully()
  }

  private func openVault(_ kept: ProvenKey?) throws(AgentError) -> Result<AttachedVault, AgentError> {
    do {
      let vault = try Vault.attach(storage: FolderStorage(path: options.state + "/vault"))
      let places = VaultPlaces(keyFile: options.keyFile, credential: options.credential, state: options.state)
      let attached = try AttachedVault(vault, places, kept: kept)
      if !vault.memoryLocked { logger.warning("the vault's keys could be swapped out: RLIMIT_MEMLOCK is too low") }
      if let refusal = attached.refusal {
        logger.error(
          "the vault cannot be opened",
          metadata: JournalEvent.vaultUnavailable.with([
            "kind": "\(refusal.kind.rawValue)", "detail": "\(refusal.data.hint ?? "")",
          ]))
      }
      return .success(attached)
    } catch {
      let known = AgentError.from(vault: error)
      if error.code == .inUse { throw known }
      logger.error(
        "the vault cannot be opened",
        metadata: JournalEvent.vaultUnavailable.with(["kind": "\(known.kind.rawValue)", "detail": "\(error.message)"]))
      return .failure(known)
    }
  }

  private func serve(_ parts: AgentParts, on socket: ListeningSocket) async -> Result<Void, any Error> {
    do {
      try await parts.restore()
      try await serviceGroup(parts.service(on: socket)).run()
      return .success(())
    } catch is CancellationError {
      // A stop that took too long was cancelled; that is no failure.
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func serviceGroup(_ service: some Service) -> ServiceGroup {
    var members = [ServiceGroupConfiguration.ServiceConfiguration(service: service)]
    if let command = options.command {
      // Stopped in the reverse order: the command first, then the agent that it needs.
      members.append(.init(service: command, successTerminationBehavior: .gracefullyShutdownGroup))
    }
    let command = options.command
    options.stop.endWith { command?.status ?? 0 }
    // The last one is the first to hear of a stop.
    members.append(.init(service: options.stop, successTerminationBehavior: .gracefullyShutdownGroup))
    var configuration = ServiceGroupConfiguration(services: members, logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(11)
    // The library ends the process by a trap here, so `AgentStop` comes first.
    configuration.maximumCancellationDuration = .seconds(10)
    return ServiceGroup(configuration: configuration)
  }
}
