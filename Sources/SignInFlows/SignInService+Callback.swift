import AgentConfiguration
package import AgentProtocol
import Logging
import SystemSupport

/// Matches callbacks from loopback, scheme and paste to their flows.
extension SignInService {
  /// Completes a sign-in with the URL on which a browser ended.
  /// - Parameter canAsk: false if the caller cannot ask a person; a pasted first sign-in is then
  ///   rejected before its code is sent.
  /// - Returns: `signedIn`, or `decisionNeeded` if a person must confirm the sign-in.
  /// - Throws: `callbackInvalid`, `flowUnknown` for a flow that is over, and the server's error.
  package func complete(_ callback: String, canAsk: Bool = true) async throws(AgentError) -> SignInResult {
    guard let result = await receive(callback, .submitted, canAsk: canAsk) else { throw AgentError(.flowUnknown) }
    return try result.get()
  }

  /// The only entry point for callbacks. A rejected callback leaves its flow unchanged, up to four
  /// times.
  func receive(_ text: String, _ source: CallbackSource, canAsk: Bool = true) async -> FlowResult? {
    let callback = CallbackURL(text)
    guard let flow = flow(of: callback, source) else { return .failure(await refuseUnmatched(callback, source)) }
    if case .failed(let code) = callback.answer {
      logger.notice("the browser returned with an error", metadata: ["code": "\(ForeignText.shown(code, limit: 64))"])
    }
    let event = FlowEvent.callback(
      callback.answer, source, confirmsLinks: settings().confirmsLinks, canAsk: canAsk)
    return await deliver(event, to: flow.id, waits: true)
  }

  private func candidates(_ source: CallbackSource) -> [Flow] {
    switch source {
    case .browser(let id): flows[id].map { [$0] } ?? []
    // A flow that asks for a second factor has the state of its sign-in.
    case .submitted: flows.values.filter { !$0.isFactorFlow }
    }
  }

  private func flow(of callback: CallbackURL, _ source: CallbackSource) -> Flow? {
    guard let attempt = callback.attempt else { return nil }
    let matching = candidates(source).filter { ConstantTime.equal($0.state, attempt) }
    return matching.first { $0.redirect.accepts(callback.baseURL) }
  }

  /// Rejects a callback that matches no flow. The failure counts against the flow that waits at the
  /// callback's URL or has its state, unless several flows do, because then the intended flow is
  /// unknown.
  private func refuseUnmatched(_ callback: CallbackURL, _ source: CallbackSource) async -> AgentError {
    let aimedAt = candidates(source).filter { flow in
      guard !flow.isOver else { return false }
      return flow.redirect.accepts(callback.baseURL) || ConstantTime.equal(flow.state, callback.attempt ?? "")
    }
    let error = AgentError(
      .callbackInvalid, hint: "this URL belongs to no sign-in that is waiting; to start one: ritualctl sign-in")
    let told =
      switch callback.answer {
      case .invalid(let fault): fault.error
      case _ where callback.attempt == nil: Self.sentToSiteURL(candidates(source))
      default: error
      }
    if let flow = aimedAt.first, aimedAt.count == 1 { await deliver(.misdirected(told), to: flow.id) }
    return told
  }

  /// The error for a response without the flow's state: the server did not accept the redirect URL
  /// and used the project's Site URL.
  private static func sentToSiteURL(_ flows: [Flow]) -> AgentError {
    let redirect = flows.first { !$0.isOver }?.redirect ?? Redirect(.manual)
    return AgentError(
      .callbackInvalid,
      hint:
        "your project sent you to its Site URL: add \(redirect.allowListEntry) to its redirect URLs, then start again "
        + "with ritualctl sign-in")
  }
}
