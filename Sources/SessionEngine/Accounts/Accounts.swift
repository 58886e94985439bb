package import AgentProtocol
package import Logging
import SupabaseAuth
package import SystemSupport

/// All accounts, and the only owner of their sessions. Functions change state, submit work
/// to the engine, and notify subscribers. None waits for the network while it holds a lock or the
/// write gate.
///
/// Durable state changes only inside an account's write gate, so that vault and memory stay
/// consistent.
package actor Accounts {
  package nonisolated let tokens: TokenSnapshot
  /// Work for the refresh engine, in order of submission.
  nonisolated let work: AsyncStream<EngineWork>
  /// Wakes the engine's loop when a deadline moves earlier.
  package nonisolated let wake = WakeSignal()
  /// Requests in flight that carry tokens of the sessions.
  package nonisolated let requests = CancellableRequests()
  package nonisolated let attempts = AttemptLimits()
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

  let vault: Result<SessionStore, AgentError>
  private let workContinuation: AsyncStream<EngineWork>.Continuation
  var table = AccountTable()
  var settings = StoredSettings()
  var events = EventLog()
  /// Callers waiting for a refresh, by account. All of them get its result.
  nonisolated let waiters = WaiterList<Result<Void, AgentError>>()
  /// The running sign-ins, renames and removals, by account.
  var signIns: [String: Revision] = [:]
  /// Changes that failed on the disk write, but which the vault may hold.
  var pendingUndos: [String: [PendingUndo]] = [:]
  /// Records that a write could not store as they are in memory. The next write of each makes up for
  /// it; a lock, a sleep and a stop do not wait for that.
  var unwritten: Set<UnwrittenRecord> = []
  /// True while records are written ahead of a sleep.
  var isWritingForSleep = false
  /// The lock state of the sessions. Changed by `restore` and `Accounts+Lock`.
  var lockState = SessionLockState.open
  /// Changed by each lock of the vault. A revision that is lower is from before the lock.
  var epoch = Revision()
  nonisolated let idleWaiters = WaiterList<Void>()
  /// Until when no refresh begins because the machine is about to sleep. Changed by
  /// `Accounts+Lock`.
  var sleepHold: BootTime?
  nonisolated let landingWaiters = WaiterList<Void>()
  var machine = VaultMachine()
  /// Facts about the accounts' users, by account.
  var people: [String: StoredPerson] = [:]
  /// Whether an origin allows manual linking, as far as responses have shown it.
  var manualLinking: [String: Bool] = [:]
  /// Callers that wait for the outcome of a verification, by its number.
  nonisolated let verificationWaiters = WaiterList<Result<AccountStatus, AgentError>>()
  /// Held by the task that changes an account's durable state. Never held over a network call.
  nonisolated let writeGate = AsyncGate()

  /// If the vault could not be opened, `vault` is the error, which every request about an account
  /// then returns.
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

  /// Ends all event streams and the engine's work at shutdown.
  package func finish() {
    events.finish()
    profileRequests.finish()
    workContinuation.finish()
    waiters.shutDown()
    idleWaiters.shutDown()
    landingWaiters.shutDown()
    verificationWaiters.shutDown()
    requests.shutDown()
  }

  // MARK: - Shared functions

  /// - Throws: `vaultLocked` while the vault is locked, or the reason why it cannot be opened.
  func store() throws(AgentError) -> SessionStore {
    if case .locked(_, let refusal) = lockState { throw refusal ?? AgentError(.vaultLocked) }
    return try vault.get()
  }

  func submit(_ item: EngineWork) { workContinuation.yield(item) }

  /// The account of a request: the named account, else the default account.
  package func resolve(_ name: String?) throws(AgentError) -> Account {
    try requireOpen()
    if let name {
      guard let account = accounts[name] else {
        throw AgentError(
          .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
          hint: accounts.isEmpty ? projects.all.isEmpty ? "ritualctl init" : "ritualctl sign-in" : nil)
      }
      return account
    }
    guard let name = settings.defaultAccount, let account = accounts[name] else {
      if accounts.isEmpty {
        let hint = projects.all.isEmpty ? "ritualctl init" : nil
        throw AgentError(.signInNeeded, "No account is signed in.", hint: hint)
      }
      throw AgentError(.unknownAccount, "There is no default account.", hint: "ritualctl use ACCOUNT")
    }
    return account
  }

  /// The error for an account that disappeared while a request waited: a lock forgot all accounts, or
  /// this one was renamed or removed.
  func gone(_ name: String) -> AgentError {
    AgentError(lockState.isOpen ? .unknownAccount : .vaultLocked, account: name)
  }

  /// The store, for the next of several writes.
  ///
  /// - Throws: `vaultLocked` if the vault was locked since `epoch`, also if it is open again: the
  ///   unlock has read what the writes had reached.
  func store(since epoch: Revision) throws(AgentError) -> SessionStore {
    guard epoch == self.epoch else { throw AgentError(.vaultLocked) }
    return try store()
  }

  /// The project of a session, if the configuration still names the origin that issued the session.
  package func project(of account: Account) -> Project? {
    guard let project = projects.named(account.project) else { return nil }
    guard let session = account.session else { return project }
    return project.origin == session.origin ? project : nil
  }

  func state(of account: Account) -> AccountState {
    account.state(configuredOrigin: projects.named(account.project)?.origin)
  }

  func describe(_ account: Account) -> AccountStatus {
    let project = projects.named(account.project)
    var status = account.status(
      configuredOrigin: project?.origin, isDefault: account.name == settings.defaultAccount,
      isSigningIn: signIns[account.name] != nil,
      usable: tokens.answer(account: account.name, minTTL: nil, rejected: nil, now: clock.now),
      limits: limits(for: account), clock: clock)
    status.projectURL = project?.endpoint.url
    if account.session != nil { status.onboarding = person(of: account)?.onboarding }
    return status
  }

  private func limits(for account: Account) -> SessionLimits {
    guard let origin = account.session?.origin else { return SessionLimits() }
    return SessionLimits(
      configured: project(of: account)?.sessionLimit, learned: settings.limits(of: origin))
  }

  /// Publishes a durable session's token to the hot path. Withdraws the token if the vault is
  /// locked, the session is copied, its origin is not configured, or the token's age is unknown.
  func publish(_ name: String) {
    guard lockState.isOpen, let account = accounts[name], let session = account.session, !account.isCopied,
      project(of: account) != nil, let received = account.received
    else {
      return tokens.publish(nil, for: name)
    }
    let life = session.life
    tokens.publish(
      TokenEntry(
        account: name, accessToken: session.accessToken, received: received, life: life,
        usualLife: RefreshPolicy.defaultMinLifetime(of: life), freshUntil: account.freshUntil,
        assurance: session.level,
        destination: TokenDestination(
          project: account.project, origin: session.origin, apiOrigin: session.apiOrigin),
        endpoints: try? endpoints(of: name)),
      for: name)
  }

  /// Checks in the background whether the server still knows the session.
  func askServer(about account: Account) {
    let request = CheckRequest(account: account.name, project: account.project, revision: account.revision)
    if check(request) != nil { submit(.check(request)) }
  }

  /// The name of the account that a request refers to.
  package func policyName(_ name: String?) throws(AgentError) -> String { try resolve(name).name }

  /// The name of the account that a sign-in is for, as chosen by `beginSignIn`.
  package func signInName(_ name: String?) throws(AgentError) -> String {
    try requireOpen()
    let name = name ?? settings.defaultAccount ?? AccountName.default
    // Accounts of an older version keep their names.
    guard AccountName.isValidForNew(name) || accounts[name] != nil else { throw AccountName.invalid }
    if accounts[name]?.isLater == true { throw later(name) }
    return name
  }
}

