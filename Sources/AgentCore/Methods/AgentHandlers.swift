import AgentProtocol
import AgentServer
import SessionEngine

/// `agent.*`
extension MethodTable {
  mutating func addAgentMethods(_ services: Services) {
    add(AgentHello.self) { params, _ in
      guard params.protocol == Wire.protocolVersion else { throw AgentError.unsupported(params.protocol) }
      return AgentHello.Result(
        agent: "ritual-agent", version: AgentVersion.current, protocol: Wire.protocolVersion,
        capabilities: Wire.capabilities)
    }
    add(AgentStatusMethod.self) { _, call in
      try await call.makeRoom(for: await services.accounts.answerSize)
      return await services.status()
    }
    add(AgentDiagnose.self) { _, _ in try await services.diagnose() }
    add(AgentReload.self) { params, _ in try await services.reload(params) }
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
