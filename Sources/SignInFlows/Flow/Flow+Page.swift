import AgentProtocol
import SessionEngine
import SupabaseAuth

/// A flow as its page shows it.
extension Flow {
  var pageState: PageState {
    switch outcome.settled {
    case .success(let result): signedIn(result)
    case .failure(let error): Self.failed(error)
    case nil: running
    }
  }

  /// The ways to sign in. `settings` is nil where the project cannot be asked: then all are offered, and the server says no by
  /// itself.
  func choicePage(_ settings: ProjectSettings?) -> ChoicePage {
    let isOn = { (provider: Provider) in settings?.isOn(provider) ?? true }
    return ChoicePage(
      providers: [Provider.apple, .google].filter(isOn).compactMap(ProviderButton.of), offersEmail: isOn(.email),
      project: ticket.project.name, origin: ticket.project.endpoint.origin, account: ticket.account,
      refusal: lastRefusal)
  }

  private func signedIn(_ result: SignInResult) -> PageState {
    guard result.outcome != .confirmationSent else { return .confirmationSent }
    let user = result.account?.user
    return .signedIn(account: result.account?.name ?? ticket.account, who: user?.email ?? user?.name)
  }

  private static func failed(_ error: AgentError) -> PageState {
    switch error.kind {
    case .cancelled: .cancelled
    case .flowTimedOut: .expired
    default: .failed(error)
    }
  }

  private var running: PageState {
    switch phase {
    case .exchanging, .adopting, .over: .working
    case .deciding(_, let decision): decision.kind == SignInDecision.link ? .question(decision) : .deciding
    case .waiting: pagePath == nil ? .waiting(lastRefusal) : .choosing
    }
  }
}
