package import AgentProtocol
import SupabaseAuth
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

/// The state machine of one account. Pure: no I/O, no clock of its own. The `Accounts` actor
/// owns all accounts.
///
/// Invariants:
/// - Each change that makes a response in flight obsolete draws a new `revision`: new tokens, another
///   user, the session's end, a restart. Facts about the user, factors and origins draw none, because a
///   refresh that is in flight must survive them.
/// - No refresh starts while `unsaved` is set: one unpersisted rotation can be recovered, two
///   cannot.
/// - A session ends only by `signedOut` or `end`.
/// - No refresh starts while a verification of a second factor runs, nor while its marker stands,
///   until `heldUntil`.
package struct Account: Sendable {
  enum Phase: Sendable {
    case unauthenticated
    // In memory of its own, because a dictionary of many accounts has room for twice as many.
    indirect case authenticated(StoredSession)
    case ended(StoredEnd)
    /// A later version of the agent wrote the account's record, which must not be changed.
    case later
  }

  /// A refresh that was sent or is about to be sent.
  struct Flight: Sendable, Equatable {
    let revision: Revision
    let reason: RefreshReason
  }

  package private(set) var name: String
  private(set) var project: String
  private(set) var phase: Phase
  private(set) var revision = Revision()
  /// When the current token was received; nil if that is unknown. Found once, because a later change of the wall clock
  /// tells nothing about it.
  private(set) var received: BootTime?
  private(set) var flight: Flight?
  /// A refreshed session that could not be stored yet. Its refresh token is the only valid one.
  @Rare private(set) var unsaved: StoredSession?
  /// True if `unsaved` is the answer to a verification.
  private(set) var isUnsavedVerified = false
  /// True if the newest response about the tokens arrived here: no rotation can have been lost. False
  /// after a start, because a crash may have lost a response.
  private(set) var isRotationKnown = false
  /// The verification of a second factor that the engine performs.
  private(set) var verification: RunningVerification?
  /// Until when a standing marker allows no refresh.
  private(set) var heldUntil: BootTime?
  /// Limits the verifications. Created on first use.
  @Rare private var verifications: TokenBucket?
  /// When the failed write is retried, and how often it has failed.
  private(set) var writeRetry: (at: BootTime, failures: Int)?
  private(set) var failures = 0
  /// The pause after the last failure.
  private(set) var pause: RetryPause?
  /// The current backoff step. Reduced when the network may have returned.
  private(set) var backoffStep = 0
  @Rare private(set) var lastError: AgentError?
  /// Why the project does not continue the session, if the last answer of the server says so.
  private(set) var refusal: SessionRefusal?
  /// True if the auth server refused the current access token; the next one replaces a refused token.
  private(set) var isTokenRefused = false
  /// True if the server said that the user does not exist; the next refresh ends the session.
  private(set) var isUserGone = false
  /// When the server last confirmed that a factor was added or removed here.
  @Rare private(set) var factorsChangedAt: BootTime?
  /// When a second factor was verified elsewhere, which probably ended the former session.
  @Rare private(set) var verifiedElsewhereAt: Timestamp?
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
  /// The refusal last reported to subscribers.
  var announcedRefusal: SessionRefusal?
  /// True while the account is being renamed. No refresh of it starts.
  var isBeingRenamed = false
  /// True if the user's profile has to be read again.
  var isProfileStale = false
  @Rare var phoneChallenge: PhoneChallenge?
  /// When subscribers were last told that a program needs a second factor.
  @Rare var secondFactorNoticeAt: BootTime?
  /// True if another machine also uses the session. Such a session is not refreshed, issued
  /// or ended.
  private(set) var isCopied = false

  /// Maximum number of attempts kept for `ritualctl why`.
  private static let maxAttempts = 10

  init(_ stored: StoredAccount) {
    name = stored.name
    project = stored.project
    phase =
      if let session = stored.session {
        .authenticated(session.withoutForeignMarker)
      } else if let end = stored.ended {
        .ended(end)
      } else {
        .unauthenticated
      }
  }

  init(name: String, project: String) {
    self.init(StoredAccount(name: name, project: project))
  }

  /// An account whose record a later version of the agent wrote.
  init(later name: String) {
    self.init(name: name, project: "")
    phase = .later
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
    case .unauthenticated, .later: nil
    }
  }

  /// The email address of this user, as far as it is known.
  var email: String? {
    switch phase {
    case .authenticated(let session): session.user.email
    case .ended(let end): end.email
    case .unauthenticated, .later: nil
    }
  }

  /// True if a later version of the agent wrote the account's record.
  var isLater: Bool { if case .later = phase { true } else { false } }

  /// True if the session is an anonymous user's, who is lost with it.
  var isAnonymous: Bool { newest?.user.isAnonymous == true }

  /// The vault record for the current phase, with the newest tokens.
  var stored: StoredAccount {
    var stored = StoredAccount(name: name, project: project)
    switch phase {
    case .authenticated(let session): stored.session = unsaved ?? session
    case .ended(let end): stored.ended = end
    case .unauthenticated, .later: break
    }
    return stored
  }

  /// Until when the current token also serves callers that force a refresh.
  var freshUntil: BootTime? { lastRefresh?.advanced(by: RefreshPolicy.freshness) }

  /// True if a refresh is overdue: the quick attempts failed, or retrying quickly would not help.
  var isDegraded: Bool { session != nil && (isInDoubt || pause.map { $0.kind != .quick } ?? false) }

  /// True if a quick retry is about to follow a failed attempt. Callers may wait for it.
  var isBetweenQuickAttempts: Bool { pause?.kind == .quick && nextAttempt != nil }
}

