import AccessControl
import AgentProtocol
import AgentServer
import SignInFlows

/// `identity.*`, but for `identity.decide`, which stands with the sign-ins.
extension MethodTable {
  mutating func addIdentityMethods(_ services: Services) {
    let (identities, signIn) = (services.identities, services.signIn)
    add(IdentityList.self, policy: .account, cost: .network) { params, _ in try await identities.list(params) }
    add(IdentityUnlink.self, policy: .account, cost: .network) { params, _ in try await identities.unlink(params) }
    add(IdentityLink.self, policy: .account, cost: .network) { params, call in
      let started = try await signIn.link(params)
      // A flow that nobody waits for any more would only keep its account busy.
      if params.detach != true { await call.connection.onClose { await signIn.starterGone(started.flow) } }
      return started
    }
  }
}
