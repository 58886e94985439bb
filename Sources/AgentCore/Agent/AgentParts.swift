import AccessControl
import AgentConfiguration
import AgentProtocol
import AgentServer
import CSystemd
import Egress
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SignInFlows
import SupabaseAuth
import SystemSupport

/// The parts of one running agent, and their connections.
struct AgentParts: Sendable {
  private let clock = SystemClock()
  private let vault: VaultAccess
  private let projects: Projects
  private let revocations: RevocationQueue
  private let accounts: Accounts
  private let settings: CurrentSettings
  private let signIn: SignInService
  private let profiles: ProfileService
  private let desktop: DesktopLock
  private let callers = CallerLookup()
  private let records: Records
  private let policy: Policy
  private let grants: Grants
  private let grantListener: GrantListener
  private let grantService: GrantService
  private let audit: Result<AuditLog, AgentError>
  private let pulse = RefreshPulse()
  private let diagnosis: Diagnosis
  /// The thread that reads the configuration file, whose file system may be slow or hang.
  private let fileReader = WorkThread("configuration")
  private let eventLoop: MultiThreadedEventLoopGroup
  /// The thread of the egress proxy and of the sign-in page, so that neither a download nor a port that
  /// every user can connect to delays a token.
  private let egressLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let egress: EgressServer
  private let options: AgentOptions
  private let logger: Logger
  private let started: BootTime
  private let program = StartedProgram()