// MARK: - Signing in and out

extension Account {
  mutating func renamed(to name: String) { (self.name, isBeingRenamed) = (name, false) }

  /// Replaces the account's state with a new, durable session. `factors` are those of its user, whose
  /// times are ahead of this machine's clock by `skew` seconds.
  mutating func signedIn(
    _ session: StoredSession, factors: [Factor], skew: Int64, project: String, now: BootTime, policy: RefreshPolicy
  ) {
    self.project = project
    if case .ended(let end) = phase {
      verifiedElsewhereAt = end.secondFactorElsewhere(factors, skew: skew)
    } else {
      verifiedElsewhereAt = nil
    }
    publishable(session, received: session.received.boot, now: now, policy: policy)
  }

  mutating func signedOut() {
    forgetSession()
    phase = .unauthenticated
  }

  /// The server ended the session with a fatal error.
  mutating func end(_ end: StoredEnd) {
    forgetSession()
    phase = .ended(end)
  }

  private mutating func forgetSession() {
    revision = Revision()
    received = nil
    flight = nil
    unsaved = nil
    verification = nil
    heldUntil = nil
    writeRetry = nil
    nextAttempt = nil
    notBefore = nil
    lastRefresh = nil
    failures = 0
    pause = nil
    backoffStep = 0
    queuedReason = nil
    lastError = nil
    refusal = nil
    isTokenRefused = false
    isUserGone = false
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
    isRotationKnown = true
    self.received = received
    schedule(session, now: now, policy: policy)
  }

  private mutating func schedule(_ session: StoredSession, now: BootTime, policy: RefreshPolicy) {
    let life = session.life
    if let received, now < received.advanced(by: life) {
      nextAttempt = received.advanced(by: policy.refreshDelay(life: life))
    } else {
      nextAttempt = now
    }
    if session.isShortened == true, let received, let planned = nextAttempt {
      nextAttempt = max(planned, received.advanced(by: RefreshPolicy.shortenedSpacing))
    }
  }
}

// MARK: - Refreshing

extension Account {
  /// After a start: suspends another machine's session until it is adopted, and schedules the refresh of any other.
  ///
  /// - Parameter received: When the token was received, as far as the clocks tell now.
  mutating func restored(received: BootTime?, isCopied: Bool, now: BootTime, policy: RefreshPolicy) {
    (self.received, self.isCopied) = (received, isCopied)
    if !isCopied { resume(now: now, policy: policy) }
  }

  /// Makes the session this machine's own.
  mutating func adopted(now: BootTime, policy: RefreshPolicy) {
    guard case .authenticated(var session) = phase else { return }
    session.machine = nil
    phase = .authenticated(session)
    guard isCopied else { return }
    isCopied = false
    resume(now: now, policy: policy)
  }

