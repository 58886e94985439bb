import AccessControl
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SystemSupport

/// `egress.*`
extension MethodTable {
  mutating func addEgressMethods(_ services: Services) {
    let grants = services.grants
    add(EgressGrant.self, policy: .grant, cost: .memory) { params, call in
      let process = await call.connection.process()
      return try await grants.make(
        params, for: .init(connection: call.connection.id, pid: call.peer.pid, process: process))
    }
    add(EgressList.self, policy: .none("shows grants, no token"), cost: .approvals) { _, call in
      let list = grants.list()
      try await call.reserveAnswer(for: list.grants.count * GrantService.maxListedBytes)
      return list
    }
    add(EgressRevoke.self, policy: .none("only restricts access"), cost: .memory) { params, _ in
      try grants.revoke(params.id)
      return Empty()
    }
  }
}
