import AgentProtocol
import SystemSupport

/// A value that most accounts do not have, in memory of its own.
@propertyWrapper
enum Rare<Value: Sendable>: Sendable {
  case none
  indirect case some(Value)

  init(wrappedValue: Value?) { self = wrappedValue.map { .some($0) } ?? .none }

  var wrappedValue: Value? {
    get { if case .some(let value) = self { value } else { nil } }
    set { self = Self(wrappedValue: newValue) }
  }
}

/// The state machine of one account (SE-1). Pure: no I/O, no clock of its own. The `Accounts` actor
/// owns all accounts.
///
/// Invariants:
/// - `generation` increases with each change of the tokens. A response applies only to the
///   generation for which it was requested.
/// - No refresh starts while `unsaved` is set: one unpersisted rotation can be recovered, two
///   cannot.
/// - A session ends only by `signedOut` or `end`.
package struct Account: Sendable {
  enum Phase: Sendable {
    case unauthenticated
    // In memory of its own, because a dictionary of many accounts has room for twice as many.
    indirect case authenticated(StoredSession)
    case ended(StoredEnd)
  }

  /// A refresh that was sent or is about to be sent.
  struct Flight: Sendable, Equatable {
    let generation: UInt64
    let reason: RefreshReason
  }

  package private(set) var name: String
  private(set) var project: String
  private(set) var phase: Phase
  private(set) var generation: UInt64 = 0
  private(set) var flight: Flight?
  /// A refreshed session that could not be stored yet. Its refresh token is the only valid one.
  @Rare private(set) var unsaved: StoredSession?
  /// When the failed write is retried, and how often it has failed.
  private(set) var writeRetry: (at: BootTime, failures: Int)?
  private(set) var failures = 0
  /// The pause after the last failure.
  private(set) var pause: RetryPause?
  /// The current backoff step. Reduced when the network may have returned.
  private(set) var backoffStep = 0
  @Rare private(set) var lastError: AgentError?
  /// The reason for a refresh that is queued for the origin's request budget.
  private(set) var queuedReason: RefreshReason?
  /// When the refresher makes its next attempt.
  private(set) var nextAttempt: BootTime?
  /// No attempt starts before this time, not even for a caller, because the server asked for the
  /// delay.
  private(set) var notBefore: BootTime?
  private(set) var lastAttemptEnded: BootTime?
  /// When the refresh that brought the current token ended. Nil for a token from a sign-in or a
  /// restart.
  private(set) var lastRefresh: BootTime?
  /// Limits the refreshes that callers force while the token is valid. Created on first use.
  @Rare private var forced: TokenBucket?
  /// The server's time in its last response, in seconds since 1970, and when it was read on the
  /// boot clock, so that setting the wall clock does not invalidate the value.
  private(set) var serverClock: (seconds: Int64, at: BootTime)?
  private(set) var attempts: [RefreshTry] = []
  /// The state last reported to subscribers.
  var announced: AccountState?
  /// True if another machine also uses the session (VA-8). Such a session is not refreshed, issued
  /// or ended.
  private(set) var isCopied = false

  /// Maximum number of attempts kept for `ritualctl why`.
  private static let maxAttempts = 10

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

  /// The durable session, if any.
  var session: StoredSession? {
    guard case .authenticated(let session) = phase else { return nil }
    return session
  }

  /// The session with the newest refresh token, durable or not.
  var newest: StoredSession? { unsaved ?? session }

  /// The user of the session, also after the server has ended it.
  var userID: String? {
    switch phase {
    case .authenticated(let session): session.user.id
    case .ended(let end): end.userID
    case .unauthenticated: nil
    }
  }

  /// The vault record for the current phase.
  var stored: StoredAccount {
    var stored = StoredAccount(name: name, project: project)
    switch phase {
    case .authenticated(let session): stored.session = session
    case .ended(let end): stored.ended = end
    case .unauthenticated: break
    }
    return stored
  }

  /// Until when the current token also serves callers that force a refresh (TK-4).
  var freshUntil: BootTime? { lastRefresh?.advanced(by: RefreshPolicy.freshness) }

  /// True if a refresh is overdue: the quick attempts failed, or retrying quickly would not help.
  var isDegraded: Bool { session != nil && pause.map { $0.kind != .quick } ?? false }

  /// True if a quick retry is about to follow a failed attempt. Callers may wait for it.
  var isBetweenQuickAttempts: Bool { pause?.kind == .quick && nextAttempt != nil }
}

