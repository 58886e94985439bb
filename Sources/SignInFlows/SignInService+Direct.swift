import AgentConfiguration
package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth
import SystemSupport

extension SignInService {
  /// Signs in with email and password.
  /// - Throws: `rateLimited` after too many attempts, `flowBusy`, `wrongUser`, and the
  ///   server's error.
  package func password(_ params: PasswordParams) async throws(AgentError) -> SignInResult {
    try await byPassword(params, signUp: false)
  }

  /// Signs up. If the project confirms by email, nothing is stored, and the result is the same for
  /// an email address that already has a user.
  package func signUp(_ params: PasswordParams) async throws(AgentError) -> SignInResult {
    try await byPassword(params, signUp: true)
  }

  private func byPassword(_ params: PasswordParams, signUp: Bool) async throws(AgentError) -> SignInResult {
    try Self.check(params)
    let ticket = try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: .email, replace: params.replace ?? false)
    return try await ending(ticket, .email) { () throws(AgentError) in
      switch try await attempt(params, signUp: signUp, ticket) {
      case .session(let session):
        return SignInResult(.signedIn, account: try await adoptWithoutFlow(session, ticket))
      case .confirmationSent: return SignInResult(.confirmationSent)
      }
    }
  }

  /// Makes one attempt for a sign-in in progress. A sign-up also counts as a message, because it causes one where the
  /// project confirms by email.
  func attempt(
    _ params: PasswordParams, signUp: Bool, _ ticket: SignInTicket
  ) async throws(AgentError) -> SignUpOutcome {
    try Self.check(params)
    if signUp { try await accounts.refuseSignUpOfAnotherUser(ticket) }
    let (attempt, outcome) = try await counted(
      signUp ? [.password, .message] : [.password], .email(params.email), ticket
    ) { server throws(AuthError) -> SignUpOutcome in
      let password = Password(params.password)
      if signUp { return try await server.signUp(email: params.email, password: password) }
      return .session(try await server.signIn(email: params.email, password: password))
    }
    switch outcome {
    case .session: accounts.attempts.guessed(attempt)
    case .confirmationSent: accounts.attempts.succeeded(attempt)
    }
    return outcome
  }

  /// Sends a request that counts as an attempt for an address. A request for an address that no account has may
  /// be delayed; a lock and the caller's cancellation end the delay.
  /// - Parameter tells: what an error means to the person, if it is more than the accounts explain.
  /// - Throws: `rateLimited`, and nothing was sent then; the server's error.
  func counted<Value: Sendable>(
    _ kinds: [AttemptLimits.Kind], _ address: CodeAddress, _ ticket: SignInTicket,
    tells: (AuthError, AgentError) -> AgentError = { $1 },
    _ send: @escaping @Sendable (any AuthServer) async throws(AuthError) -> Value
  ) async throws(AgentError) -> (AttemptLimits.Attempt, Value) {
    let isKnown = await accounts.hasAddress(of: ticket.project) { address.isAmong(email: $0, phone: $1) }
    let (limits, clock) = (accounts.attempts, clock)
    let attempt = try limits.begin(
      kinds, address: address.key, of: ticket.project, isKnown: isKnown,
      maxGuesses: settings().passwordAttemptsPerHour, account: ticket.account, now: clock.now)
    let result = await accounts.requests.result { () throws(AuthError) in
      do {
        if attempt.delay > .zero { try await clock.sleep(for: attempt.delay) }
      } catch {
        limits.withdraw(attempt)
        throw AuthError(.cancelled, "the request was cancelled")
      }
      do throws(AuthError) {
        return try await send(ticket.project.server)
      } catch {
        limits.failed(attempt, error)
        throw error
      }
    }
    do {
      return (attempt, try result.get())
    } catch {
      note(error, ticket)
      throw tells(error, await accounts.explained(error, ticket.account))
    }
  }

  private static func check(_ params: PasswordParams) throws(AgentError) {
    _ = try CodeAddress.email(checking: params.email)
    guard !params.password.isEmpty else { throw AgentError(.invalidParams, "The password is empty.") }
  }

  /// Signs in with the caller's identity token. A token for another nonce is never sent.
  package func idToken(_ params: SignInIDToken.Params) async throws(AgentError) -> AccountStatus {
    guard let provider = try FlowRequest.provider(params.provider),
      [.apple, .google].contains(provider) || provider.rawValue.hasPrefix("custom:")
    else {
      throw AgentError(
        .invalidParams, "Identity tokens are accepted only from Apple, Google and custom providers.",
        hint: "sign in through the browser instead: ritualctl sign-in PROVIDER")
    }
    guard let token = IdentityToken(params.idToken) else {
      throw AgentError(.callbackInvalid, hint: "this is not an identity token; paste the complete JWT")
    }
    try token.check(params.nonce, provider: provider)
    let told = try FirstTimeFacts(params, token)
    var ticket = try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: provider, replace: params.replace ?? false)
    ticket.appleFacts = told
    if settings().confirmsLinks { ticket.linkConsent = params.acceptLink == true ? .given : .needed }
    return try await ending(ticket, AuthMethod(provider)) { [ticket] () throws(AgentError) in
      try spend(params.nonce)
      let session = try await sent(ticket) { server throws(AuthError) in
        try await server.signIn(provider: provider, idToken: params.idToken, nonce: params.nonce)
      }
      return try await adoptWithoutFlow(session, ticket)
    }
  }

  /// Takes over a session by one refresh. The former holder must stop using the session:
  /// two holders of one refresh token revoke each other. The refresh is not cancelled with its
  /// caller, because its response may be the only copy of the new token; a lock cancels it.
  package func importSession(_ params: SignInImportSession.Params) async throws(AgentError) -> AccountStatus {
    let token = params.refreshToken
    guard (1...SignInLimits.maxTokenLength).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw AgentError(.invalidParams, "This is not a refresh token.") }
    let ticket = try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: .email, replace: params.replace ?? false)
    return try await finishing(ticket, .imported) { () throws(AgentError) in
      try await self.takeOver(RefreshToken(token), ticket)
    }
  }

  private func takeOver(_ token: RefreshToken, _ ticket: SignInTicket) async throws(AgentError) -> AccountStatus {
    switch await accounts.requests.run({ await ticket.project.server.refresh(token) }) {
    case .refreshed(let session):
      var ticket = ticket.with(session.user.latestMethod)
      ticket.isImported = true
      return try await adoptWithoutFlow(session, ticket)
    case .fatal(_, let error):
      note(error, ticket)
      throw AgentError(.signInNeeded, "This session has already ended.", account: ticket.account)
    case .transient(let error, let retryAfter):
      note(error, ticket)
      var told = await accounts.explained(error, ticket.account)
      told.data.retryAfter = retryAfter?.seconds ?? told.data.retryAfter
      throw told
    case .misconfigured(let error), .banned(let error), .refused(let error), .paused(let error):
      note(error, ticket)
      throw AgentError.from(error, account: ticket.account)
    }
  }

  /// Sends the request of a sign-in. An error is logged by its code, and explained.
  func sent<Value: Sendable>(
    _ ticket: SignInTicket, _ send: @escaping @Sendable (any AuthServer) async throws(AuthError) -> Value
  ) async throws(AgentError) -> Value {
    do {
      return try await accounts.requests.result { () throws(AuthError) in
        try await send(ticket.project.server)
      }.get()
    } catch {
      note(error, ticket)
      throw await accounts.explained(error, ticket.account)
    }
  }

  /// Runs `body`, counts it, and frees the account for the next sign-in, whatever the result.
  func ending<Value: Sendable>(
    _ ticket: SignInTicket, _ method: AuthMethod, _ body: () async throws(AgentError) -> Value
  ) async throws(AgentError) -> Value {
    let begun = clock.now
    countStart(method)
    do {
      let value = try await body()
      await accounts.endSignIn(ticket)
      countEnd(method, begun, value)
      note("sign-in completed", ticket)
      return value
    } catch {
      await accounts.endSignIn(ticket)
      report(.counted(.ended(method, error)))
      note("sign-in ended", ticket, error)
      throw error
    }
  }
}

extension SignInService {
  /// Creates an anonymous user and signs in. The request is sent once: each creates another user.
  /// - Throws: `invalidParams` if the account has a session, `wrongUser` if it belongs to a user, before anything is
  ///   sent; and the server's error.
  package func anonymous(_ params: SignInAnonymous.Params) async throws(AgentError) -> AccountStatus {
    try checkRunning()
    let ticket = try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: .anonymous, replace: false)
    return try await finishing(ticket) { () throws(AgentError) in
      try await self.adoptWithoutFlow(try await self.anonymousSession(ticket), ticket)
    }
  }

  func anonymousSession(_ ticket: SignInTicket) async throws(AgentError) -> Session {
    try await accounts.refuseAnonymous(ticket)
    return try await sent(ticket) { server throws(AuthError) in try await server.signInAnonymously() }
  }
}
