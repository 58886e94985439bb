import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// What happens to a flow.
enum FlowEvent: Sendable {
  /// The listener has this port; nil for a flow without one.
  case opened(port: Int?)
  /// A callback with the flow's own state, at its own URL. `canAsk` is false if its sender cannot ask a person.
  case callback(CallbackAnswer, CallbackSource, confirmsLinks: Bool, canAsk: Bool)
  /// A callback that is aimed at the flow but does not belong to it.
  case misdirected(AgentError)
  /// A code or a mailed link from a program. `replace` is nil as at the start of the flow.
  case code(CodeEntry, replace: Bool?)
  /// A program that sends the same code again allows to replace the user.
  case allowedToReplace
  case launched
  /// A browser has come back with the flow's own state.
  case returned
  /// A browser outside of this system has reached the port, which does not serve it; or a caller was told so.
  case outsideVisit(Flow.OutsideVisit)
  /// The page shows this form, or the choice of methods (`home`).
  case shown(PagePath)
  /// The values of a form, in order.
  case form(PagePath, [String])
  /// A form of the page for a second factor: the factor, if it is usable, and the code.
  case factor(PagePath, AccountFactor?, code: String)
  case chose(Provider)
  /// The browser leaves for the organization's identity provider.
  case left
  case settings(ProjectSettings)
  case decided(accept: Bool)
  /// The account of a code flow is busy with it.
  case claimed(SignInTicket)
  case answered(ServerAnswer)
  /// The session is stored, refused, or needs an answer; `next` is the ID for the flow that asks for a second factor.
  case adopted(Session, Result<Adoption, AgentError>, next: String)
  /// A cancellation, a take-over, or what makes the flow superfluous.
  case ended(FlowResult)
  case deadline
  case lock
  case shutdown

  /// True for an event that comes too late after the flow's deadline.
  var isOutside: Bool {
    switch self {
    case .claimed, .answered, .adopted, .ended, .deadline, .lock, .shutdown, .settings, .outsideVisit: false
    default: true
    }
  }
}

/// What a flow wants from its surroundings.
enum FlowEffect: Sendable {
  /// Sends a request; its answer is an event. The sender of the event waits for the result.
  case request(ServerRequest, SignInTicket)
  case cancelRequest
  case adopt(Session, SignInTicket)
  /// Ends a session that is not stored, and undoes the link of this identity, or of the one that the sign-in merged.
  case discard(Session, SignInTicket, linked: Identity? = nil)
  case free(SignInTicket)
  /// The result for the sender of the event.
  case tell(FlowResult)
  /// The sender gets the result of the request in flight; with `again`, its event follows if that is no success.
  case join(again: Bool)
  /// The sender gets the flow's result.
  case follow
  /// What the browser gets that sent the event.
  case show(LoopbackAnswer)
  /// The listener and the browser go on with another flow.
  case handOver(to: Flow)
  /// The flow is to end with the account's session as it is.
  case postpone
  /// The flow is over. `wasOpen` is false if it never began to wait.
  case end(FlowResult, SignInTicket, wasOpen: Bool)
  case report(EngineFact)
  case noteRefusal(AgentError)
}

/// A request to the auth server, or to the accounts, on behalf of a flow.
enum ServerRequest: Sendable {
  case ssoURL(domain: String, PKCERedirect)
  case linkURL(scopes: String?, PKCERedirect)
  case sendCode(CodeAddress, createUser: Bool, PKCERedirect)
  /// `adds` is the address that a mailed link confirms, for an address that is added to a user.
  case exchange(code: String, verifier: String, adds: CodeAddress?)
  case verify(CodeProof, CodeAddress)
  case password(PasswordParams, signUp: Bool)
  case anonymous
  case sendFactorCode(MFAChallenge.Params)
  case verifyFactor(MFAVerify.Params)
  case undo(Session, Identity?)
}

enum ServerAnswer: Sendable {
  case url(String)
  case sent
  /// The ticket says what the session is for, by the method that was used.
  case session(Session, SignInTicket)
  case confirmationSent
  /// The flow has its result without a session of its own.
  case finished(FlowResult)
  case refused(AgentError, Refusal = .wrong)

  /// What a refusal means for the flow. Decided only by `ExchangeVerdict` for a callback.
  enum Refusal: Sendable {
    /// The flow goes on as after any other wrong input.
    case wrong
    /// It is unknown whether the code was used up; the same code may be sent again.
    case transient
    /// The time between the browser's start and the exchange is over.
    case tooLate
    /// A retry would not help.
    case final
  }
}

enum CallbackSource: Sendable, Hashable {
  /// The loopback listener of this flow.
  case browser(flow: String)
  /// `signIn.complete`: pasted by a person, or from the handler of the custom scheme.
  case submitted
}
