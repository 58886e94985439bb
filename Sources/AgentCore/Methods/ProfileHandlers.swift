import AccessControl
import AgentProtocol
import AgentServer
import SignInFlows

/// `profile.*`
extension MethodTable {
  mutating func addProfileMethods(_ services: Services) {
    let profiles = services.profiles
    add(ProfileGet.self, policy: .account, cost: .profile) { params, _ in try await profiles.get(params) }
    add(ProfileUpdate.self, policy: .account, cost: .profile) { params, _ in try await profiles.update(params) }
  }
}
