import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// What is counted of sign-ins (OP-5): no account, no address, no server's words.
extension SignInService {
  /// A sign-in was begun; its method was chosen with it, but on the page.
  func countStart(_ method: AuthMethod) {
    if method != .page { report(.counted(.authMethodSelected(method))) }
    report(.counted(.authStarted(method)))
  }

  /// Somebody chose on the sign-in page.
  func choseOnPage(_ provider: Provider, _ flow: String) {
    let method = AuthMethod(provider)
    flows[flow]?.method = method
    report(.counted(.authMethodSelected(method)))
  }

  /// A flow is over.
  func countEnd(of flow: Flow, _ result: FlowOutcome.Value) {
    switch result {
    // A mail to confirm is no session yet.
    case .success(let result) where result.outcome != .signedIn: break
    case .success: report(.counted(.authCompleted(flow.method, flow.age(clock.now))))
    case .failure(let error): report(.counted(.ended(flow.method, error)))
    }
  }

  /// A sign-in without a browser brought `value`: a mail to confirm is no session yet.
  func countEnd(_ method: AuthMethod, _ begun: BootTime, _ value: some Sendable) {
    if let result = value as? SignInResult, result.outcome != .signedIn { return }
    report(.counted(.authCompleted(method, begun.duration(to: clock.now))))
  }
}

extension Flow {
  /// How long ago it was begun.
  fileprivate func age(_ now: BootTime) -> Duration { SignInBounds.flowLife - now.duration(to: deadline) }
}
