import AgentConfiguration
import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The requests of flows, each sent for one flow at a time.
extension SignInService {
  func answer(to request: ServerRequest, _ ticket: SignInTicket, of id: String) async -> ServerAnswer {
    do throws(AgentError) {
      switch request {
      case .ssoURL(let domain, let target):
        return .url(
          try await sent(ticket) { server throws(AuthError) in
            try await server.ssoURL(domain: domain, redirect: target)
          })
      case .linkURL(let scopes, let target): return .url(try await linkURL(scopes, target, ticket))
      case .sendCode(let address, let createUser, let target):
        let added = try await send(to: address, createUser: createUser, target, ticket)
        return added.map { .finished(.success(SignInResult(.signedIn, account: $0))) } ?? .sent
      case .exchange(let code, let verifier, let adds):
        return await exchange(code, verifier, adds, try await claimed(ticket, for: id))
      case .verify(let proof, let address):
        let ticket = try await claimed(ticket, for: id)
        return .session(try await verified(proof, address, ticket), ticket)
      case .password(let params, let signUp):
        switch try await attempt(params, signUp: signUp, ticket) {
        case .session(let session): return .session(session, ticket)
        case .confirmationSent: return .confirmationSent
        }
      case .anonymous: return .session(try await anonymousSession(ticket), ticket)
      case .sendFactorCode(let params):
        _ = try await accounts.challengeFactor(params)
        return .sent
      case .verifyFactor(let params): return await verifyFactor(params, ticket.account)
      case .undo(let session, let identity):
        return .refused(await discard(session, linked: identity, ticket, within: nil))
      }
    } catch {
      return .refused(error)
    }
  }

  /// Makes the account of a waiting code flow busy for an exchange. Another flow's account is busy already.
  /// - Throws: `flowBusy`; the flow's own error if it ended meanwhile.
  private func claimed(_ idle: SignInTicket, for id: String) async throws(AgentError) -> SignInTicket {
    guard idle.isIdle else { return idle }
    let ticket = try await accounts.claim(idle)
    await deliver(.claimed(ticket), to: id)
    guard flows[id]?.ticket.id == ticket.id else {
      guard case .failure(let error)? = flows[id]?.result else { throw AgentError(.cancelled) }
      throw error
    }
    return ticket
  }

  private func linkURL(
    _ scopes: String?, _ target: PKCERedirect, _ ticket: SignInTicket
  ) async throws(AgentError) -> String {
    let provider = ticket.provider
    let url = try await BearerCalls(accounts: accounts).run(ticket.account) { server, token throws(AuthError) in
      try await server.linkURL(
        provider: provider, scopes: scopes, redirectTo: target.url, challenge: target.challenge, token)
    }
    await accounts.noteManualLinking(ticket.project, true)
    return url
  }

  /// Exchanges the code. After a lost response, the same code is sent once more, because the first
  /// request may never have arrived.
  private func exchange(
    _ code: String, _ verifier: String, _ adds: CodeAddress?, _ ticket: SignInTicket
  ) async -> ServerAnswer {
    var answer = await exchangeOnce(code, verifier, ticket, afterLostAnswer: false)
    if case .refused(_, .transient) = answer, !Task.isCancelled {
      answer = await exchangeOnce(code, verifier, ticket, afterLostAnswer: true)
    }
    // A mailed link that was opened too late for the exchange has confirmed the address and used up the code.
    if case .refused(_, .tooLate) = answer, let adds, let account = try? await refreshedStatus(ticket.account),
      adds.isAmong(email: account.user?.email, phone: nil) == true
    {
      return .finished(.success(SignInResult(.signedIn, account: account)))
    }
    return answer
  }

  private func exchangeOnce(
    _ code: String, _ verifier: String, _ ticket: SignInTicket, afterLostAnswer: Bool
  ) async -> ServerAnswer {
    do {
      let session = try await accounts.requests.result { () throws(AuthError) in
        try await ticket.project.server.exchange(code: code, verifier: verifier)
      }.get()
      return .session(session, ticket)
    } catch {
      note(error, ticket)
      return .refused(
        error.code == .badCodeVerifier || error.code == .validationFailed
          ? AgentError(.callbackInvalid, account: ticket.account) : AgentError.from(error, account: ticket.account),
        ServerAnswer.Refusal(error, afterLostAnswer: afterLostAnswer))
    }
  }
}

extension ServerAnswer.Refusal {
  /// Classifies the error of an exchange.
  /// - Parameter afterLostAnswer: true if the code was sent before and the response was lost. A
  ///   code that is unknown now was used up by that first attempt.
  init(_ error: AuthError, afterLostAnswer: Bool) {
    switch error.code {
    case .badCodeVerifier, .validationFailed: self = .wrong
    case .flowStateNotFound: self = afterLostAnswer ? .final : .wrong
    case .flowStateExpired: self = .tooLate
    case .network, .timeout, .tls, .proxyRefused, .unreadable, .serverUnavailable, .conflict, .rateLimited:
      self = .transient
    default: self = .final
    }
  }
}
