import AccessControl
import AgentProtocol
import AgentServer
import SessionEngine

/// `session.*`. The token's common case never comes here: `HotPath` answers it.
extension MethodTable {
  mutating func addSessionMethods(_ services: Services) {
    let accounts = services.accounts
    add(SessionList.self, policy: .none("shows states, no token"), cost: .accounts) { _, call in
      try await call.makeRoom(for: await accounts.answerSize)
      return SessionList.Result(accounts: try await accounts.listKnown())
    }
    add(SessionStatus.self, policy: .none("shows a state, no token"), cost: .memory) { params, _ in
      try await accounts.status(params.account)
    }
    add(SessionToken.self, policy: .account, cost: .token) { params, call in
      let result = try await accounts.token(params)
      services.records.handOuts.note(result, .token, call)
      return result
    }
    add(SessionRefresh.self, policy: .account, cost: .network) { params, _ in
      try await accounts.refresh(params.account)
    }
    add(SessionExplain.self, policy: .none("shows reasons, no token"), cost: .memory) { params, _ in
      try await accounts.explain(params.account)
    }
    add(SessionUse.self, policy: .account, cost: .disk) { params, _ in try await accounts.use(params.account) }
    add(SessionUseAPI.self, policy: .account, cost: .disk) { params, _ in try await accounts.useAPI(params.account) }
    add(SessionSignOut.self, policy: .signOut, cost: .disk) { params, _ in try await accounts.signOut(params) }
  }
}
