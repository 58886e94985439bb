import AgentProtocol
import SystemSupport

/// The state machine of one account (SE-1): pure, no I/O, no clock of its own. The `Accounts` actor owns all of them.
///
/// Invariants, kept by the functions that change it:
/// - `generation` grows with each change of the tokens; an answer counts only for the generation that it was asked for.
/// - While `unsaved` is there no refresh starts: one unpersisted rotation can be recovered, two cannot.
/// - A session ends only by `signedOut` or `end`.
package struct Account: Sendable {
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

  package let name: String
  private(set) var project: String
  private(set) var phase: Phase
  private(set) var generation: UInt64 = 0
  private(set) var flight: Flight?
  /// An answer that could not be written yet; its refresh token is the only valid one.
  private(set) var unsaved: StoredSession?
  /// When the failed write is tried again, and how often it failed.
  private(set) var writeRetry: (at: BootTime, failures: Int)?
  private(set) var failures = 0
  /// The pause that the last failure brought.
  private(set) var pause: RetryPause?
  /// How far the backoff has come; falls back where the network may have returned.
  private(set) var backoffStep = 0
  private(set) var lastError: AgentError?
  /// Why a refresh is to be sent that waits for its turn in the origin's budget.
  private(set) var wanted: RefreshReason?
  /// When the refresher tries next by itself.
  private(set) var nextTry: BootTime?
  /// Before this not even a caller can cause a try: the server said so.
  private(set) var notBefore: BootTime?
  private(set) var lastTryEnded: BootTime?
  /// When the refresh ended that brought the present token; nil for a token of a sign-in or a restart.
  private(set) var lastRefresh: BootTime?
  /// What callers may force while the token is good; made at the first time.
  private var forced: TokenBucket?
  /// What the server's clock showed when it last answered, in seconds since 1970; on our boot clock, so that setting our
  /// wall clock does not make it wrong.
  private(set) var serverClock: (seconds: Int64, at: BootTime)?
  private(set) var tries: [RefreshTry] = []
  /// The state that subscribers were told last.
  var announced: AccountState?
  /// The session belongs to another machine as well (VA-8): nothing is refreshed, handed out or ended.
  private(set) var isCopied = false

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

  /// A refresh is overdue: the quick tries failed, or the answer was one that they would not mend.
  var isDegraded: Bool { session != nil && pause.map { $0.kind != .quick } ?? false }

  /// Whether a failed try is about to be followed by another quick one, for which callers may wait.
  var isBetweenQuickTries: Bool { pause?.kind == .quick && nextTry != nil }
}

// MARK: - Signing in and out

extension Account {
  /// A new session is durable: it replaces whatever was.
  mutating func signedIn(_ session: StoredSession, project: String, now: BootTime, policy: RefreshPolicy) {
    self.project = project
    publishable(session, received: now, now: now, policy: policy)
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
    pause = nil
    backoffStep = 0
    wanted = nil
    lastError = nil
    isCopied = false
  }

  /// A session is durable and may be handed out from now on. `received` is when its token came, nil where that is too
  /// long ago to be known: the next refresh is due at the end of the token's life, or now where it is dead already.
  private mutating func publishable(
    _ session: StoredSession, received: BootTime?, now: BootTime, policy: RefreshPolicy
  ) {
    forgetSession()
    phase = .authenticated(session)
    schedule(session, received: received, now: now, policy: policy)
  }

  private mutating func schedule(
    _ session: StoredSession, received: BootTime?, now: BootTime, policy: RefreshPolicy
  ) {
    let life = session.life
    if let received, now < received.advanced(by: life) {
      nextTry = received.advanced(by: policy.refreshDelay(life: life))
    } else {
      nextTry = now
    }
  }
}

// MARK: - Refreshing

extension Account {
  /// After a start: the session is refreshed when its token comes to its end, or soon if it is dead already.
  mutating func restored(received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    guard let session else { return }
    schedule(session, received: received, now: now, policy: policy)
  }

  /// After a start with a vault of another machine: the session rests until it is adopted.
  mutating func restoredCopied() { isCopied = true }

  /// The session is this machine's from now on.
  mutating func adopted() {
    isCopied = false
    guard case .authenticated(var session) = phase else { return }
    session.machine = nil
    phase = .authenticated(session)
  }

  /// Whether a refresh may start now, whoever asks.
  func mayRefresh(now: BootTime) -> Bool {
    session != nil && !isCopied && flight == nil && unsaved == nil && now >= (notBefore ?? now)
  }

