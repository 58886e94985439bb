import AccessControl
import AgentProtocol
import AgentServer
import SignInFlows

/// `signIn.*` and `identity.decide`
extension MethodTable {
  mutating func addSignInMethods(_ services: Services) {
    let signIn = services.signIn
    add(SignInNonce.self, policy: .none("makes a random number"), cost: .memory) { _, _ in await signIn.nonce() }
    add(SignInMethods.self, policy: .none("asks a project, without an account"), cost: .network) { params, _ in
      try await signIn.methods(params)
    }
    add(SignInPassword.self, policy: .signIn, cost: .network) { params, _ in try await signIn.password(params) }
    add(SignInSignUp.self, policy: .signIn, cost: .network) { params, _ in try await signIn.signUp(params) }
    add(SignInIDToken.self, policy: .signIn, cost: .network) { params, _ in try await signIn.idToken(params) }
    add(SignInImportSession.self, policy: .signIn, cost: .network) { params, _ in
      try await signIn.importSession(params)
    }
    add(SignInStart.self, policy: .signIn, cost: .network) { params, call in
      let started = try await signIn.start(params)
      // A flow that nobody waits for any more would only keep its account busy.
      if params.detach != true { await call.connection.onClose { await signIn.starterGone(started.flow) } }
      return started
    }
    add(SignInWait.self, policy: .flow, cost: .wait, waitsForPerson: true) { params, _ in
      try await signIn.wait(params.flow)
    }
    add(SignInCancel.self, policy: .flow, cost: .memory) { params, _ in
      try await signIn.cancel(params.flow)
      return Empty()
    }
    add(
      SignInComplete.self,
      policy: .none("brings what a browser was given for a sign-in that was begun under the rules"), cost: .network
    ) { params, _ in try await signIn.complete(params.callback, canAsk: params.canAsk ?? true) }
    add(IdentityDecide.self, policy: .flow, cost: .network) { params, _ in try await signIn.decide(params) }
  }
}
