import AgentConfiguration
package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// Has codes sent by email and text message.
extension SignInService {
  /// Has the project send a code, and starts a flow that ends with its verification, or when the mailed link is opened
  /// on this machine. A running flow of this kind for the same account ends.
  /// - Throws: `rateLimited` within the project's pause, and after five messages to the address in an hour;
  ///   `methodDisabled` for an unknown address, and the server's error.
  package func sendCode(_ params: SignInSendCode.Params) async throws(AgentError) -> SignInSendCode.Result {
    let address = try CodeAddress.only(email: params.email, phone: params.phone)
    let purpose = try CodePurpose.known(params.purpose)
    let locks = locks
    var ticket = try await idleTicket(params.account, params.project, address, purpose)
    ticket.replace = params.replace ?? false
    if params.reuse == true, let running = codeFlow(of: ticket, address, purpose), let code = running.code,
      !code.isSpent
    {
      if ticket.replace { await deliver(.allowedToReplace, to: running.id) }
      return SignInSendCode.Result(flow: running.id, resendAfter: code.resendAfter(clock.now))
    }
    try await accounts.refuseAnotherUser(ticket) { address.isAmong(email: $0, phone: $1) }
    // Its code would be refused as long as another sign-in runs.
    try await accounts.refuseWhileBusy(ticket.account)
    try refuseWhileSending(to: ticket.account)
    let (isMail, now) = (address.provider == .email, clock.now)
    // Only a mail has a link, for which the flow listens.
    let flow = try await begin(
      Flow(
        .code(createUser: params.createUser == true && purpose == .signIn), ticket,
        redirect: isMail ? Redirect(.loopback(port: 0)) : Redirect(.manual),
        code: PendingCode(address, purpose, resendAt: now.advanced(by: SignInLimits.resendPause)),
        waitTimeout: .seconds(settings().timeoutSeconds), asksSecondFactor: settings().asksForSecondFactor, now: now),
      locks)
    await endCodeFlows(of: ticket.account, except: flow.id)
    await endOldestCodeFlows()
    removeEndedFlows()
    // The address may have been added already.
    let account = try? flow.result?.get().account
    return SignInSendCode.Result(
      flow: flow.id, resendAfter: account == nil ? SignInLimits.resendPause.seconds : 0, account: account)
  }

  /// Checked before a port is opened, so that requests in flight cannot open any number of them.
  private func refuseWhileSending(to account: String) throws(AgentError) {
    try checkRunning()
    let sending = flows.values.filter { $0.isCodeFlow && $0.isOpening }
    guard !sending.contains(where: { $0.ticket.account == account }) else {
      throw AgentError(.flowBusy, "A code is being sent for this account.", hint: "try again", account: account)
    }
    guard sending.count < SignInLimits.maxCodeFlows else { throw AgentError(.tooMany, account: account) }
  }

  func idleTicket(
    _ account: String?, _ project: String?, _ address: CodeAddress, _ purpose: CodePurpose
  ) async throws(AgentError) -> SignInTicket {
    guard purpose == .link else {
      return try await accounts.idleTicket(account: account, project: project, provider: address.provider)
        .with(address.provider, isCode: true)
    }
    guard case .email = address else {
      throw AgentError(.invalidParams, "Only an email address can be added to a user.")
    }
    return try await accounts.addressTicket(account, project: project)
  }

  /// Returns the running flow of `sendCode` for this address, in the same account and project.
  func codeFlow(of ticket: SignInTicket, _ address: CodeAddress, _ purpose: CodePurpose) -> Flow? {
    flows.values.first { flow in
      flow.isCodeFlow && !flow.isOver && !flow.isOpening && flow.ticket.account == ticket.account
        && flow.ticket.project.name == ticket.project.name && flow.ticket.project.origin == ticket.project.origin
        && flow.code?.address == address && flow.code?.purpose == purpose
    }
  }

  /// Has a code sent.
  /// - Returns: the account, if the address was added to its user without a code.
  func send(
    to address: CodeAddress, createUser: Bool, _ target: PKCERedirect, _ ticket: SignInTicket
  ) async throws(AgentError) -> AccountStatus? {
    if ticket.linksTo != nil, case .email(let email) = address { return try await add(email, target, ticket) }
    if createUser { try await accounts.refuseSignUpOfAnotherUser(ticket) }
    // The server ignores a challenge with a phone number.
    let link = address.provider == .email ? target : nil
    // The server has one code for every member that it does not accept.
    let invalid = AgentError(
      .invalidParams, "The project does not accept this \(link == nil ? "phone number" : "email address").",
      account: ticket.account)
    let (attempt, _) = try await counted(
      [.message], address, ticket, tells: { $0.code == .validationFailed ? invalid : $1 }
    ) { server throws(AuthError) in try await server.sendCode(to: address, createUser: createUser, link: link) }
    accounts.attempts.succeeded(attempt)
    return nil
  }

