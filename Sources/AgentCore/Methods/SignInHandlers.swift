import AgentProtocol
import AgentServer
import SignInFlows

/// `signIn.*` and `identity.decide`
extension MethodTable {
  mutating func addSignInMethods(_ services: Services) {
    let signIn = services.signIn
    add(SignInNonce.self) { _, _ in await signIn.nonce() }
    add(SignInMethods.self) { params, _ in try await signIn.methods(params) }
    add(SignInPassword.self) { params, _ in try await signIn.password(params) }
    add(SignInSignUp.self) { params, _ in try await signIn.signUp(params) }
    add(SignInIDToken.self) { params, _ in try await signIn.idToken(params) }
    add(SignInImportSession.self) { params, _ in try await signIn.importSession(params) }
    add(SignInStart.self) { params, call in
      let started = try await signIn.start(params)
      // A flow that nobody waits for any more would only keep its account busy.
      if params.detach != true { await call.connection.onClose { await signIn.starterGone(started.flow) } }
      return started
    }
    add(SignInWait.self, waitsForPerson: true) { params, _ in try await signIn.wait(params.flow) }
    add(SignInCancel.self) { params, _ in
      try await signIn.cancel(params.flow)
      return Empty()
    }
    add(SignInComplete.self) { params, _ in try await signIn.complete(params.callback, canAsk: params.canAsk ?? true) }
    add(IdentityDecide.self) { params, _ in try await signIn.decide(params) }
  }
}
