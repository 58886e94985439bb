import AgentConfiguration
public import AgentProtocol
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

/// The agent, which is composed of its parts here only.
public struct Agent: Sendable {
  private let options: AgentOptions
  private let logger: Logger

  public init(_ options: AgentOptions, logger: Logger) {
    self.options = options
    self.logger = logger
  }

  /// Reads a configuration as a start would, and nothing more.
  ///
  /// - Returns: messages about what a running agent, in the confinement of its unit, may see
  ///   otherwise.
  /// - Throws: `ConfigurationError`, whose description names file, line and column.
  public static func check(configuration: String) throws -> [String] {
    let policy = try Configuration.loadWithSecrets(path: configuration).policy
    let namesPrograms = policy.contains { if case .executable = $0.subject { true } else { false } }
    guard namesPrograms, !UserNamespace.isOwn else { return [] }
    return [
      "a rule names an executable; an agent in a user namespace (PrivateUsers=yes) rejects such rules. To check the "
        + "running agent: ritualctl reload"
    ]
  }

  public static let maxConfigurationSize = Configuration.maxFileSize

  /// Sends one request to a project of a configuration, given as the bytes of a file. No agent
  /// needs to run.
  ///
  /// - Returns: the checks `project`, `tls`, `key` and `methods` of `agent.diagnose`. A failed
  ///   connection is reported with its cause, which names the host.
  /// - Throws: `ConfigurationError`, or `AgentError` if the configuration has no such project.
  public static func check(project name: String, of configuration: [UInt8]) async throws -> [DiagnosticCheck] {
    let file = "standard input"
    let parsed = try Configuration.parse(try Configuration.text(of: configuration, file: file), file: file)
    let projects = Projects(parsed, makeServer: AgentParts.client)
    let checks: Result<[DiagnosticCheck], AgentError>
    do throws(AgentError) {
      let diagnosis = ProjectDiagnosis(project: try projects.choose(name), redirect: "manual", clock: SystemClock())
      checks = .success(await diagnosis.connection())
    } catch {
      checks = .failure(error)
    }
    await projects.shutdown()
    return try checks.get()
  }

  /// True if an error of `run` or `check` is an invalid configuration, so that a retry does not
  /// help.
  public static func isConfigurationError(_ error: any Error) -> Bool { error is ConfigurationError }

