import AccessControl
import AgentProtocol
import AgentServer
import SessionEngine

/// `agent.*`
extension MethodTable {
  mutating func addAgentMethods(_ services: Services) {
    add(AgentHello.self, policy: .none("says the version"), cost: .memory) { params, _ in
      guard params.protocol == Wire.protocolVersion else { throw AgentError.unsupported(params.protocol) }
      return AgentHello.Result(
        agent: "ritual-agent", version: AgentVersion.current, protocol: Wire.protocolVersion,
        capabilities: Wire.capabilities)
    }
    add(AgentStatusMethod.self, policy: .none("shows states, no token"), cost: .accounts) { _, call in
      try await call.makeRoom(for: await services.accounts.answerSize)
      return await services.status()
    }
    add(AgentDiagnose.self, policy: .none("shows states, no token"), cost: .diagnosis) { _, _ in
      try await services.diagnose()
    }
    add(AgentReload.self, policy: .none("reads the user's own file"), cost: .files) { params, _ in
      try await services.reload(params)
    }
  }
}

extension AgentError {
  /// Which of the two is to be renewed depends on which is older (PR-5).
  fileprivate static func unsupported(_ version: Int) -> AgentError {
    let hint =
      version < Wire.protocolVersion
      ? "install a newer version of the client"
      : "install a newer ritual-agent, then: \(ServiceManager.restartAgent)"
    return AgentError(
      .unsupportedVersion,
      "The client speaks version \(version) of the protocol, this agent (\(AgentVersion.current)) version "
        + "\(Wire.protocolVersion).", hint: hint)
  }
}