  /// A refresh is to be sent as soon as the origin's budget has room; who waits for it goes before who does not.
  mutating func want(_ reason: RefreshReason, now: BootTime) {
    if wanted?.isAwaited != true { wanted = reason }
    nextTry = min(nextTry ?? now, now)
  }

  /// A refresh is to be sent for the present generation.
  mutating func beginFlight(_ reason: RefreshReason) {
    flight = Flight(generation: generation, reason: reason)
    wanted = nil
    nextTry = nil
  }

  /// Takes one of the refreshes that callers may force while the token is good.
  ///
  /// - Returns: nil if there was one, else when there will be.
  mutating func takeForced(now: BootTime) -> BootTime? {
    var bucket =
      forced
      ?? TokenBucket(
        capacity: RefreshPolicy.forcedBurst, perSecond: 1 / RefreshPolicy.forcedPause.seconds, now: now)
    defer { forced = bucket }
    return bucket.take(now: now)
  }

  /// The server answered, and said what time it is.
  mutating func noteServerClock(_ seconds: Int64, now: BootTime) { serverClock = (seconds, now) }

  /// Whether an answer to a request of `generation` still counts.
  func isCurrent(_ generation: UInt64) -> Bool { session != nil && self.generation == generation }

  /// An answer is durable now. Its token lives from `received`.
  mutating func refreshed(_ session: StoredSession, received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    // What had to wait for the disk was answered when its try ended.
    let answered = unsaved == nil ? now : lastTryEnded
    publishable(session, received: received, now: now, policy: policy)
    lastTryEnded = answered
    lastRefresh = answered
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

  /// The vault holds the session as it is again; nothing else has changed.
  mutating func writtenBack() {
    unsaved = nil
    writeRetry = nil
    if failures == 0 { lastError = nil }
  }

  /// When a write that failed is tried again; nil while it is.
  var nextWrite: BootTime? { writeRetry.flatMap { $0.at.nanoseconds == .max ? nil : $0.at } }

  /// The retry of a write is under way.
  mutating func beginWriteRetry() { writeRetry?.at = BootTime(nanoseconds: .max) }

  /// The try failed and the session stays; the next one is after `pause`.
  mutating func refreshFailed(_ error: AgentError, pause: RetryPause, now: BootTime) {
    flight = nil
    failures += 1
    backoffStep += 1
    self.pause = pause
    lastError = error
    lastTryEnded = now
    nextTry = now.advanced(by: pause.length)
    notBefore = pause.kind == .enforced ? nextTry : nil
  }

  /// The answer does not count any more: another sign-in or a sign-out came first.
  mutating func flightSuperseded(_ generation: UInt64) {
    if flight?.generation == generation { flight = nil }
  }

  /// Something changed by which a failing refresh may be mended: the machine woke up, or the network is another one
  /// (`.network`), which helps only where it was not reached. What the server asked for is kept.
  mutating func worldChanged(_ event: KernelEvent, _ now: BootTime) {
    guard session != nil, flight == nil, failures > 0, notBefore.map({ $0 <= now }) ?? true else { return }
    if event == .network, lastError?.kind != .offline { return }
    tryAgain(from: max(now, lastTryEnded?.advanced(by: RefreshPolicy.changeSpacing) ?? now))
  }

  private mutating func tryAgain(from moment: BootTime) {
    nextTry = min(nextTry ?? moment, moment)
    // Whether it is mended shows in the next tries, not in a quarter of an hour.
    backoffStep = min(backoffStep, RefreshPolicy.quickTries - 1)
  }

  /// The configuration changed: even what the server asked for may not hold at another address.
  mutating func configurationChanged(_ now: BootTime) {
    guard session != nil, flight == nil, failures > 0 else { return }
    notBefore = nil
    tryAgain(from: now)
  }

  mutating func note(_ entry: RefreshTry) {
    tries.insert(entry, at: 0)
    if tries.count > Self.keptTries { tries.removeLast() }
  }

  /// The API's origin that the token may go to; the tokens are the same.
  mutating func apiOriginChanged(_ origin: String) {
    guard case .authenticated(var session) = phase else { return }
    session.apiOrigin = origin
    phase = .authenticated(session)
    unsaved?.apiOrigin = origin
  }

  /// The user as the server has it now; the tokens are the same.
  mutating func userChanged(_ user: StoredUser) {
    guard case .authenticated(var session) = phase else { return }
    session.user = user
    phase = .authenticated(session)
  }
}