  /// Runs configuration, vault, sessions, socket, READY and overdue refreshes, in this order.
  /// Returns after a stop was requested (`AgentOptions.stop`).
  ///
  /// - Throws: `ConfigurationError`, `SocketError`, and `AgentError` if another agent holds the
  ///   vault. A vault that cannot be opened for another reason is not an error here: the agent runs
  ///   and reports the reason to its callers.
  public func run() async throws {
    let passed = AgentSockets.Passed(options.passedSockets)
    let configuration = try StartupConfiguration(path: options.configuration, passed: passed).load()
    let sockets = try AgentSockets.open(passed, path: options.socket, logger: logger)
    let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let restartKey = RestartKey(clock: SystemClock(), logger: logger)
      let kept = restartKey.takeBack(
        options.passedSockets, isOn: configuration.vault.staysUnlockedAcrossRestart,
        idleTime: configuration.vault.idleTime)
      let vault = try openVault(kept)
      if (try? vault.get().openedBy) != .passphrase { restartKey.forget("it did not unlock the vault") }
      let parts = AgentParts(
        configuration, vault: vault, restartKey: restartKey, eventLoop: eventLoop,
        sockets: sockets, options: options, logger: logger)
      let result = await serve(parts, on: sockets)
      await parts.close()
      sockets.remove()
      try result.get()
    } catch {
      sockets.remove()
      try? await eventLoop.shutdownGracefully()
      throw error
    }
    try await eventLoop.shutdownGracefully()
  }

  private func openVault(_ kept: ProvenKey?) throws(AgentError) -> Result<AttachedVault, AgentError> {
    do {
      let vault = try Vault.attach(storage: DirectoryStorage(path: options.state + "/vault"))
      let places = VaultPaths(
        keyFile: options.keyFile, credential: options.credential, state: options.state,
        otherKeyFile: options.otherKeyFile)
      let attached = try AttachedVault(vault, places, kept: kept)
      if let error = vault.memoryLockError { logger.warning("\(VaultMessages.unlockedMemory(errno: error))") }
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

  private func serve(_ parts: AgentParts, on sockets: AgentSockets) async -> Result<Void, any Error> {
    do {
      await parts.restore()
      let service = parts.service(on: sockets.agent, credentials: sockets.credentials)
      try await serviceGroup(service).run()
      return .success(())
    } catch is CancellationError {
      // A stop that takes too long is cancelled, which is not a failure.
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func serviceGroup(_ service: some Service) -> ServiceGroup {
    var members = [ServiceGroupConfiguration.ServiceConfiguration(service: service)]
    if let command = options.command {
      // Services stop in reverse order: the command first, then the agent that the command needs.
      members.append(.init(service: command, successTerminationBehavior: .gracefullyShutdownGroup))
    }
    let command = options.command
    options.stop.endWith { command?.status ?? 0 }
    // The last service is the first to be notified of a stop.
    members.append(.init(service: options.stop, successTerminationBehavior: .gracefullyShutdownGroup))
    var configuration = ServiceGroupConfiguration(services: members, logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(11)
    // At this limit the library ends the process by a trap; `AgentStop` ends it before.
    configuration.maximumCancellationDuration = .seconds(10)
    return ServiceGroup(configuration: configuration)
  }
}

/// The paths and other inputs of an agent.
public struct AgentOptions: Sendable {
  /// The configuration file. A missing file counts as empty.
  public var configuration: String
  /// The socket to bind, if none was passed.
  public var socket: String
  /// The state directory, which contains the vault.
  public var state: String
  /// The vault's key file, created at the first start.
  public var keyFile: String
  /// The key file that is not used because XDG_DATA_HOME names another directory; nil if there is none.
  public var otherKeyFile: String?
  /// The systemd credential that opens the vault; nil if the service manager passed none.
  public var credential: String?
  /// Descriptors that the service manager passed, with the names `agent` (or any other), `egress`
  /// and `credentials`.
  public var passedSockets: [PassedSocket]
  /// A command whose lifetime is that of the agent (`ritual-agentd … -- CMD`).
  public var command: ChildCommand?
  public var stop: AgentStop

  public init(
    configuration: String, socket: String, state: String, keyFile: String, otherKeyFile: String? = nil,
    credential: String? = nil, passedSockets: [PassedSocket] = [],
    command: ChildCommand? = nil, stop: AgentStop = AgentStop()
  ) {
    self.configuration = configuration
    self.socket = socket
    self.state = state
    self.keyFile = keyFile
    self.otherKeyFile = otherKeyFile
    self.credential = credential
    self.passedSockets = passedSockets
    self.command = command
    self.stop = stop
  }
}

/// Requests the stop of an agent, and ends the process if the stop takes too long.
/// Thread-safe.
///
/// Everything that waits during a stop has a deadline. The limit is for what has none: a disk that
/// does not answer, and programming errors. Stored sessions are durable by then, and the kernel
/// releases the vault's lock. The exit status is 0, or that of the command of `ritual-agentd --
/// CMD`.
public final class AgentStop: Service {
  /// Time until the process ends. The command of `ritual-agentd -- CMD` has 5 s, requests have 3 s,
  /// connections 2 s more, and closing takes about 2 s.
  private static let limit: DispatchTimeInterval = .seconds(13)
  /// Time until an entry in the journal, a second earlier and on another thread, because writing to
  /// the journal may be what hangs.
  private static let notice: DispatchTimeInterval = .seconds(12)

  private let requested = SettledValue<Void>()
  private let isArmed = Atomic(false)
  private let exitStatus = Mutex<@Sendable () -> Int32>({ 0 })

  public init() {}

  /// Requests the stop. An agent that does not serve yet stops as soon as it does. Further calls
  /// have no effect.
  public func request() {
    arm()
    requested.settle(())
  }

  /// - Parameter exitStatus: called when the limit is reached.
  func endWith(_ exitStatus: @escaping @Sendable () -> Int32) { self.exitStatus.withLock { $0 = exitStatus } }

  /// Returns when a stop is requested, which then stops the group, or when the group stops for
  /// another reason. As the last service of its group, this service is notified first.
  public func run() async throws {
    _ = await cancelWhenGracefulShutdown { [requested] in try? await requested.wait() }
    arm()
  }

  /// Starts the countdown on threads outside the cooperative pool, which may be what is stuck.
  private func arm() {
    guard !isArmed.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.notice) {
      Logger(label: "ritual-agent").error(
        "the agent did not stop in time; exiting now", metadata: JournalEvent.stalled.with(["part": "stop"]))
    }
    DispatchQueue(label: "stop-limit").asyncAfter(deadline: .now() + Self.limit) { [self] in
      _exit(exitStatus.withLock { $0 }())
    }
  }
}

/// The server, and all other services after it: a start waits for nothing that the first answer
/// does not need. Work after READY=1 (the first TLS connection, the buses, the audit log) then
/// takes no processor time from the work before it.
///
/// All services stop at the same moment, so that a stop takes as long as the slowest and not as all
/// together: answers that clients wait for come from refreshes, which have the same time to end.
struct AgentServices: Service, CustomStringConvertible {
  private let server: any Service
  private let serving: ServingGate
  private let others: [any Service]

  /// A service group logs the description of its services, which by default shows all of their
  /// content.
  var description: String { "the agent's services" }

  private let clock: any AgentClock
  private let whenServing: @Sendable () async -> Void
  private let whenOverdue: @Sendable () async -> Void

  /// How long a stop waits for requests in flight.
  static let grace: Duration = .seconds(3)

  /// - Parameters:
  ///   - serving: opened by `server` when it serves.
  ///   - whenServing: called then. Only when it returns do `others` begin.
  ///   - whenOverdue: called if a stop has not ended after `grace`. Ends what waits for a network.
  init(
    _ server: any Service, serving: ServingGate, others: [any Service], clock: any AgentClock,
    whenServing: @escaping @Sendable () async -> Void = {}, whenOverdue: @escaping @Sendable () async -> Void = {}
  ) {
    (self.server, self.serving, self.others) = (server, serving, others)
    (self.clock, self.whenServing, self.whenOverdue) = (clock, whenServing, whenOverdue)
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
        await whenServing()
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

/// Reports whether the server has begun to serve. Thread-safe.
struct ServingGate: Sendable {
  private let isServing = SettledValue<Bool>()

  /// Reports that the server serves.
  func open() { isServing.settle(true) }

  /// Reports that the server will not serve. Has no effect after `open`.
  func close() { isServing.settle(false) }

  /// Waits until the server serves. Returns false if it never will, or if the task is cancelled.
  func isOpened() async -> Bool { (try? await isServing.wait()) ?? false }
}
