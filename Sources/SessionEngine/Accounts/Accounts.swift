package import AgentProtocol
package import Logging
package import SupabaseAuth
package import SystemSupport

/// All accounts: the one owner of their sessions (SE-1). Its functions change a state, hand the engine work, and tell
/// subscribers; none waits for the network while it holds anything.
///
/// What is durable changes only inside an account's write gate, so that the vault and the memory cannot cross.
package actor Accounts {
  package nonisolated let tokens: TokenSnapshot
  /// What the refresh engine is to do, in the order in which it was asked.
  nonisolated let work: AsyncStream<EngineWork>
  /// Wakes the engine's loop when a deadline came forward.
  package nonisolated let wake = WakeSignal()
  /// Requests with tokens of the sessions.
  package nonisolated let requests = CancellableRequests()
  /// Accounts whose profile is to be read.
  package nonisolated let profileRequests = ProfileRequests()

  package nonisolated let clock: any AgentClock
  let projects: Projects
  let policy: RefreshPolicy
  let revocations: RevocationQueue
  let budgets: RequestBudgets
  let logger: Logger
  /// Called synchronously with each fact. It must not block.
  nonisolated let report: @Sendable (EngineFact) -> Void

  private let vault: Result<SessionStore, AgentError>
  private let workContinuation: AsyncStream<EngineWork>.Continuation
  var accounts: [String: Account] = [:]
  var settings = StoredSettings()
  var events = EventLog()
  /// The callers that wait for a refresh, by account: all of them get its result (TK-3).
  nonisolated let waiters = WaiterList<Result<Void, AgentError>>()
  var signIns: [String: UInt64] = [:]
  /// Sessions whose sign-in failed at the disk, and which the vault may hold all the same.
  var doubtful: [String: [(Session, Project)]] = [:]
  var lastTicket: UInt64 = 0
  /// Whether the sessions are here; `Accounts+Lock` changes it.
  var door = SessionDoor.open
  /// How often the vault was locked.
  var locks: UInt64 = 0
  nonisolated let quietWaiters = WaiterList<Void>()
  /// Until when no refresh begins, for the machine is about to sleep; `Accounts+Sleep` changes it.
  var sleepHold: BootTime?
  nonisolated let landingWaiters = WaiterList<Void>()
  var home = VaultHome()
  /// What is known of the people behind the accounts; `Accounts+Person` changes it.
  var people: [String: StoredPerson] = [:]
  /// Accounts whose profile has to be read again.
  var staleProfiles: Set<String> = []
  /// Whether origins allow linking by hand, as far as answers have shown it.
  var manualLinking: [String: Bool] = [:]
  /// Held by the task that changes what is durable of an account. Never held over a network call.
  nonisolated let writeGate = AsyncGate()

  /// A vault that could not be opened is handed in as its error: every request about an account then answers that.
  package init(
    vault: Result<SessionStore, AgentError>, projects: Projects, tokens: TokenSnapshot, revocations: RevocationQueue,
    budgets: RequestBudgets, clock: any AgentClock, policy: RefreshPolicy = RefreshPolicy(), logger: Logger,
    report: @escaping @Sendable (EngineFact) -> Void = { _ in }
  ) {
    self.report = report
    self.vault = vault
    self.projects = projects
    self.revocations = revocations
    self.budgets = budgets
    self.clock = clock
    self.policy = policy
    self.logger = logger
    self.tokens = tokens
    (work, workContinuation) = AsyncStream.makeStream()
  }

  /// Reads every session from the vault (SE-3), at a start and after an unlock. Needs no network; what is due is left to the
  /// engine.
  ///
  /// - Parameter ended: refresh tokens of sessions that were being ended, beside those that still wait for it.
  package func restore(home: VaultHome = VaultHome(), ended: Set<String> = []) async throws(AgentError) {
    let (stored, settings) = try await vault.get().loadAll()
    let people = try await vault.get().loadPeople()
    let ended = await revocations.endedTokens.union(ended)
    var restored: [Account] = []
    for record in stored {
      var account = Account(record)
      // A crash between the two writes of a sign-out: it is completed.
      if let session = record.session, ended.contains(session.refreshToken) { account = await signedOut(account) }
      restored.append(account)
    }
    self.settings = settings
    self.home = home
    tokens.setDefault(settings.defaultAccount)
    door = .open
    accounts = [:]
    self.people = people
    for account in restored { takeIn(account) }
    await bindAPIOrigins()
    await rememberNames()
    wake.signal()
  }

  private func takeIn(_ restored: Account) {
    var account = restored
    let received = account.session?.received.bootTime(on: clock)
    if isCopied(account) {
      account.restoredCopied()
    } else {
      account.restored(received: received, now: clock.now, policy: policy)
    }
    accounts[account.name] = account
    if let session = account.session { publish(session, of: account.name, received: received) }
    accounts[account.name]?.announced = state(of: account)
    askServer(about: account)
    askForUnknownProfile(account.name)
  }

  private func signedOut(_ account: Account) async -> Account {
    var account = account
    account.signedOut()
    do {
      try await vault.get().save(account.stored)
    } catch {
      // The next start finds the same, and does the same.
      logger.error("a sign-out could not be completed in the vault", metadata: metadata(account.name, error))
    }
    return account
  }

  /// Ends the streams of all subscribers and the engine's work, at the agent's end.
  package func finish() {
    events.finish()
    profileRequests.finish()
    workContinuation.finish()
    waiters.shutDown()
    quietWaiters.shutDown()
    landingWaiters.shutDown()
    requests.shutDown()
  }

  // MARK: - What the others need

  /// - Throws: `vaultLocked` while the vault is locked, or why it cannot be opened.
  func store() throws(AgentError) -> SessionStore {
    if case .locked(_, let refusal) = door { throw refusal ?? AgentError(.vaultLocked) }
    return try vault.get()
  }

  func submit(_ item: EngineWork) { workContinuation.yield(item) }

  /// The account that a request means: the named one, else the default one.
  package func resolve(_ name: String?) throws(AgentError) -> Account {
    try requireOpen()
    if let name {
      guard let account = accounts[name] else {
        throw AgentError(
          .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
          hint: accounts.isEmpty ? "ritualctl sign-in" : nil)
      }
      return account
    }
    guard let name = settings.defaultAccount, let account = accounts[name] else {
      throw AgentError(.signInNeeded, "Nobody is signed in yet.")
    }
    return account
  }

  /// The project of a session, if the configuration still names the origin that issued it (SE-2).
  package func project(of account: Account) -> Project? {
    guard let project = projects.named(account.project) else { return nil }
    guard let session = account.session else { return project }
    return project.origin == session.origin ? project : nil
  }

  func state(of account: Account) -> AccountState {
    account.state(configuredOrigin: projects.named(account.project)?.origin)
  }

  func describe(_ account: Account) -> AccountStatus {
    var status = account.status(
      configuredOrigin: projects.named(account.project)?.origin, isDefault: account.name == settings.defaultAccount,
      isSigningIn: signIns[account.name] != nil,
      usable: tokens.answer(account: account.name, minTTL: nil, rejected: nil, now: clock.now), clock: clock)
    if account.session != nil { status.onboarding = person(of: account)?.onboarding }
    return status
  }

  /// Hands a durable session's token to the hot path; that of a session whose origin is not configured stays here.
  func publish(_ session: StoredSession, of name: String, received: BootTime?) {
    guard door.isOpen, let account = accounts[name], !account.isCopied, project(of: account) != nil, let received else {
      return tokens.publish(nil, for: name)
    }
    let life = session.life
    tokens.publish(
      TokenEntry(
        account: name, accessToken: session.accessToken, received: received, life: life,
        usualLife: RefreshPolicy.usualMinimumLife(of: life), freshUntil: account.freshUntil),
      for: name)
  }

  private func askServer(about account: Account) {
    let request = CheckRequest(account: account.name, project: account.project, generation: account.generation)
    if check(request) != nil { submit(.check(request)) }
  }

  /// The account that a request means.
  package func policyName(_ name: String?) throws(AgentError) -> String { try resolve(name).name }

  /// The account that a sign-in would be for, as `beginSignIn` chooses it.
  package func signInName(_ name: String?) throws(AgentError) -> String {
    try requireOpen()
    let name = name ?? settings.defaultAccount ?? AccountName.default
    guard AccountName.isValid(name) else { throw AgentError(.invalidParams, "This is no account name.") }
    return name
  }
}

