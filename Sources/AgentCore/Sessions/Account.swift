import AgentProtocol

/// The state machine of one account (SE-1): pure, no I/O, no clock of its own. The `Accounts` actor owns all of them.
///
/// Invariants, kept by the functions that change it:
/// - `generation` grows with each change of the tokens; an answer counts only for the generation that it was asked for.
/// - While `unsaved` is there no refresh starts: one unpersisted rotation can be recovered, two cannot.
/// - A session ends only by `signedOut` or `end`.
struct Account: Sendable {
  enum Phase: Sendable {
    case unauthenticated
    case authenticated(StoredSession)
    case ended(StoredEnd)
  }

  /// A refresh that has been sent, or is about to be.
  struct Flight: Sendable, Equatable {
    let generation: UInt64
    let reason: RefreshReason
  }

  let name: String
  private(set) var project: String
  private(set) var phase: Phase
  private(set) var generation: UInt64 = 0
  private(set) var flight: Flight?
  /// An answer that could not be written yet; its refresh token is the only valid one.
  private(set) var unsaved: StoredSession?
  /// When the failed write is tried again, and how often it failed.
  private(set) var writeRetry: (at: BootTime, failures: Int)?
  private(set) var failures = 0
  private(set) var lastError: AgentError?
  /// When the refresher tries next by itself.
  private(set) var nextTry: BootTime?
  /// Before this not even a caller can cause a try: the server said so.
  private(set) var notBefore: BootTime?
  private(set) var lastTryEnded: BootTime?
  /// When the refresh ended that brought the present token; nil for a token of a sign-in or a restart.
  private(set) var lastRefresh: BootTime?
  private(set) var tries: [RefreshTry] = []
  /// The state that subscribers were told last.
  var announced: AccountState?

  /// Tries that `why` can show.
  private static let keptTries = 10

  init(_ stored: StoredAccount) {
    name = stored.name
    project = stored.project
    phase =
      if let session = stored.session {
        .authenticated(session)
      } else if let end = stored.ended {
        .ended(end)
      } else {
        .unauthenticated
      }
  }

  init(name: String, project: String) {
    self.init(StoredAccount(name: name, project: project))
  }

  /// The session that is durable, if there is one.
  var session: StoredSession? {
    guard case .authenticated(let session) = phase else { return nil }
    return session
  }

  /// The session with the newest refresh token, durable or not.
  var newest: StoredSession? { unsaved ?? session }

  /// Whose session this is, or was when the server ended it.
  var userID: String? {
    switch phase {
    case .authenticated(let session): session.user.id
    case .ended(let end): end.userID
    case .unauthenticated: nil
    }
  }

  /// What the vault is to hold for the present phase.
  var stored: StoredAccount {
    var stored = StoredAccount(name: name, project: project)
    switch phase {
    case .authenticated(let session): stored.session = session
    case .ended(let end): stored.ended = end
    case .unauthenticated: break
    }
    return stored
  }

  /// Until when the present token serves all who ask to force a refresh (TK-4).
  var freshUntil: BootTime? { lastRefresh?.advanced(by: RefreshPolicy.freshness) }

  var isDegraded: Bool { session != nil && failures >= RefreshPolicy.quickTries }
}

// MARK: - Signing in and out

extension Account {
  /// A new session is durable: it replaces whatever was.
  mutating func signedIn(_ session: StoredSession, project: String, now: BootTime, policy: RefreshPolicy) {
    self.project = project
    publishable(session, now: now, policy: policy)
  }

  /// The session was ended by the user.
  mutating func signedOut() {
    forgetSession()
    phase = .unauthenticated
  }

  /// The server ended the session by one of the fatal answers (TK-6).
  mutating func end(_ end: StoredEnd) {
    forgetSession()
    phase = .ended(end)
  }

