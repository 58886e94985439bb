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
    add(EgressGrant.self, policy: .grant, cost: .quick) { params, call in
      let process = await call.connection.process()
      var result = try await grants.make(
        params, by: call.connection.id, pid: call.peer.pid, process: process)
      result.directory = params.directory
      return result
    }
    add(EgressList.self, policy: .none("shows grants, no token"), cost: .costly) { _, _ in
      grants.list()
    }
    add(EgressRevoke.self, policy: .none("only restricts access"), cost: .quick) { params, _ in
      try grants.revoke(params.id)
      return Empty()
    }
  }
}
