package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// The second factors of the accounts' users.
extension Accounts {
  // MARK: - Lists

  /// Returns the server's current list, or the last known list if the server cannot be reached.
  package func factors(_ name: String?) async throws(AgentError) -> MFAList.Result {
    let name = try apiTarget(name).account
    do {
      try await readFactors(of: name)
      return try listed(name, isCurrent: true)
    } catch {
      guard error.data.retryable, !refusesToken(name, error) else { throw error }
      return try listed(name, isCurrent: false)
    }
  }

  private func readFactors(of name: String) async throws(AgentError) {
    let asked = clock.now
    let user = try await BearerCalls(accounts: self).run(name) { server, token throws(AuthError) in
      try await server.user(token)
    }
    await seen(user, of: name, .elsewhere, asked: asked)
  }

  private func listed(_ name: String, isCurrent: Bool) throws(AgentError) -> MFAList.Result {
    let account = try resolve(name)
    guard let assurance = account.assurance else { throw signInNeeded(name) }
    return MFAList.Result(
      account: name, factors: account.factors, assurance: assurance,
      endsAccounts: lowerAccounts(than: name).map(\.name),
      isCurrent: isCurrent)
  }

  /// The other accounts of the same user whose sessions have no second factor: a verification ends them.
  func lowerAccounts(than name: String) -> [Account] {
    guard let session = accounts[name]?.session else { return [] }
    return accounts.values.filter { other in
      guard other.name != name, let its = other.session else { return false }
      return its.user.id == session.user.id && its.origin == session.origin && its.level == AccountAssurance.aal1
    }.sorted { $0.name < $1.name }
  }

  /// The need for a second factor of an account that has just signed in; nil without a session.
  package func secondFactorNeed(_ name: String) -> SecondFactorNeed? {
    guard let account = accounts[name], let assurance = account.assurance else { return nil }
    let needed = assurance.possible == AccountAssurance.aal2 && assurance.current != AccountAssurance.aal2
    let others = lowerAccounts(than: name).map(\.name)
    return SecondFactorNeed(
      needed: needed, factors: account.factors.filter(\.isVerified),
      endsAccounts: needed && !others.isEmpty ? others : nil,
      endsAt: account.lowAssuranceEnd(account.session.flatMap { settings.limits(of: $0.origin) }),
      verifiedElsewhereAt: account.verifiedElsewhereAt)
  }

  func secondFactorNeeded(_ name: String) -> AgentError {
    let verified = accounts[name]?.factors.filter(\.isVerified) ?? []
    guard !verified.contains(where: \.isSupported) else {
      return AgentError(.mfaNeeded, hint: VerificationMessages.command(name), account: name)
    }
    guard verified.isEmpty else {
      return AgentError(
        .mfaNeeded, "This needs the second factor, and the user has none that can be verified here.",
        hint: "in the project's own app, add an authenticator app or a phone", account: name)
    }
    return AgentError(
      .mfaNeeded, "This needs a second factor, and the user has none.",
      hint: "ritualctl mfa enroll totp --account \(name)", account: name)
  }

  /// The error for a request for which the server requires the second factor. The user has one, also if
  /// the list here is too old to contain it.
  private func secondFactorDemanded(_ name: String) -> AgentError {
    guard let account = accounts[name], !account.factors.contains(where: \.isVerified) else {
      return secondFactorNeeded(name)
    }
    askServer(about: account)
    return AgentError(.mfaNeeded, hint: VerificationMessages.command(name), account: name)
  }

  // MARK: - Choosing a factor

  /// The named factor, or the only one that fits, by default for a verification. A list that is too old is read again.
  func chooseFactor(
    _ id: String?, of name: String, _ fits: @Sendable (AccountFactor) -> Bool = { $0.isVerified && $0.isSupported }
  ) async throws(AgentError) -> (AccountFactor, userID: String) {
    do {
      return try known(id, of: name, fits)
    } catch {
      try await readFactors(of: name)
      return try known(id, of: name, fits)
    }
  }