  private mutating func forgetSession() {
    generation += 1
    flight = nil
    unsaved = nil
    writeRetry = nil
    nextTry = nil
    notBefore = nil
    lastRefresh = nil
    failures = 0
    lastError = nil
  }

  /// A session is durable and may be handed out from now on.
  private mutating func publishable(_ session: StoredSession, now: BootTime, policy: RefreshPolicy) {
    forgetSession()
    phase = .authenticated(session)
    schedule(from: now, life: .seconds(session.expiresIn), policy: policy)
  }

  private mutating func schedule(from received: BootTime, life: Duration, policy: RefreshPolicy) {
    nextTry = received.advanced(by: policy.refreshDelay(life: life))
  }
}

// MARK: - Refreshing

extension Account {
  /// After a start: the session is refreshed when its token comes to its end, or soon if it is dead already.
  mutating func restored(received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    guard let session else { return }
    let life = Duration.seconds(session.expiresIn)
    if let received, now < received.advanced(by: life) {
      schedule(from: received, life: life, policy: policy)
    } else {
      nextTry = now
    }
  }

  /// Whether a refresh may start now, whoever asks.
  func mayRefresh(now: BootTime) -> Bool {
    session != nil && flight == nil && unsaved == nil && now >= (notBefore ?? now)
  }

  /// A refresh is to be sent for the present generation.
  mutating func beginFlight(_ reason: RefreshReason) {
    flight = Flight(generation: generation, reason: reason)
    nextTry = nil
  }

  /// Whether an answer to a request of `generation` still counts.
  func isCurrent(_ generation: UInt64) -> Bool { session != nil && self.generation == generation }

  /// The answer came and is durable.
  mutating func refreshed(_ session: StoredSession, now: BootTime, policy: RefreshPolicy) {
    publishable(session, now: now, policy: policy)
    lastTryEnded = now
    lastRefresh = now
  }

  /// The answer came and could not be written: it is kept, and the write is tried again.
  mutating func refreshedUnsaved(_ session: StoredSession, error: AgentError, now: BootTime) {
    flight = nil
    lastTryEnded = now
    keepUnsaved(session, error: error, now: now)
  }

  /// The write failed (again).
  mutating func keepUnsaved(_ session: StoredSession, error: AgentError, now: BootTime) {
    let failures = (writeRetry?.failures ?? 0) + 1
    // Doubles from 1 s to 32 s: a disk that was full a moment ago is noticed soon, a broken one is left alone.
    let pause = RefreshPolicy.writePause * (1 << min(5, failures - 1))
    unsaved = session
    writeRetry = (now.advanced(by: pause), failures)
    lastError = error
  }

  /// The retry of a write is under way.
  mutating func beginWriteRetry() { writeRetry?.at = BootTime(nanoseconds: .max) }

  /// The try failed and the session stays; the next one is after `pause`, and where `enforced` nobody can have it earlier.
  mutating func refreshFailed(_ error: AgentError, pause: Duration, enforced: Bool, now: BootTime) {
    flight = nil
    failures += 1
    lastError = error
    lastTryEnded = now
    nextTry = now.advanced(by: pause)
    notBefore = enforced ? nextTry : nil
  }

  /// The answer does not count any more: another sign-in or a sign-out came first.
  mutating func flightSuperseded(_ generation: UInt64) {
    if flight?.generation == generation { flight = nil }
  }

  /// The configuration changed: what was hopeless may not be so now.
  mutating func tryNow(_ now: BootTime) {
    guard session != nil, flight == nil, failures > 0 else { return }
    nextTry = now
    notBefore = nil
  }

  mutating func note(_ entry: RefreshTry) {
    tries.insert(entry, at: 0)
    if tries.count > Self.keptTries { tries.removeLast() }
  }

  /// The user as the server has it now; the tokens are the same.
  mutating func userChanged(_ user: StoredUser) {
    guard case .authenticated(var session) = phase else { return }
    session.user = user
    phase = .authenticated(session)
  }
}
