import AgentProtocol
import SupabaseAuth
import SystemSupport

extension Account {
  /// The account's `status`. `configuredOrigin` is the project's currently configured origin, nil
  /// if there is none.
  func status(
    configuredOrigin: String?, isDefault: Bool, isSigningIn: Bool, usable: TokenAnswer?, limits: SessionLimits,
    clock: any AgentClock
  ) -> AccountStatus {
    AccountStatus(
      name: name, isDefault: isDefault, project: project, origin: session?.origin ?? configuredOrigin,
      state: state(configuredOrigin: configuredOrigin),
      activity: activity(isSigningIn: isSigningIn), tokenUsable: usable != nil,
      user: shownUser, identities: session?.user.identities ?? [],
      expiresAt: usable?.expiresAt ?? tokenEnd(clock), refresh: refreshStatus(clock), ended: endedSession,
      assurance: assurance, session: life(limits))
  }

  /// When the session started, when it is expected to end, and why it ended or is not continued
  /// (SL-1, SL-2).
  private func life(_ limits: SessionLimits) -> SessionLife {
    switch phase {
    case .unauthenticated: SessionLife(endReason: .signedOut)
    case .later: SessionLife()
    case .ended(let end): SessionLife(endReason: end.kind ?? .unknown)
    case .authenticated(let session): life(of: newest ?? session, limits)
    }
  }

  private func life(of session: StoredSession, _ limits: SessionLimits) -> SessionLife {
    let end = session.startedAt.flatMap { limits.end(of: $0, needsSecondFactor: session.needsSecondFactor) }
    return SessionLife(
      startedAt: session.startedAt, endsAt: end?.at, isEstimate: end?.isEstimate == true ? true : nil,
      endReason: refusal == .newerSignIn ? .newerSignIn : nil)
  }

  /// The level of the newest token, and the level that the user can reach (MF-2).
  var assurance: AccountAssurance? {
    guard let session = newest else { return nil }
    let factors = session.user.factors ?? []
    return AccountAssurance(
      current: session.level,
      possible: factors.contains(where: \.isVerified) ? AccountAssurance.aal2 : AccountAssurance.aal1)
  }

  private func activity(isSigningIn: Bool) -> AccountActivity {
    if isSigningIn || verification != nil { return .authenticating }
    return flight == nil ? .none : .refreshing
  }

  /// The expiry of the access token; nil if the token's age is unknown.
  private func tokenEnd(_ clock: any AgentClock) -> Timestamp? {
    guard let session, let received = session.received.bootTime(on: clock) else { return nil }
    return clock.wallTime(of: received.advanced(by: .seconds(session.expiresIn)))
  }

  func state(configuredOrigin: String?) -> AccountState {
    switch phase {
    case .unauthenticated: .unauthenticated
    case .ended: .signInNeeded
    case .later: .formatTooNew
    case .authenticated where isCopied: .copied
    case .authenticated(let session) where session.origin != configuredOrigin: .misconfigured
    case .authenticated: isDegraded || unsaved != nil ? .degraded : .authenticated
    }
  }

  private var shownUser: AccountUser? {
    switch phase {
    case .unauthenticated, .later: nil
    case .authenticated(let session):
      AccountUser(
        id: session.user.id, email: session.user.email, name: session.user.name, provider: shownProvider(session),
        phone: session.user.phone, isAnonymous: session.user.isAnonymous)
    case .ended(let end):
      AccountUser(id: end.userID, email: end.email, name: nil, provider: nil, isAnonymous: end.isAnonymous)
    }
  }

  /// The method of the sign-in. A user who was anonymous then, and has a sign-in method since, is
  /// shown with that one.
  private func shownProvider(_ session: StoredSession) -> String {
    guard session.provider == Provider.anonymous.rawValue, session.user.isAnonymous != true else {
      return session.provider
    }
    let linked = session.user.identities.first?.provider
    return linked ?? (session.user.email == nil ? Provider.phone : .email).rawValue
  }

  private var endedSession: EndedSession? {
    guard case .ended(let end) = phase else { return nil }
    return EndedSession(at: end.at, reason: end.reason)
  }

  private func refreshStatus(_ clock: any AgentClock) -> RefreshStatus? {
    guard session != nil else { return nil }
    let next = flight == nil ? nextAttempt.map { clock.wallTime(of: $0) } : nil
    return RefreshStatus(
      nextAt: next, attempts: failures, lastError: lastError, clockSkew: clockSkew(clock).map(Int.init))
  }

  /// The server's clock minus this machine's, in seconds; nil if unknown. Only for what is shown: no
  /// decision depends on it.
  func clockSkew(_ clock: any AgentClock) -> Int64? {
    serverClock.map { $0.seconds + $0.at.duration(to: clock.now).components.seconds - clock.wall.unixSeconds }
  }
}