// MARK: - Signing in and out

extension Account {
  mutating func renamed(to name: String) { self.name = name }

  /// Replaces the account's state with a new, durable session.
  mutating func signedIn(_ session: StoredSession, project: String, now: BootTime, policy: RefreshPolicy) {
    self.project = project
    publishable(session, received: now, now: now, policy: policy)
  }

  /// The user signed out.
  mutating func signedOut() {
    forgetSession()
    phase = .unauthenticated
  }

  /// The server ended the session with a fatal error (TK-6).
  mutating func end(_ end: StoredEnd) {
    forgetSession()
    phase = .ended(end)
  }

  private mutating func forgetSession() {
    generation += 1
    flight = nil
    unsaved = nil
    writeRetry = nil
    nextAttempt = nil
    notBefore = nil
    lastRefresh = nil
    failures = 0
    pause = nil
    backoffStep = 0
    queuedReason = nil
    lastError = nil
    isCopied = false
  }

  /// Makes a durable session current. `received` is when its token was received, nil if that is
  /// unknown. The next refresh is due ahead of the token's expiry, or now if the token has expired
  /// or its age is unknown.
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
      nextAttempt = received.advanced(by: policy.refreshDelay(life: life))
    } else {
      nextAttempt = now
    }
  }
}

// MARK: - Refreshing

extension Account {
  /// Schedules the refresh after a start: ahead of the token's expiry, or now if the token has
  /// expired or its age is unknown.
  mutating func restored(received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    guard let session else { return }
    schedule(session, received: received, now: now, policy: policy)
  }

  /// Suspends the session, after a start with another machine's vault, until the session is
  /// adopted.
  mutating func restoredCopied() { isCopied = true }

  /// Makes the session this machine's own.
  mutating func adopted() {
    isCopied = false
    guard case .authenticated(var session) = phase else { return }
    session.machine = nil
    phase = .authenticated(session)
  }

  /// Whether a refresh may start now, for any reason.
  func mayRefresh(now: BootTime) -> Bool {
    session != nil && !isCopied && flight == nil && unsaved == nil && now >= (notBefore ?? now)
  }

  /// Requests a refresh as soon as the origin's budget allows. A reason for which a caller waits is
  /// not replaced.
  mutating func queueRefresh(_ reason: RefreshReason, now: BootTime) {
    if queuedReason?.isAwaited != true { queuedReason = reason }
    nextAttempt = min(nextAttempt ?? now, now)
  }

  /// Marks a refresh of the current generation as in flight.
  mutating func beginFlight(_ reason: RefreshReason) {
    flight = Flight(generation: generation, reason: reason)
    queuedReason = nil
    nextAttempt = nil
  }

  /// Takes one of the refreshes that callers may force while the token is valid.
  ///
  /// - Returns: Nil on success, else when the next one is available.
  mutating func takeForced(now: BootTime) -> BootTime? {
    var bucket =
      forced
      ?? TokenBucket(
        capacity: RefreshPolicy.forcedBurst, perSecond: 1 / RefreshPolicy.forcedPause.seconds, now: now)
    defer { forced = bucket }
    return bucket.take(now: now)
  }

  /// Stores the server's time from a response.
  mutating func noteServerClock(_ seconds: Int64, now: BootTime) { serverClock = (seconds, now) }

  /// Whether a response to a request of `generation` still applies.
  func isCurrent(_ generation: UInt64) -> Bool { session != nil && self.generation == generation }