  init(
    _ configuration: Configuration, vault: Result<AttachedVault, AgentError>, restartKey: RestartKey? = nil,
    eventLoop: MultiThreadedEventLoopGroup, sockets: AgentSockets? = nil, options: AgentOptions, logger: Logger
  ) {
    self.eventLoop = eventLoop
    self.options = options
    self.logger = logger
    started = clock.now
    let settings = CurrentSettings(configuration)
    self.settings = settings
    projects = Projects(configuration, makeServer: Self.client)
    let tokens = TokenSnapshot(clock: clock)
    let budgets = RequestBudgets()
    let records = Records(clock: clock, lookUp: callers)
    let audit = vault.map { [clock] in
      AuditLog(
        $0.places.state + "/audit", vault: $0.vault, store: $0.store, records: records, clock: clock, logger: logger,
        keepDays: { settings.current.audit.keepDays })
    }
    diagnosis = Diagnosis(
      projects: projects, settings: settings, configuration: options.configuration, fileReader: fileReader,
      audit: try? audit.get(),
      sockets: sockets.map {
        SocketChecks(
          servesEgress: $0.egress != nil, servesCredentials: $0.credentials != nil,
          descriptors: SocketLimits.descriptorLimit)
      }, tokens: tokens, clock: clock)
    let policy = Policy(configuration.policy, records: records, lookUp: callers, clock: clock, logger: logger)
    (self.records, self.audit, self.policy) = (records, audit, policy)
    let grants = Grants(policy: policy, records: records, clock: clock)
    self.grants = grants
    grantListener = GrantListener(directory: sockets == nil ? nil : AgentPaths.grants(nextTo: options.socket))
    tokens.onLock { grants.endAll(.locked) }
    revocations = RevocationQueue(
      store: try? vault.get().store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: logger)
    accounts = Accounts(
      vault: vault.map(\.store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: clock, logger: logger,
      report: {
        records.note($0)
        policy.note($0)
        grants.note($0)
      })
    grantService = GrantService(
      accounts: accounts, policy: policy, records: records, grants: grants, listener: grantListener)
    signIn = SignInService(
      accounts: accounts, projects: projects, settings: { settings.current.signIn }, clock: clock, logger: logger,
      eventLoopGroup: egressLoop, report: { records.note($0) })
    let refusedTokens = RefusedTokens()
    let egress = EgressServer(
      EgressAccess(
        accounts: accounts, projects: projects, tokens: tokens, policy: policy, records: records,
        refused: refusedTokens, clock: clock),
      on: sockets?.egress?.descriptor, eventLoop: egressLoop.next(),
      maxConnections: SocketLimits.egressConnections(
        EgressLimits.maxConnections, descriptors: SocketLimits.descriptorLimit), logger: logger)
    self.egress = egress
    egress.serve(grantListener, grants)
    profiles = ProfileService(
      accounts: accounts, request: OwnRequests(accounts: accounts, refused: refusedTokens).send)
    self.vault = VaultAccess(
      vault, accounts: accounts, revocations: revocations, clock: clock, logger: logger,
      idleTime: { settings.current.vault.idleTime }, records: records, restartKey: restartKey,
      staysUnlocked: { settings.current.vault.staysUnlockedAcrossRestart }, audit: try? audit.get(),
      endSignIns: { [signIn] in
        policy.forgetApprovals()
        await egress.lock()
        await signIn.endForLock()
      })
    desktop = DesktopLock(self.vault, isOn: { settings.current.vault.locksWithSession }, logger: logger)
  }

  /// Loads the sessions. Needs no network.
  func restore() async {
    records.record(.agentStarted, detail: "version \(AgentVersion.current)")
    grantListener.removeLeftovers()
    await vault.start(leavesPeople: true)
  }

  /// The services of an agent that is reached at `socket`, and, where it is given, at the socket of
  /// the credentials.
  func service(
    on socket: ListeningSocket, credentials: ListeningSocket? = nil
  ) -> some Service {
    let (notifier, serving, isStarted) = (Notifier(), ServingGate(), SettledValue<Void>())
    let server = SocketServer(
      socket, on: eventLoop.next(), methods: MethodTable(methods, after: isStarted), tokens: accounts.tokens,
      clock: clock,
      issuedTokens: records.issuedTokens, policy: policy, logger: logger,
      whenServing: {
        notifier.ready()
        serving.open()
        logger.info(
          "ready",
          metadata: JournalEvent.ready.with(["version": "\(AgentVersion.current)", "socket": "\(options.socket)"]))
      })
    let kernel = KernelWatch(clock: clock, logger: logger) { event in
      egress.networkChanged()
      projects.dropIdleConnections()
      await accounts.worldChanged(event)
      await revocations.tryAgain()
    }
    let login = LogindWatch(accounts: accounts, desktop: desktop, logger: logger) {
      // The same effect as the kernel's wake-up event, in case this event comes first.
      egress.networkChanged()
      projects.dropIdleConnections()
      await accounts.wokeUp()
      await revocations.tryAgain()
    }
    let credentialServer = credentials.map { [makeCredentialServer($0) as any Service] } ?? []
    let auditLog = (try? audit.get()).map { [$0 as any Service] } ?? []
    let others: [any Service] = [
      RefreshEngine(accounts: accounts, clock: clock, pulse: pulse, whenChecked: returnMemory), revocations, kernel,
      login,
      IdleLock(vault, clock: clock), CopyKeeper(vault: vault),
      ProfileReader(profiles: profiles, logger: logger),
      ApprovalPublisher(policy.changes, accounts: accounts), grants, egress,
    ]
    return AgentServices(
      server, serving: serving, others: others + credentialServer + auditLog + forManager(notifier), clock: clock,
      whenServing: {
        await vault.completeStart()
        isStarted.settle(())
      },
      whenOverdue: { await endRequests() })
  }

  /// Gives tokens to units. A unit that starts while the sessions are being restored waits for its
  /// answer in the socket's queue.
  private func makeCredentialServer(_ socket: ListeningSocket) -> CredentialServer {
    CredentialServer(
      socket, on: eventLoop.next(),
      agent: .init(
        unit: { [records] in records.issuedTokens.callers.caller(of: $0)?.unitName },
        accountName: { name throws(AgentError) in try await accounts.policyName(name) },
        token: { account throws(AgentError) in try await accounts.token(SessionToken.Params(account: account)) }),
      tokens: accounts.tokens, clock: clock, issuedTokens: records.issuedTokens, policy: policy, logger: logger)
  }

  /// The services that report to the service manager while the agent serves.
  private func forManager(_ notifier: Notifier) -> [any Service] {
    guard notifier.isManagerPresent else { return [] }
    let parts = [
      Watchdog.Part(name: "event loop") { try? await eventLoop.next().submit {}.get() },
      Watchdog.Part(name: "refresh loop") {
        let rounds = pulse.rounds
        accounts.wake.signal()
        await pulse.round(after: rounds)
      },
      Watchdog.Part(name: "vault") { await vault.respond() },
    ]
    return [
      StatusReport(
        accounts: accounts, vault: vault, pulse: pulse, clock: clock, isRefused: { settings.refusal != nil },
        tell: notifier.status),
      Watchdog(
        timeout: notifier.watchdogTimeout, parts: parts, clock: clock, logger: logger, feed: notifier.watchdog),
    ]
  }

  /// Returns memory of the start and of the checks, which glibc would keep, to the system. A second
  /// later, the last requests have freed theirs. malloc_trim(3) takes some milliseconds. Returns at
  /// once at a graceful shutdown.
  @Sendable private func returnMemory() async {
    let isRunning = await cancelWhenGracefulShutdown { [clock] in
      (try? await clock.sleep(for: .seconds(1))) != nil
    }
    if isRunning { malloc_trim(0) }
  }

  /// Ends what waits for a server. Called at the end of a stop's grace period.
  private func endRequests() async {
    accounts.requests.shutDown()
    revocations.requests.shutDown()
    await signIn.shutdown()
  }

  /// Closes what the services leave: flows, streams, connections, and the vault last.
  func close() async {
    Notifier().stopping()
    await signIn.shutdown()
    grants.close()
    await accounts.finish()
    await projects.shutdown()
    records.record(.agentStopped)
    await vault.close()
    await callers.close()
    try? await egressLoop.shutdownGracefully()
    // Not awaited, so that a hanging file system does not delay the stop.
    Task { [fileReader] in await fileReader.end() }
  }

  var methods: Services {
    Services(
      accounts: accounts, signIn: signIn, vault: vault, profiles: profiles,
      identities: IdentityService(accounts: accounts), audit: audit, records: records, policy: policy,
      grants: grantService,
      status: { await status() },
      reload: { try await reload($0) },
      diagnose: { try await diagnosis.result(vault) })
  }

  @Sendable static func client(_ endpoint: ProjectEndpoint) -> any AuthServer {
    SupabaseAuthClient(endpoint: endpoint, userAgent: "ritual-agent/\(AgentVersion.current)")
  }

  // MARK: - agent.status

  private func status() async -> AgentStatusMethod.Result {
    // One step for each actor: a switch to another thread costs more than all that it reads there.
    let (vault, ofVault) = await Self.read(vault) { ($0.summary(), $0.complaints()) }
    let (accounts, ofAccounts) = await Self.read(accounts) { ($0.list(), $0.clockComplaints() + $0.apiComplaints()) }
    let (unrevoked, ofRevocations) = await Self.read(revocations) { ($0.waiting, $0.complaints) }
    return AgentStatusMethod.Result(
      version: AgentVersion.current, uptime: Int(started.duration(to: clock.now).components.seconds), pid: getpid(),
      vault: vault, accounts: accounts, health: await ownComplaints() + ofVault + ofRevocations + ofAccounts,
      stateFolder: options.state, keyFile: options.keyFile, unrevoked: unrevoked,
      autostart: settings.current.agent.enablesService, programReplaced: await isProgramReplaced())
  }

  /// Nil if the disk does not answer, which must not delay the status.
  private func isProgramReplaced() async -> Bool? {
    if let known = program.isReplaced { return known }
    let found = SettledValue<Bool>()
    Task { [fileReader, program] in
      if let value = try? await fileReader.run({ program.isReplacedOnDisk() }) { found.settle(value) }
    }
    return try? await found.wait(until: clock.deadline(after: .seconds(1)))
  }

  private static func read<Part: Actor, Value: Sendable>(
    _ part: isolated Part, _ body: @Sendable (isolated Part) -> Value
  ) -> Value { body(part) }

  private func ownComplaints() async -> [String] {
    var found: [String] = []
    if projects.all.isEmpty { found.append(AgentStatusMethod.noProject) }
    found += projects.all.filter(\.hasLegacyKey).map(\.legacyKeyComplaint)
    found += settings.complaints
    found += (try? audit.get().complaints) ?? []
    return found + (await policy.complaints())
  }

  // MARK: - agent.reload

  private func reload(_ params: AgentReload.Params) async throws(AgentError) -> AgentReload.Result {
    if let file = params.file, await !isConfiguration(file) {
      return AgentReload.Result(
        projects: projects.all.map(\.name).sorted(),
        warning: "the running agent reads another file: \(ForeignText.shown(options.configuration, limit: 1000))",
        reloaded: false)
    }
    let notifier = Notifier()
    notifier.reloading()
    // The agent serves whatever the outcome: a manager that waits for READY=1 would consider it
    // hanging. The round that follows updates the status text.
    defer {
      notifier.ready()
      accounts.wake.signal()
    }
    let configuration = try await read()
    settings.replace(with: configuration)
    policy.replace(configuration.policy)
    for server in projects.apply(configuration) { await server.shutdown() }
    await accounts.configurationChanged()
    await grantService.configurationChanged()
    await vault.settingsChanged()
    await desktop.follow()
    logger.info("configuration reloaded", metadata: JournalEvent.reloaded.with())
    return AgentReload.Result(
      projects: projects.all.map(\.name).sorted(), warning: try await check(params.check), reloaded: true)
  }

  /// True if the path leads to the file that this agent reads.
  private func isConfiguration(_ path: String) async -> Bool {
    let own = options.configuration
    guard path != own else { return true }
    return (try? await fileReader.run { ProgramFile(path).map { $0 == ProgramFile(own) } ?? false }) ?? false
  }

  private func read() async throws(AgentError) -> Configuration {
    let path = options.configuration
    do {
      return try await fileReader.run { try Configuration.loadWithSecrets(path: path) }
    } catch {
      logger.error(
        "invalid configuration; previous settings stay in effect",
        metadata: JournalEvent.configurationRefused.with(["detail": "\(error)"]))
      settings.refuse("\(error)")
      throw AgentError(
        .misconfigured, ForeignText.shown("\(error)", limit: 1000), hint: "fix the file, then try again")
    }
  }

  /// Checks for `init` whether the project answers. Returns a warning or nil, within 5 s.
  private func check(_ name: String?) async throws(AgentError) -> String? {
    guard let name else { return nil }
    let project = try projects.choose(name)
    do {
      return try await withTimeout(.seconds(5), clock) { await complaint(about: project) }
    } catch {
      return "the project does not answer"
    }
  }

  private func complaint(about project: Project) async -> String? {
    do {
      _ = try await project.server.settings()
      return nil
    } catch {
      let known = AgentError.from(error)
      return known.data.hint.map { "\(known.message) \($0)" } ?? known.message
    }
  }
}
