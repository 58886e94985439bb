import AccessControl
import AgentProtocol
import AgentServer
import SessionEngine

/// `session.*`. The token's common case never comes here: `HotPath` answers it.
extension MethodTable {
  mutating func addSessionMethods(_ services: Services) {
    let accounts = services.accounts
    add(SessionList.self) { _, call in
      try await call.makeRoom(for: await accounts.answerSize)
      return SessionList.Result(accounts: try await accounts.listKnown())
    }
    add(SessionStatus.self) { params, _ in try await accounts.status(params.account) }
    add(SessionToken.self) { params, call in
      let result = try await accounts.token(params)
      services.records.handOuts.note(result, .token, call)
      return result
    }
    add(SessionRefresh.self) { params, _ in try await accounts.refresh(params.account) }
    add(SessionExplain.self) { params, _ in try await accounts.explain(params.account) }
    add(SessionUse.self) { params, _ in try await accounts.use(params.account) }
    add(SessionUseAPI.self) { params, _ in try await accounts.useAPI(params.account) }
    add(SessionSignOut.self) { params, _ in try await accounts.signOut(params) }
  }
}