  /// Adds an email address to the account's user. The account is busy meanwhile, so that no other user signs in.
  /// - Returns: the account, if the project accepts addresses without confirmation; else nil, and a code was sent.
  private func add(
    _ email: String, _ target: PKCERedirect, _ idle: SignInTicket
  ) async throws(AgentError) -> AccountStatus? {
    let ticket = try await accounts.claim(idle)
    do {
      let isAdded = try await update(email, target, ticket)
      await accounts.endSignIn(ticket)
      // The token still says what the user was before.
      return isAdded ? try await refreshedStatus(ticket.account) : nil
    } catch {
      await accounts.endSignIn(ticket)
      throw Self.addressRefused(error)
    }
  }

  /// - Returns: False if a code was sent.
  private func update(
    _ email: String, _ target: PKCERedirect, _ ticket: SignInTicket
  ) async throws(AgentError) -> Bool {
    let (changes, limits) = (UserChanges(email: email, link: target), accounts.attempts)
    // Without a usable token nothing is sent, and nothing counts.
    _ = try await accounts.token(SessionToken.Params(account: ticket.account))
    let attempt = try limits.begin(
      [.message], address: email, of: ticket.project, isKnown: true, account: ticket.account, now: clock.now)
    let calls = BearerCalls(accounts: accounts) { [accounts] error, target in
      limits.failed(attempt, error)
      return await accounts.explained(error, target.account)
    }
    let asked = clock.now
    let user = try await calls.run(ticket.account) { server, token throws(AuthError) in
      try await server.updateUser(token, changes)
    }
    guard user.id == ticket.linksTo else { throw AgentError(.wrongUser, account: ticket.account) }
    guard user.email.lowercased() == email else { return false }
    await accounts.seen(user, of: ticket.account, .byHand, asked: asked)
    return true
  }

  /// Returns the error for an address that the server did not accept: the request has no other value.
  private static func addressRefused(_ error: AgentError) -> AgentError {
    guard error.kind != .userExists else {
      return AgentError(
        .linkingConflict, hint: "to use that account, sign in under another account name with --account NAME",
        account: error.data.account)
    }
    var told = error
    if error.kind == .invalidParams { told.message = "This is not a valid email address." }
    return told
  }

  /// The address is added, whether or not the refresh succeeds.
  func refreshedStatus(_ account: String) async throws(AgentError) -> AccountStatus {
    do { return try await accounts.refresh(account) } catch { return try await accounts.status(account) }
  }

  /// Signs accounts out. A flow of theirs that waits for a code ends, so that a mail that is still on its way does not
  /// sign in again.
  package func signOut(_ params: SessionSignOut.Params) async throws(AgentError) -> SessionSignOut.Result {
    let result = try await accounts.signOut(params)
    guard params.scope != .others else { return result }
    for account in result.accounts { await endFlows(of: account, AgentError(.signInNeeded, account: account)) }
    return result
  }

  /// Gives an account another name. Its flows that wait for a code end, because they know it by the old name.
  package func rename(_ params: SessionRename.Params) async throws(AgentError) -> AccountStatus {
    let status = try await accounts.rename(params.account, to: params.name)
    await endFlows(
      of: params.account,
      AgentError(.cancelled, "The account was renamed to \(params.name).", account: params.name))
    return status
  }

  /// Removes an account, and ends its flows that wait for a code.
  package func remove(_ params: SessionRemove.Params) async throws(AgentError) -> SessionRemove.Result {
    let result = try await accounts.remove(params.account, discard: params.discard ?? false)
    await endFlows(
      of: params.account, AgentError(.signInNeeded, "The account was removed.", account: params.account))
    return result
  }

  /// Ends the account's flows that wait for a code of a sign-in, which stays valid at the server, or, for this reason,
  /// of a second factor.
  private func endFlows(of account: String, _ reason: AgentError) async {
    await endCodeFlows(of: account)
    await endFactorQuestions(of: account, .failure(reason))
  }

  private func endCodeFlows(of account: String, except kept: String? = nil) async {
    await end(.failure(AgentError(.cancelled, account: account))) { flow in
      flow.isCodeFlow && !flow.isOpening && flow.id != kept && flow.ticket.account == account
    }
  }