  /// Schedules the refresh: ahead of the token's expiry, or now if the token has expired or its age is unknown.
  private mutating func resume(now: BootTime, policy: RefreshPolicy) {
    guard let session else { return }
    schedule(session, now: now, policy: policy)
    if marker != nil { verificationInDoubt(nil, until: session.lastChance(received: received) ?? now) }
  }

  /// Whether a refresh may start now, for any reason.
  func mayRefresh(now: BootTime) -> Bool {
    session != nil && !isCopied && flight == nil && unsaved == nil && verification == nil && !isHeld(now)
      && now >= (notBefore ?? now)
  }

  /// Requests a refresh as soon as the origin's budget allows. A reason for which a caller waits is
  /// not replaced.
  mutating func queueRefresh(_ reason: RefreshReason, now: BootTime) {
    if queuedReason?.isAwaited != true { queuedReason = reason }
    nextAttempt = min(nextAttempt ?? now, now)
  }

  mutating func beginFlight(_ reason: RefreshReason) {
    flight = Flight(revision: revision, reason: reason)
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

  /// Whether a response to a request of `revision` still applies.
  func isCurrent(_ revision: Revision) -> Bool { session != nil && self.revision == revision }

  /// Applies a response that is now durable. Its token's lifetime starts at `received`.
  mutating func refreshed(_ session: StoredSession, received: BootTime?, now: BootTime, policy: RefreshPolicy) {
    // If the write was delayed, the response arrived when its attempt ended.
    let answered = unsaved == nil ? now : lastAttemptEnded
    publishable(session, received: received, now: now, policy: policy)
    lastAttemptEnded = answered
    lastRefresh = answered
  }

  /// Keeps a response that could not be written. The write is retried.
  mutating func refreshedUnsaved(_ session: StoredSession, isVerified: Bool, error: AgentError, now: BootTime) {
    flight = nil
    verification = nil
    isUnsavedVerified = isVerified
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
    if failures == 0, !isInDoubt { lastError = nil }
  }

  /// When the failed write is retried. Nil while a retry is running.
  var nextWrite: BootTime? { writeRetry.flatMap { $0.at.nanoseconds == .max ? nil : $0.at } }

  mutating func beginWriteRetry() { writeRetry?.at = BootTime(nanoseconds: .max) }

  /// Applies a failed attempt that leaves the session in place. The next attempt follows after
  /// `pause`.
  mutating func refreshFailed(
    _ error: AgentError, pause: RetryPause, refusal: SessionRefusal? = nil, now: BootTime
  ) {
    flight = nil
    self.refusal = refusal
    isRotationKnown = false
    failures += 1
    backoffStep += 1
    self.pause = pause
    lastError = error
    lastAttemptEnded = now
    nextAttempt = now.advanced(by: pause.length)
    notBefore = pause.kind == .enforced ? nextAttempt : nil
  }

  /// Drops a response that no longer applies, because a sign-in or a sign-out came first.
  mutating func flightSuperseded(_ revision: Revision) {
    if flight?.revision == revision { flight = nil }
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

  /// The server said that the session's user does not exist.
  mutating func userMissing() { isUserGone = session != nil }

  /// The auth server refused the current access token, without a word about the session.
  ///
  /// - Returns: Whether a refresh may help. It does not if the token replaced a refused one: the server
  ///   refuses the tokens that it issues.
  mutating func tokenRefused() -> Bool {
    guard session?.replacesRefused != true else { return false }
    isTokenRefused = session != nil
    return true
  }

  /// The auth server accepted the current access token. If the change is not stored, a start assumes
  /// the contrary until the server accepts the token again.
  mutating func tokenAccepted() {
    isTokenRefused = false
    guard case .authenticated(var session) = phase, session.replacesRefused == true else { return }
    session.replacesRefused = nil
    phase = .authenticated(session)
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

  /// A factor was added or removed here. A list that was requested before may lack the change.
  mutating func factorsChanged(_ now: BootTime) { factorsChangedAt = now }

  /// The known user `old` as a response to a request that was sent at `asked` changes it.
  func updated(_ old: StoredUser, by user: User, asked: BootTime) -> StoredUser {
    var new = old.updated(by: user)
    if let changed = factorsChangedAt, asked < changed { new.factors = old.factors }
    return new
  }

  /// Updates the user from the server. The tokens are unchanged.
  mutating func userChanged(_ user: StoredUser) {
    guard case .authenticated(var session) = phase else { return }
    session.user = user
    phase = .authenticated(session)
    unsaved?.user = user
  }
}

// MARK: - Verifying a second factor

extension Account {
  /// The durable marker of a verification whose outcome is not stored.
  var marker: StoredVerification? { newest?.verification }

  /// True if a verification was sent and its outcome is unknown.
  var isInDoubt: Bool { marker != nil && verification?.isInDoubt ?? true }

  /// True while a standing marker allows no refresh.
  func isHeld(_ now: BootTime) -> Bool { marker != nil && now < heldUntil ?? now }

  /// Takes one of the verifications that are allowed in a minute.
  ///
  /// - Returns: Nil on success, else when the next one is available.
  mutating func takeVerification(now: BootTime) -> BootTime? {
    var bucket =
      verifications
      ?? TokenBucket(
        capacity: VerificationPolicy.burst, perSecond: 1 / VerificationPolicy.pause.seconds, now: now)
    defer { verifications = bucket }
    return bucket.take(now: now)
  }

  /// Whether a verification may be sent with the current access token, which lives for `remaining`: no
  /// rotation is in flight or of unknown outcome. While a marker stands, the token with which the
  /// first verification was sent is the right one until it ends, because nothing was refreshed since.
  func mayVerify(remaining: Duration, hasRefreshed: Bool, now: BootTime) -> Bool {
    guard session != nil, !isCopied, flight == nil, queuedReason == nil, unsaved == nil, verification == nil,
      remaining > .zero
    else { return false }
    if marker != nil { return true }
    return isRotationKnown && (hasRefreshed || remaining >= VerificationPolicy.minTokenLife)
  }

  /// Marks a verification as running: no refresh starts until it has ended.
  mutating func beginVerification(_ id: Revision) {
    verification = RunningVerification(id: id, isInDoubt: marker != nil)
  }

  func isVerifying(_ id: Revision) -> Bool { verification?.id == id }

  /// Sets the marker, which is durable. No refresh starts until `moment`, whatever happens, unless
  /// the marker is cleared.
  mutating func marked(_ marker: StoredVerification, until moment: BootTime) {
    setMarker(marker)
    heldUntil = moment
  }

  /// Clears the marker. The record has to be written.
  mutating func unmarked() {
    setMarker(nil)
    heldUntil = nil
    if failures == 0 { lastError = nil }
  }

  private mutating func setMarker(_ marker: StoredVerification?) {
    guard case .authenticated(var session) = phase else { return }
    session.verification = marker
    phase = .authenticated(session)
    if unsaved?.accessToken == session.accessToken { unsaved?.verification = marker }
  }

  /// The outcome of a verification that was sent is unknown. The running one, if any, goes on.
  mutating func verificationInDoubt(_ error: AgentError?, until moment: BootTime? = nil) {
    verification?.isInDoubt = true
    if let moment { heldUntil = moment }
    nextAttempt = heldUntil
    lastError = error ?? VerificationMessages.inDoubt(name)
  }

  /// Ends the running verification. A marker stays.
  mutating func endVerification() { verification = nil }
}

/// The user of a session, and the origin that issued it. A session with another owner gets nothing
/// that was permitted for this one. Its description shows neither.
package struct SessionOwner: Sendable, Hashable, Redacted {
  private let userID: String
  private let origin: String

  init(_ session: StoredSession) { (userID, origin) = (session.user.id, session.origin) }
}

extension Accounts {
  /// The owner of an account's session.
  ///
  /// - Throws: `signInNeeded` or `misconfigured` if no request can be sent with the session, and what
  ///   `session.status` throws.
  package func sessionOwner(_ name: String) throws(AgentError) -> SessionOwner {
    let target = try apiTarget(name)
    guard let session = accounts[target.account]?.newest else { throw AgentError(.signInNeeded, account: name) }
    return SessionOwner(session)
  }
}
