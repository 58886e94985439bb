import AgentConfiguration
import AgentProtocol
public import AgentServer
import Dispatch
import Glibc
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import SessionEngine
import SessionVault
import Synchronization
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

/// Asks an agent to stop, and ends the process where it does not (OP-8). Safe from any thread.
///
/// Everything that waits at a stop has a deadline. The limit is for what has none: a disk that does not answer, and
/// mistakes. Stored sessions are durable by then, and the kernel releases the vault's lock. The exit status is 0, or that of
/// the command of `ritual-agentd -- CMD`.
public final class AgentStop: Service {
  /// The command of `ritual-agentd -- CMD` has 5 s, requests have 3 s, connections 2 s more, and closing takes about 2 s.
  private static let limit: DispatchTimeInterval = .seconds(13)
  /// The journal hears of it a second before, on another thread: writing to it may be what hangs.
  private static let notice: DispatchTimeInterval = .seconds(12)

  private let requested = SettledValue<Void>()
  private let isArmed = Atomic(false)
  private let exitStatus = Mutex<@Sendable () -> Int32>({ 0 })

  public init() {}

  /// Asks for the stop. An agent that has not begun to serve stops as soon as it does. Further calls have no effect.
  public func request() {
    arm()
    requested.settle(())
  }

  /// - Parameter exitStatus: asked when the limit is reached.
  func endWith(_ exitStatus: @escaping @Sendable () -> Int32) { self.exitStatus.withLock { $0 = exitStatus } }

  /// Returns when a stop is asked for, which is to stop the group, or when the group stops for another reason. As the last
  /// service of its group it is the first to hear of it.
  public func run() async throws {
    _ = await cancelWhenGracefulShutdown { [requested] in try? await requested.wait() }
    arm()
  }

  /// Starts the countdown, on threads outside the cooperative pool: that may be what is stuck.
  private func arm() {
    guard !isArmed.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.notice) {
      Logger(label: "ritual-agent").error(
        "the agent did not end in time and exits now", metadata: JournalEvent.stalled.with(["part": "stop"]))
    }
    DispatchQueue(label: "stop-limit").asyncAfter(deadline: .now() + Self.limit) { [self] in
      _exit(exitStatus.withLock { $0 }())
    }
  }
}

/// The socket, and behind it all else that runs: a start waits for nothing that the first answer does not need. What comes
/// after READY=1 (the first TLS connection, the buses, the audit log) then takes no processor from what comes before it.
///
/// They stop at the same moment, so that a stop takes as long as the slowest and not as all of them: answers that clients
/// wait for come from refreshes that are given the same time to end (OP-2).
struct ServedTogether: Service, CustomStringConvertible {
  private let server: any Service
  private let serving: ServingGate
  private let others: [any Service]

  /// A service group logs its services by their description, which by default is all that is in them.
  var description: String { "the agent's services" }

  private let clock: any AgentClock
  private let whenOverdue: @Sendable () async -> Void

  /// How long a stop waits for requests that were sent (OP-2).
  static let grace: Duration = .seconds(3)

  /// - Parameters:
  ///   - serving: opened by `server` when it serves. `others` begin then, and never where it does not come to that.
  ///   - whenOverdue: called where a stop has not ended after `grace`. It ends what still waits for a network.
  init(
    _ server: any Service, serving: ServingGate, others: [any Service], clock: any AgentClock,
    whenOverdue: @escaping @Sendable () async -> Void = {}
  ) {
    (self.server, self.serving, self.others) = (server, serving, others)
    (self.clock, self.whenOverdue) = (clock, whenOverdue)
  }

  func run() async throws {
    // Cancelled when the services have ended.
    async let _: Void = endGrace()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { serving.close() }
        try await server.run()
      }
      if await serving.isOpened() {
        for service in others { group.addTask { try await service.run() } }
      }
      try await group.waitForAll()
    }
  }

  private func endGrace() async {
    guard (try? await gracefulShutdown()) != nil, (try? await clock.sleep(for: Self.grace)) != nil else { return }
    await whenOverdue()
  }
}

/// Reports whether the server has begun to serve. Safe from any thread.
struct ServingGate: Sendable {
  private let isServing = SettledValue<Bool>()

  /// The server serves.
  func open() { isServing.settle(true) }

  /// The server will not serve, if it has not begun.
  func close() { isServing.settle(false) }

  /// Returns when the server serves, with false where it never will, or when the task is cancelled.
  func isOpened() async -> Bool { (try? await isServing.wait()) ?? false }
}
