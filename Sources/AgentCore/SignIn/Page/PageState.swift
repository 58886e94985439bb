import AgentProtocol

/// How a flow stands, as its page shows it. The choice of a way and the form are pages of their own.
enum PageState: Sendable {
  case choosing
  /// Another program waits for the browser to come back; there is nothing to do here. With the callback that was refused
  /// last, if there was one.
  case waiting(AgentError?)
  case working
  /// A person is asked elsewhere.
  case deciding
  /// A person is asked here, or elsewhere, whether a link is to stay (LK-2).
  case question(SignInDecision)
  case signedIn(account: String, who: String?)
  case confirmationSent
  case cancelled
  case expired
  case failed(AgentError)

  init(_ flow: Flow) {
    switch flow.outcome.settled {
    case .success(let result): self.init(result, flow)
    case .failure(let error): self.init(error)
    case nil: self.init(running: flow)
    }
  }

  private init(_ result: SignInResult, _ flow: Flow) {
    guard result.outcome != .confirmationSent else {
      self = .confirmationSent
      return
    }
    let user = result.account?.user
    self = .signedIn(account: result.account?.name ?? flow.ticket.account, who: user?.email ?? user?.name)
  }

  private init(_ error: AgentError) {
    switch error.kind {
    case .cancelled: self = .cancelled
    case .flowTimedOut: self = .expired
    default: self = .failed(error)
    }
  }

  private init(running flow: Flow) {
    switch flow.phase {
    case .exchanging, .adopting, .over: self = .working
    case .deciding(_, let decision): self = decision.kind == SignInDecision.link ? .question(decision) : .deciding
    case .waiting: self = flow.pagePath == nil ? .waiting(flow.lastRefusal) : .choosing
    }
  }
}