  private func known(
    _ id: String?, of name: String, _ fits: @Sendable (AccountFactor) -> Bool
  ) throws(AgentError) -> (AccountFactor, userID: String) {
    let account = try resolve(name)
    try refuseUnlessSignedIn(account)
    guard let userID = account.userID else { throw gone(name) }
    if let id {
      guard let factor = account.factors.first(where: { $0.id == id }), factor.isSupported else {
        throw AgentError(
          .invalidParams, "The user has no such second factor, or it is of a type that cannot be used here.",
          hint: "ritualctl mfa list --account \(name)", account: name)
      }
      return (factor, userID)
    }
    let fitting = account.factors.filter(fits)
    if fitting.count == 1 { return (fitting[0], userID) }
    throw fitting.isEmpty ? Self.noFactor(name) : Self.ambiguous(fitting, name)
  }

  private static func noFactor(_ name: String) -> AgentError {
    AgentError(
      .invalidParams, "The user has no second factor that can be used here.",
      hint: "ritualctl mfa enroll totp --account \(name)", account: name)
  }

  private static func ambiguous(_ factors: [AccountFactor], _ name: String) -> AgentError {
    let list = factors.map { factor in
      let shown = factor.name.map { " (\(ForeignText.shown($0, limit: 40)))" } ?? ""
      return factor.id + shown
    }
    return AgentError(
      .invalidParams, "The user has several second factors: \(list.joined(separator: ", ")).",
      hint: "choose one with --factor ID", account: name)
  }

  // MARK: - Codes by phone

  /// Has the project send a code to a phone.
  /// - Throws: `rateLimited` after five messages to the user in an hour.
  package func challengeFactor(_ params: MFAChallenge.Params) async throws(AgentError) -> MFAChallenge.Result {
    let name = try apiTarget(params.account).account
    let (factor, _) = try await chooseFactor(params.factor, of: name) { $0.type == AccountFactor.phone }
    guard factor.type == AccountFactor.phone else {
      throw AgentError(.invalidParams, "Only a phone factor gets a code.", account: name)
    }
    // Without a usable token nothing is sent, and nothing counts.
    _ = try await token(SessionToken.Params(account: name))
    let (asked, project) = (clock.now, try apiTarget(name).project)
    guard let owner = try resolve(name).userID else { throw gone(name) }
    // Counted for the user: a phone can be removed and added again, as another factor.
    let attempt = try attempts.begin([.message], address: owner, of: project, isKnown: true, account: name, now: asked)
    let challenge: FactorChallenge = try await sendSecondFactor(name, attempt) { server, token throws(AuthError) in
      try await server.challenge(factor.id, isPhone: true, token)
    }
    guard let userID = try resolve(name).userID else { throw gone(name) }
    let ends = asked.advanced(by: VerificationPolicy.challengeLife)
    let sent = PhoneChallenge(id: challenge.id, factor: factor.id, userID: userID, ends: ends)
    update(name) { $0.phoneChallenge = sent }
    return MFAChallenge.Result(factor: factor.id, expiresAt: clock.wallTime(of: ends))
  }

  // MARK: - Adding and removing

  /// Adds a factor. The secret is in the result only.
  package func enrollFactor(_ params: MFAEnroll.Params) async throws(AgentError) -> MFAEnroll.Result {
    let request = try Self.request(params)
    let name = try apiTarget(params.account).account
    let userID = accounts[name]?.userID
    let enrolled = try await sendSecondFactor(name) { server, token throws(AuthError) in
      try await server.enroll(request, token)
    }
    let factor = AccountFactor(id: enrolled.id, type: params.type, name: params.name, status: "unverified")
    report(.factor(account: name, .enrolled, type: params.type))
    // A list that was requested meanwhile may contain the factor already.
    await changeFactors(of: name, userID) { factors in factors.filter { $0.id != factor.id } + [factor] }
    return MFAEnroll.Result(factor: enrolled.id, secret: enrolled.secret, uri: enrolled.uri)
  }

