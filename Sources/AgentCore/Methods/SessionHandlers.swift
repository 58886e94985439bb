import AccessControl
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SignInFlows
import SupabaseAuth

/// `session.*`. `HotPath` answers the common case of `session.token`.
extension MethodTable {
  mutating func addSessionMethods(_ services: Services) {
    let accounts = services.accounts
    add(SessionList.self, policy: .none("shows states, no token"), cost: .costly) { _, _ in
      let directories = accounts.tokens.directories
      return SessionList.Result(
        accounts: try await accounts.listKnown(), directories: directories.isEmpty ? nil : directories)
    }
    add(SessionStatus.self, policy: .none("shows a state, no token"), cost: .quick) { params, _ in
      var status = try await accounts.status(params.account)
      status.directory = params.directory
      return status
    }
    add(SessionToken.self, policy: .account, cost: .quick) { params, call in
      var result = try await services.telling(params, call) { try await accounts.token(params) }
      result.directory = params.directory
      services.records.issuedTokens.note(result, .token, call)
      return result
    }
    add(SessionRefresh.self, policy: .account, cost: .quick) { params, _ in
      try await accounts.refresh(params.account)
    }
    add(SessionExplain.self, policy: .none("shows reasons, no token"), cost: .quick) { params, _ in
      try await accounts.explain(params.account)
    }
    add(SessionUse.self, policy: .account, cost: .quick) { params, _ in try await accounts.use(params) }
    add(SessionRename.self, policy: .account, cost: .quick) { params, _ in
      try await services.signIn.rename(params)
    }
    add(SessionRemove.self, policy: .account, cost: .quick) { params, _ in
      try await services.signIn.remove(params)
    }
    add(SessionUseAPI.self, policy: .account, cost: .quick) { params, _ in try await accounts.useAPI(params.account) }
    add(SessionSignOut.self, policy: .signOut, cost: .quick) { params, _ in
      try await services.signIn.signOut(params)
    }
  }
}

/// `signIn.*` and `identity.decide`
extension MethodTable {
  mutating func addSignInMethods(_ services: Services) {
    let signIn = services.signIn
    add(SignInNonce.self, policy: .none("makes a random number"), cost: .quick) { _, _ in await signIn.nonce() }
    add(SignInMethods.self, policy: .none("asks a project, without an account"), cost: .quick) { params, _ in
      try await signIn.methods(params)
    }
    add(SignInPassword.self, policy: .signIn, cost: .quick) { params, _ in try await signIn.password(params) }
    add(SignInSignUp.self, policy: .signIn, cost: .quick) { params, _ in try await signIn.signUp(params) }
    add(SignInIDToken.self, policy: .signIn, cost: .quick) { params, _ in try await signIn.idToken(params) }
    add(SignInImportSession.self, policy: .signIn, cost: .quick) { params, _ in
      try await signIn.importSession(params)
    }
    add(SignInStart.self, policy: .signIn, cost: .quick) { params, call in
      await signIn.attend(try await signIn.start(params), detach: params.detach, call)
    }
    add(SignInSendCode.self, policy: .signIn, cost: .quick) { params, _ in try await signIn.sendCode(params) }
    add(SignInVerifyCode.self, policy: .flowOrSignIn, cost: .quick) { params, _ in
      try await signIn.verifyCode(params)
    }
    add(SignInAnonymous.self, policy: .signIn, cost: .quick) { params, _ in try await signIn.anonymous(params) }
    add(SignInWait.self, policy: .flow, cost: .quick, waitsForPerson: true) { params, _ in
      try await signIn.wait(params.flow)
    }
    add(SignInCancel.self, policy: .flow, cost: .quick) { params, _ in
      try await signIn.cancel(params.flow)
      return Empty()
    }
    add(
      SignInComplete.self,
      policy: .none("delivers the redirect of a sign-in that was started under the rules"), cost: .quick
    ) { params, _ in try await signIn.complete(params.callback, canAsk: params.canAsk ?? true) }
    add(IdentityDecide.self, policy: .flow, cost: .quick) { params, _ in try await signIn.decide(params) }
  }
}

extension SignInService {
  /// Ends the flow when its client disconnects, unless the client asked for `detach`: a flow that
  /// nobody waits for would only keep its account busy and its listener open.
  fileprivate func attend(_ started: SignInStart.Result, detach: Bool?, _ call: Call) async -> SignInStart.Result {
    if detach != true { await call.connection.onClose { await self.starterDisconnected(started.flow) } }
    return started
  }
}

/// `identity.*`, except for `identity.decide`, which is among the sign-in methods.
extension MethodTable {
  mutating func addIdentityMethods(_ services: Services) {
    let (identities, signIn) = (services.identities, services.signIn)
    add(IdentityList.self, policy: .account, cost: .quick) { params, _ in try await identities.list(params) }
    add(IdentityUnlink.self, policy: .account, cost: .quick) { params, _ in try await identities.unlink(params) }
    add(IdentityLink.self, policy: .account, cost: .quick) { params, call in
      await signIn.attend(try await signIn.link(params), detach: params.detach, call)
    }
  }
}

extension Services {
  /// Runs `body`, a token request. If it needs a second factor that the session does not have,
  /// subscribers are told which program asked, not more often than `takeSecondFactorNotice`
  /// allows.
  fileprivate func telling<Result>(
    _ params: SessionToken.Params, _ call: Call, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AgentError where error.kind == .mfaNeeded && params.assurance != nil {
      if let account = error.data.account, await accounts.takeSecondFactorNotice(account) {
        let program = records.issuedTokens.callers.program(of: call.connection.id)
        await accounts.tellSecondFactorNeeded(account, program: program, reason: params.reason)
      }
      throw error
    }
  }
}

/// `mfa.*`
extension MethodTable {
  mutating func addSecondFactorMethods(_ services: Services) {
    let (accounts, signIn) = (services.accounts, services.signIn)
    add(MFAList.self, policy: .account, cost: .quick) { params, _ in try await accounts.factors(params.account) }
    add(MFAChallenge.self, policy: .account, cost: .quick) { params, _ in
      try await accounts.challengeFactor(params)
    }
    add(MFAVerify.self, policy: .account, cost: .quick) { params, _ in
      try await signIn.verifySecondFactor(params)
    }
    add(MFAEnroll.self, policy: .account, cost: .quick) { params, _ in try await accounts.enrollFactor(params) }
    add(MFARemove.self, policy: .account, cost: .quick) { params, _ in
      try await accounts.removeFactor(params)
      return Empty()
    }
    add(MFAStart.self, policy: .account, cost: .quick) { params, call in
      await signIn.attend(try await signIn.startSecondFactor(params), detach: params.detach, call)
    }
  }
}

/// `profile.*`
extension MethodTable {
  mutating func addProfileMethods(_ services: Services) {
    let profiles = services.profiles
    add(ProfileGet.self, policy: .account, cost: .quick) { params, _ in try await profiles.get(params) }
    add(ProfileUpdate.self, policy: .account, cost: .quick) { params, _ in try await profiles.update(params) }
  }
}
