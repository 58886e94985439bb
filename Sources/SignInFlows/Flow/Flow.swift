import AgentProtocol
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// One sign-in through a browser, from its start until a minute after its end.
///
///     waiting → exchanging → adopting → over
///        ↑_________|   \→ deciding ↗        every phase but `adopting` may also go to `over` directly
///
/// Invariants: the state is spent by a successful exchange alone; an exchange that was refused leads back to `waiting`;
/// the verifier is kept until the flow is over.
package struct Flow: Sendable {
  enum Phase: Sendable {
    case waiting
    /// A callback's code, or a password of the page's form, is being exchanged; whoever hands in a callback or a form
    /// meanwhile gets the same answer.
    case exchanging(Task<FlowOutcome.Value, Never>)
    /// Signed in, and a person is asked whether it is them (SI-15).
    case deciding(Session, SignInDecision)
    /// The session is being stored: too late to cancel.
    case adopting
    case over
  }

  let id: String
  /// Binds callbacks to this flow.
  let state: String
  let redirect: Redirect
  /// The path of the sign-in page, which nobody can guess; nil where the provider was named.
  let pagePath: String?
  let patience: Duration
  let deadline: BootTime
  /// Nil without one, and once its port is kept by the service or was taken over by another flow.
  var listener: LoopbackListener?
  let outcome = FlowOutcome()
  /// Settled when a person is to be asked about a link (LK-2).
  let question = FlowOutcome()

  /// The address that the server made to link another identity by hand; nil for a sign-in.
  var linkURL: String?
  /// Nil once the flow is over.
  var pkce: PKCE?
  package var ticket: SignInTicket
  var phase = Phase.waiting
  var failures = 0
  /// How it is counted; the page until somebody chooses there.
  var method = AuthMethod.page
  /// The last callback that was refused, for the page.
  var lastRefusal: AgentError?
  var visit = PageVisit()
  /// Ends the flow at its deadline; later, forgets it.
  var timer: Task<Void, Never>?

  var isOver: Bool { if case .over = phase { true } else { false } }

  /// Where to send the browser for this provider.
  func authorizeURL(_ provider: Provider) -> String {
    ticket.project.endpoint.authorizeURL(
      provider: provider, redirectTo: redirect.address(attempt: state), challenge: pkce?.challenge ?? "")
  }

  /// What a person is to open.
  var launchURL: String {
    if let linkURL { return linkURL }
    if let pagePath, case .loopback(let port) = redirect.kind { return "http://127.0.0.1:\(port)\(pagePath)" }
    return authorizeURL(ticket.provider)
  }
}

extension SignInTicket {
  /// The same sign-in by another provider, chosen on the page.
  func by(_ provider: Provider) -> SignInTicket {
    var copy = self
    copy.provider = provider
    return copy
  }
}