/// A record whose content in memory is newer than in the vault.
enum UnwrittenRecord: Hashable, Sendable {
  case account(String)
  case person(String)
  case settings
}

/// A fact about sessions and accounts. Contains no email address and no token.
///
/// Reported synchronously to a closure that only changes memory, so that the audit log and the
/// counters miss no fact.
package enum EngineFact: Sendable {
  /// `method` is the provider's name, `email`, `code`, `phone`, `sso` or `anonymous`.
  case signedIn(account: String, project: String, method: String)
  case signedOut(account: String, scope: SignOutScope)
  /// A session of another user, or of another origin, is about to replace the account's session.
  case ownerChanged(account: String)
  /// The server ended the session. `reason` is text of the agent.
  case sessionEnded(account: String, reason: String)
  /// The user accepted another API origin for the account's token.
  case apiAccepted(account: String, origin: String)
  case renamed(account: String, from: String)
  case removed(account: String)
  case identity(LinkNotice)
  /// `type` is the factor's type, such as `totp`; nil if the factor was not known.
  case factor(account: String, FactorChange, type: String?)
  /// The user answered a decision of the kind `newAccount`, `link` …
  case decided(account: String, kind: String, accepted: Bool)
  case counted(TelemetryEvent)
  /// `outcome` is a `word` of `RefreshOutcome.summary`.
  case refreshEnded(outcome: String, error: ErrorKind?)
}

/// What happened to a second factor.
package enum FactorChange: Sendable {
  case enrolled, verified, removed
}

/// A kernel event after which deadlines and failed refreshes are checked again.
package enum KernelEvent: String, Sendable, CaseIterable {
  /// The wall clock was set, or the machine woke from a suspend.
  case clock
  /// A route was added or removed.
  case network
}

package enum SessionLockState: Sendable {
  case open
  /// A lock is in progress: sent requests are completed, no new work begins, no token is issued.
  case closing
  /// The sessions are not in memory. Requests fail with `refusal` if it is set, else with
  /// `vaultLocked`.
  case locked(KnownAccounts, refusal: AgentError?)

  package var isOpen: Bool { if case .open = self { true } else { false } }
  package var isLocked: Bool { if case .locked = self { true } else { false } }
}