  private static func request(_ params: MFAEnroll.Params) throws(AgentError) -> FactorRequest {
    switch params.type {
    case AccountFactor.totp:
      guard params.phone == nil else { throw AgentError(.invalidParams, "`phone` is for a factor of type phone.") }
      return .totp(name: params.name)
    case AccountFactor.phone:
      guard let number = params.phone else { throw AgentError(.invalidParams, "The phone number is missing.") }
      return .phone(number, name: params.name)
    default: throw AgentError(.invalidParams, "The type of a second factor is totp or phone.")
    }
  }

  /// Removes a factor. The refresh that follows brings a token of the level that is left.
  package func removeFactor(_ params: MFARemove.Params) async throws(AgentError) {
    let name = try apiTarget(params.account).account
    let userID = accounts[name]?.userID
    try await sendSecondFactor(name) { server, token throws(AuthError) in
      try await server.removeFactor(params.factor, token)
    }
    let type = accounts[name]?.factors.first { $0.id == params.factor }?.type
    report(.factor(account: name, .removed, type: type))
    await changeFactors(of: name, userID) { factors in factors.filter { $0.id != params.factor } }
    // The factor is removed, whatever the refresh brings; the planned one follows. A refresh that was
    // in flight may have been answered before the removal.
    if accounts[name]?.flight != nil {
      try? await refreshNow(name, .forced, until: clock.now.advanced(by: RefreshPolicy.maxWait))
    }
    try? await refreshNow(name, .forced, until: clock.now.advanced(by: RefreshPolicy.maxWait))
  }

  private func changeFactors(
    of name: String, _ userID: String?, _ change: ([AccountFactor]) -> [AccountFactor]
  ) async {
    guard let userID else { return }
    await changeUser(of: name, userID) { _, known in
      update(name) { $0.factorsChanged(clock.now) }
      var user = known
      let factors = change(known.factors ?? [])
      user.factors = factors.isEmpty ? nil : factors
      return user
    }
  }

  private func sendSecondFactor<Value: Sendable>(
    _ name: String, _ attempt: AttemptLimits.Attempt? = nil, _ body: @escaping BearerCalls.Body<Value>
  ) async throws(AgentError) -> Value {
    try await BearerCalls(accounts: self) { error, target in
      if let attempt { self.attempts.failed(attempt, error) }
      return await self.secondFactorError(error, target.account)
    }.run(name, body)
  }

  /// The user's error for a refused request about second factors.
  func secondFactorError(_ error: AuthError, _ name: String) -> AgentError {
    switch error.serverCode {
    case "insufficient_aal": secondFactorDemanded(name)
    case "mfa_verification_rejected":
      AgentError(
        .denied, "The project refused the verification: “\(ForeignText.shown(error.serverMessage ?? ""))”",
        account: name)
    default: explained(error, name)
    }
  }

  // MARK: - Programs that need a second factor

  /// Whether subscribers are to be told that a program needs a second factor. True once in
  /// `VerificationPolicy.noticePause` for each account, until a verification.
  package func takeSecondFactorNotice(_ name: String) -> Bool {
    let now = clock.now
    let last = accounts[name]?.secondFactorNoticeAt
    if let last, last.duration(to: now) < VerificationPolicy.noticePause { return false }
    update(name) { $0.secondFactorNoticeAt = now }
    return true
  }

  /// Tells subscribers that a program needs a second factor.
  ///
  /// - Parameters:
  ///   - program: The program, escaped; nil if it is not known.
  ///   - reason: The program's own reason, which is foreign text.
  package func tellSecondFactorNeeded(_ name: String, program: String?, reason: String?) {
    guard let account = accounts[name] else { return }
    events.publish(
      .mfaNeeded, at: clock.wall, account: name, status: describe(account),
      reason: reason.map { ForeignText.shown($0, limit: Self.shownReason) }, program: program)
  }

  /// Characters of a program's reason: two lines of a notification.
  private static let shownReason = 120
}

extension Account {
  /// The known second factors of the session's user.
  var factors: [AccountFactor] { newest?.user.factors ?? [] }
}
