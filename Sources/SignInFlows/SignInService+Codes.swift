import AgentConfiguration
package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// Has codes sent by email and text message (WS-2, WS-4).
extension SignInService {
  /// Has the project send a code, and starts a flow that ends with its verification, or when the mailed link is opened
  /// on this machine. A running flow of this kind for the same account ends.
  /// - Throws: `rateLimited` within the project's pause, and after five messages to the address in an hour (SI-13);
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
      if ticket.replace { flows[running.id]?.ticket.replace = true }
      return SignInSendCode.Result(flow: running.id, resendAfter: code.resendAfter(clock.now))
    }
    if params.createUser == true, purpose == .signIn { try await accounts.refuseSignUpOfAnotherUser(ticket) }
    try await accounts.refuseAnotherUser(ticket) { address.isAmong(email: $0, phone: $1) }
    // Its code would be refused as long as another sign-in runs.
    try await accounts.refuseWhileBusy(ticket.account)
    try beginSending(for: ticket.account)
    defer { sending.remove(ticket.account) }
    let flow = try await codeFlow(address, purpose, ticket)
    do throws(AgentError) {
      let account = try await send(flow, address, createUser: params.createUser ?? false)
      // While the request ran, the vault may have been locked, or the agent stopped.
      guard locks == self.locks, !isShutDown else { throw AgentError(.vaultLocked, account: ticket.account) }
      return try await begin(flow, account)
    } catch {
      await flow.listener?.close()
      throw error
    }
  }

  /// Notes that a code is being sent for the account. Checked before a port is opened, so that requests in flight
  /// cannot open any number of them.
  private func beginSending(for account: String) throws(AgentError) {
    guard !isShutDown else { throw AgentError(.notReady) }
    guard !sending.contains(account) else {
      throw AgentError(.flowBusy, "A code is being sent for this account.", hint: "try again", account: account)
    }
    guard sending.count < SignInLimits.maxCodeFlows else { throw AgentError(.tooMany, account: account) }
    sending.insert(account)
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
      flow.isCodeFlow && !flow.isOver && flow.ticket.account == ticket.account
        && flow.ticket.project.name == ticket.project.name && flow.ticket.project.origin == ticket.project.origin
        && flow.code?.address == address && flow.code?.purpose == purpose
    }
  }

  /// Returns a flow that is not yet registered. Only a mail has a link, for which the flow listens.
  func codeFlow(
    _ address: CodeAddress, _ purpose: CodePurpose, _ ticket: SignInTicket
  ) async throws(AgentError) -> Flow {
    let id = RandomText.base64url(bytes: 16)
    let isMail = address.provider == .email
    // Without a listener, the code can be typed, or the address pasted that the link leads to.
    let listener = isMail ? try? await listener(for: id, .loopback(port: nil)) : nil
    let now = clock.now
    var flow = Flow(
      id: id, state: RandomText.base64url(bytes: SignInLimits.secretBytes),
      redirect: Redirect(listener.map { Redirect.Kind.loopback(port: $0.port) } ?? .manual), pagePath: nil,
      waitTimeout: .seconds(settings().timeoutSeconds), startedAt: now,
      deadline: now.advanced(by: isMail ? SignInLimits.mailLifetime : SignInLimits.textLifetime), listener: listener,
      pkce: .fresh(), ticket: ticket)
    flow.isCodeFlow = true
    flow.asksSecondFactor = settings().asksForSecondFactor
    flow.code = PendingCode(address, purpose, resendAt: now.advanced(by: SignInLimits.resendPause))
    return flow
  }

  /// Sends the request.
  /// - Returns: the account, if the address was added to the user without a code.
  func send(
    _ flow: Flow, _ address: CodeAddress, createUser: Bool
  ) async throws(AgentError) -> AccountStatus? {
    guard let target = flow.target else { throw AgentError(.flowUnknown) }
    if flow.ticket.linksTo != nil, case .email(let email) = address { return try await add(email, target, flow.ticket) }
    try await send(to: address, createUser: createUser, target, flow.ticket)
    return nil
  }

  func send(
    to address: CodeAddress, createUser: Bool, _ target: PKCERedirect, _ ticket: SignInTicket
  ) async throws(AgentError) {
    // The server ignores a challenge with a phone number.
    let link = address.provider == .email ? target : nil
    let (attempt, result) = try await counted([.message], address, ticket) { server throws(AuthError) in
      try await server.sendCode(to: address, createUser: createUser, link: link)
    }
    do {
      try result.get()
      accounts.attempts.succeeded(attempt)
    } catch {
      note(error, ticket)
      // The server has one code for every member that it does not accept.
      if error.code == .validationFailed {
        throw AgentError(
          .invalidParams, "The project does not accept this \(link == nil ? "phone number" : "email address").",
          account: ticket.account)
      }
      throw await accounts.explained(error, ticket.account)
    }
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

  /// Registers the flow in place of the account's former one, and ends it at once if the address is added already.
  private func begin(_ flow: Flow, _ account: AccountStatus?) async throws(AgentError) -> SignInSendCode.Result {
    register(flow)
    await endCodeFlows(of: flow.ticket.account, except: flow.id)
    await endOldestCodeFlows()
    removeEndedFlows()
    if let account { await end(flow.id, .success(SignInResult(.signedIn, account: account))) }
    return SignInSendCode.Result(
      flow: flow.id, resendAfter: account == nil ? SignInLimits.resendPause.seconds : 0, account: account)
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
    for flow in flows.values where flow.isCodeFlow && flow.id != kept && flow.ticket.account == account {
      await end(flow.id, .failure(AgentError(.cancelled, account: account)))
    }
  }

  private func endOldestCodeFlows() async {
    let running = flows.values.filter { $0.isCodeFlow && !$0.isOver }.sorted { $0.startedAt < $1.startedAt }
    for flow in running.dropLast(SignInLimits.maxCodeFlows) {
      await end(flow.id, .failure(AgentError(.cancelled, account: flow.ticket.account)))
    }
  }
}