  /// Applies a response that is now durable. Its token's lifetime starts at `received`.
  mutating func refreshed(_ session: StoredSession, received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    // If the write was delayed, the response arrived when its attempt ended.
    let answered = unsaved == nil ? now : lastAttemptEnded
    publishable(session, received: received, now: now, policy: policy)
    lastAttemptEnded = answered
    lastRefresh = answered
  }

  /// Keeps a response that could not be written. The write is retried.
  mutating func refreshedUnsaved(_ session: StoredSession, error: AgentError, now: BootTime) {
    flight = nil
    lastAttemptEnded = now
    keepUnsaved(session, error: error, now: now)
  }

  /// Keeps the session after a failed write and schedules the next one.
  mutating func keepUnsaved(_ session: StoredSession, error: AgentError, now: BootTime) {
    let failures = (writeRetry?.failures ?? 0) + 1
    // Doubles from 1 s to 32 s: quick recovery from a briefly full disk, low load on a broken one.
    let pause = RefreshPolicy.writePause * (1 << min(5, failures - 1))
    unsaved = session
    writeRetry = (now.advanced(by: pause), failures)
    lastError = error
  }

  /// The vault holds the unchanged session again.
  mutating func writtenBack() {
    unsaved = nil
    writeRetry = nil
    if failures == 0 { lastError = nil }
  }

  /// When the failed write is retried. Nil while a retry is running.
  var nextWrite: BootTime? { writeRetry.flatMap { $0.at.nanoseconds == .max ? nil : $0.at } }

  /// Marks the write retry as running.
  mutating func beginWriteRetry() { writeRetry?.at = BootTime(nanoseconds: .max) }

  /// Applies a failed attempt that leaves the session in place. The next attempt follows after
  /// `pause`.
  mutating func refreshFailed(_ error: AgentError, pause: RetryPause, now: BootTime) {
    flight = nil
    failures += 1
    backoffStep += 1
    self.pause = pause
    lastError = error
    lastAttemptEnded = now
    nextAttempt = now.advanced(by: pause.length)
    notBefore = pause.kind == .enforced ? nextAttempt : nil
  }

  /// Drops a response that no longer applies, because a sign-in or a sign-out came first.
  mutating func flightSuperseded(_ generation: UInt64) {
    if flight?.generation == generation { flight = nil }
  }

  /// Retries a failing refresh after an event that may help: a wake-up, or a network change
  /// (`.network`), which helps only if the server was unreachable. A delay that the server asked
  /// for stays.
  mutating func worldChanged(_ event: KernelEvent, _ now: BootTime) {
    guard session != nil, flight == nil, failures > 0, notBefore.map({ $0 <= now }) ?? true else { return }
    if event == .network, lastError?.kind != .offline { return }
    tryAgain(from: max(now, lastAttemptEnded?.advanced(by: RefreshPolicy.changeSpacing) ?? now))
  }

  private mutating func tryAgain(from moment: BootTime) {
    nextAttempt = min(nextAttempt ?? moment, moment)
    // If this attempt fails, for example before the network is usable, the next one is early again.
    backoffStep = min(backoffStep, RefreshPolicy.maxQuickAttempts - 1)
  }

  /// Retries a failing refresh after a configuration change. The server's delay is dropped, since
  /// it may not apply to another URL.
  mutating func configurationChanged(_ now: BootTime) {
    guard session != nil, flight == nil, failures > 0 else { return }
    notBefore = nil
    tryAgain(from: now)
  }

  mutating func note(_ entry: RefreshTry) {
    attempts.insert(entry, at: 0)
    if attempts.count > Self.maxAttempts { attempts.removeLast() }
  }

  /// Sets the API origin to which the token may be sent. The tokens are unchanged.
  mutating func apiOriginChanged(_ origin: String) {
    guard case .authenticated(var session) = phase else { return }
    session.apiOrigin = origin
    phase = .authenticated(session)
    unsaved?.apiOrigin = origin
  }

  /// Updates the user from the server. The tokens are unchanged.
  mutating func userChanged(_ user: StoredUser) {
    guard case .authenticated(var session) = phase else { return }
    session.user = user
    phase = .authenticated(session)
  }
}
