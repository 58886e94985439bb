import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

extension Flow {
  var pageState: PageState {
    if let result { return end(result) }
    switch phase {
    case .deciding(_, let decision): return decision.kind == SignInDecision.link ? .question(decision) : .deciding
    case .requesting(let errand, _): return .requesting(title: errand.title)
    case .waiting(let dialog):
      if isFactorFlow { return .askingForFactor }
      if case .page = kind { return .choosing }
      return .waiting(dialog.lastRefusal, offers(ticket.provider) ? .of(ticket.provider) : nil)
    case .opening, .exchanging, .adopting, .undoing, .leaving, .over:
      return isFactorFlow ? .verifying(command: "ritualctl status --account \(ticket.account)") : .working
    }
  }

  /// True while a page would show progress.
  var isBusyOnPage: Bool {
    switch pageState {
    case .working, .verifying, .requesting: true
    default: false
    }
  }

  /// Returns what all pages of the flow show.
  func page(at now: BootTime) -> PageFlow {
    let host = ticket.project.endpoint.origin.split(separator: "/").last.map(String.init) ?? ""
    let rest = Int(now.duration(to: deadline).seconds.rounded(.up))
    // A verification that was sent has no time limit here, and cannot be left.
    let hasTimeLimit = !isOver && !isVerifyingFactor
    let purpose: PageFlow.Purpose = isFactorFlow ? .secondFactor : ticket.linksTo == nil ? .signIn : .link
    return PageFlow(
      host: host, account: ticket.isOnlyAccount ? nil : ticket.account, purpose: purpose,
      secondsLeft: hasTimeLimit ? max(rest, 0) : nil)
  }

  /// The command that starts the same flow again in a terminal. Names of accounts, projects and
  /// providers need no quoting in a shell.
  var command: String {
    if isFactorFlow { return "ritualctl mfa verify --account \(ticket.account)" }
    if ticket.linksTo != nil { return "ritualctl link \(ticket.provider.rawValue) --account \(ticket.account)" }
    // An existing account has its project. The only project of most configurations is "default".
    let project = ticket.isNewAccount && ticket.project.name != "default" ? " --project \(ticket.project.name)" : ""
    return "ritualctl sign-in\(methodArguments) --account \(ticket.account)\(project)"
  }

  /// The method as arguments of `ritualctl sign-in`; empty if a page asks for it.
  private var methodArguments: String {
    switch kind {
    case .sso(let domain): " sso --domain \(domain)"
    case .code where ticket.provider == .email: " code"
    case .page, .projectPage: ""
    case .provider, .link, .code, .factor: " " + ticket.provider.rawValue
    }
  }

  /// The sign-in method that the flow links, as shown to people; nil for a sign-in.
  var linkedMethod: String? {
    if case .factor(_, let linked) = kind { return linked }
    return ticket.linksTo == nil ? nil : ProviderName.shown(ticket.provider.rawValue)
  }

  private func end(_ result: FlowResult) -> PageState {
    switch result {
    case .success(let result) where result.outcome == .confirmationSent: .confirmationSent(command: command)
    case .success(let result): .signedIn(end(result))
    case .failure(let error) where error.kind == .cancelled:
      // A renamed account is verified by its new name.
      .cancelled(
        error.message == AgentError(.cancelled).message ? nil : error,
        command: isFactorFlow ? "ritualctl mfa verify --account \(error.data.account ?? ticket.account)" : command)
    case .failure(let error) where isFactorFlow:
      .notVerified(
        error, command: error.kind == .signInNeeded ? "ritualctl sign-in --account \(ticket.account)" : command)
    case .failure(let error) where error.kind == .flowTimedOut: .expired(command: command)
    case .failure(let error): .failed(error, command: command)
    }
  }

  /// Returns what the last page says about a session.
  private func end(_ result: SignInResult) -> PageState.SignedIn {
    let user = result.account?.user
    var end = PageState.SignedIn(who: user?.email ?? user?.name, linked: linkedMethod)
    if result.mfa?.needed == true {
      end.factor = .missing(command: "ritualctl mfa verify --account \(ticket.account)")
    } else if isFactorFlow {
      end.factor = .verified
    }
    return end
  }
}