/// What happened to sessions and accounts. It holds no e-mail address and no token.
///
/// Reported synchronously to a closure that only changes memory, so that the audit log and the counters miss no fact.
package enum EngineFact: Sendable {
  case signedIn(account: String, project: String, provider: Provider)
  case signedOut(account: String, scope: SignOutScope)
  /// The server ended the session; `reason` is in our own words.
  case sessionEnded(account: String, reason: String)
  /// The user accepted another origin of the API for the account's token.
  case apiAccepted(account: String, origin: String)
  case identity(LinkNotice)
  /// The user answered a decision of the kind `newAccount`, `link` …
  case decided(account: String, kind: String, accepted: Bool)
  case counted(TelemetryEvent)
  /// `outcome` is one of the words of `RefreshOutcome.summary`.
  case refreshEnded(outcome: String, error: ErrorKind?)
}

/// What the kernel tells that makes deadlines and failures worth another look.
package enum KernelEvent: String, Sendable, CaseIterable {
  /// The wall clock was set, or the machine woke from a suspend.
  case clock
  /// A route came or went.
  case network
}

/// Whether the accounts' sessions are in memory.
package enum SessionDoor: Sendable {
  case open
  /// A lock is under way: what was sent is completed, nothing begins, no token is issued.
  case closing
  /// They are not in memory. Requests get `refusal` if there is one, else `vaultLocked`.
  case locked(KnownAccounts, refusal: AgentError?)

  package var isOpen: Bool { if case .open = self { true } else { false } }
  package var isLocked: Bool { if case .locked = self { true } else { false } }
}