  private func endOldestCodeFlows() async {
    let running = flows.values.filter { $0.isCodeFlow && !$0.isOver && !$0.isOpening }
      .sorted { $0.startedAt < $1.startedAt }
    for flow in running.dropLast(SignInLimits.maxCodeFlows) {
      await deliver(.ended(.failure(AgentError(.cancelled, account: flow.ticket.account))), to: flow.id)
    }
  }
}

/// Verifies codes and mailed links. Each is sent once: a success uses it up, also if the response is
/// lost, and the server does not guard against parallel use.
extension SignInService {
  /// Signs in with a code, or with a link from a mail.
  /// - Throws: `codeInvalid` while the flow goes on; `wrongUser`, before anything is sent if the account is known to
  ///   belong to another address; `rateLimited` after too many attempts; and the server's error.
  package func verifyCode(_ params: SignInVerifyCode.Params) async throws(AgentError) -> AccountStatus {
    guard let id = params.flow else { return try await verifyByAddress(params) }
    guard params.email == nil, params.phone == nil else {
      throw AgentError(.invalidParams, "Name either a flow or an address.")
    }
    return try await verify(params, in: id)
  }

  private func verifyByAddress(_ params: SignInVerifyCode.Params) async throws(AgentError) -> AccountStatus {
    let address = try CodeAddress.only(email: params.email, phone: params.phone)
    let purpose = try CodePurpose.known(params.purpose)
    var idle = try await idleTicket(params.account, params.project, address, purpose)
    idle.replace = params.replace ?? false
    let proof = try CodeEntry.only(code: params.code, link: params.link, idle.project).proof(address, purpose)
    if let running = codeFlow(of: idle, address, purpose) { return try await verify(params, in: running.id) }
    guard !isShutDown else { throw AgentError(.notReady) }
    let ticket = try await accounts.claim(idle)
    return try await finishing(ticket) { () throws(AgentError) in
      let session = try await self.verified(proof, address, ticket)
      return try await self.adoptWithoutFlow(session, ticket)
    }
  }

  /// Runs a sign-in that a caller's disconnection does not interrupt, because a success cannot be repeated. A lock and
  /// the agent's end cancel it.
  func finishing(
    _ ticket: SignInTicket, _ method: AuthMethod? = nil,
    _ body: @escaping @Sendable () async throws(AgentError) -> AccountStatus
  ) async throws(AgentError) -> AccountStatus {
    let task = Task { () async -> Result<AccountStatus, AgentError> in
      do throws(AgentError) {
        return .success(
          try await ending(ticket, method ?? ticket.authMethod) { () throws(AgentError) in
            // The agent may have stopped before the task was registered.
            guard !isShutDown else { throw AgentError(.notReady) }
            return try await body()
          })
      } catch {
        return .failure(error)
      }
    }
    imports[ticket.id] = task
    let result = await task.value
    imports[ticket.id] = nil
    return try result.get()
  }

  private func verify(_ params: SignInVerifyCode.Params, in id: String) async throws(AgentError) -> AccountStatus {
    guard let flow = flows[id] else { throw AgentError(.flowUnknown) }
    let entry = try CodeEntry.only(code: params.code, link: params.link, flow.ticket.project)
    let result = await deliver(.code(entry, replace: params.replace), to: id, waits: true)
    guard let account = try result?.get().account else { throw AgentError(.flowUnknown) }
    return account
  }

  /// Makes one attempt for a sign-in in progress. A link counts for the address that is named with it, and which its user
  /// must have.
  /// - Throws: `wrongUser` if the session is not this address's; it is then revoked.
  func verified(
    _ proof: CodeProof, _ address: CodeAddress, _ ticket: SignInTicket
  ) async throws(AgentError) -> Session {
    try await accounts.refuseAnotherUser(ticket) { address.isAmong(email: $0, phone: $1) }
    let (attempt, session) = try await counted([.code], address, ticket, tells: Self.lost) { server throws(AuthError) in
      try await server.verify(proof)
    }
    guard let session else {
      accounts.attempts.guessed(attempt)
      throw AgentError(
        .serviceUnavailable, "The project wants another confirmation first.",
        hint: "open the link in the email to the other address", account: ticket.account)
    }
    if ticket.linksTo == nil, !address.belongs(to: session.user) {
      await accounts.discard(session, of: ticket.project)
      throw CodeAddress.another(ticket.account)
    }
    accounts.attempts.guessed(attempt)
    return session
  }

  /// Adds that a code may be used up if the response was lost.
  private static func lost(_ error: AuthError, _ told: AgentError) -> AgentError {
    guard [.network, .timeout, .unreadable].contains(error.code), told.data.hint == nil else { return told }
    var told = told
    told.data.hint = "the code may have been used up; if it is refused now, request another one"
    return told
  }
}
