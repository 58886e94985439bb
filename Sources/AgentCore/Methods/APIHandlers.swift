import AccessControl
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SupabaseAuth

/// `api.*`
extension MethodTable {
  mutating func addAPIMethods(_ services: Services) {
    add(APIRequestMethod.self, policy: .account, cost: .api, mayBeLong: true) { params, call in
      try await services.api.request(params, room: .answer(to: call)) { services.records.handOuts.note($0, .api, call) }
    }
  }
}

extension BodyRoom {
  /// The body in base64 (RFC 4648, section 4), with headers: half of the usual answer is left for them.
  fileprivate static func answer(to call: Call) -> BodyRoom {
    BodyRoom(free: MethodCost.api.answer / 2) { bytes in
      do {
        try await call.makeRoom(for: bytes / 3 * 4 + MethodCost.api.answer)
      } catch let error as AgentError {
        throw AuthError(.tooLarge, error.message)
      }
    }
  }
}
