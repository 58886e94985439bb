package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth

/// Linking another way to sign in by hand (LK-3): a flow as for a sign-in, with the same callbacks and checks, whose authorize
/// address the server makes for the user. It ends in a new session of the same user, which replaces the old one: the new
/// one is durable before the old one is let go.
extension SignInService {
  /// - Throws: `linkingDisabled`, `flowBusy`, `tooMany`, `signInNeeded`, and what the server answered.
  package func link(_ params: IdentityLink.Params) async throws(AgentError) -> SignInStart.Result {
    let start = SignInStart.Params(
      account: params.account, provider: params.provider, redirect: params.redirect, timeout: params.timeout,
      port: params.port)
    let request = try FlowRequest(start, settings())
    guard let provider = request.provider else { throw AgentError(.invalidParams, "The provider is apple or google.") }
    try checkRoom()
    let locks = locks
    let ticket = try await accounts.beginLink(params.account, provider)
    do {
      var flow = try await prepare(request, ticket)
      flow.linkURL = try await linkURL(for: flow)
      return try await begin(flow, locks)
    } catch {
      await accounts.endSignIn(ticket)
      throw error
    }
  }

  private func linkURL(for flow: Flow) async throws(AgentError) -> String {
    let (provider, redirect) = (flow.ticket.provider, flow.redirect.address(attempt: flow.state))
    let challenge = flow.pkce?.challenge ?? ""
    do {
      let url = try await BearerCalls(accounts: accounts).run(flow.ticket.account) { server, token throws(AuthError) in
        try await server.linkURL(provider: provider, redirectTo: redirect, challenge: challenge, token)
      }
      await accounts.noteManualLinking(flow.ticket.project, true)
      return url
    } catch {
      await flow.listener?.close()
      throw error
    }
  }
}
