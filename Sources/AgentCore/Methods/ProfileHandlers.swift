import AgentProtocol
import AgentServer
import SignInFlows

/// `profile.*`
extension MethodTable {
  mutating func addProfileMethods(_ services: Services) {
    let profiles = services.profiles
    add(ProfileGet.self) { params, _ in try await profiles.get(params) }
    add(ProfileUpdate.self) { params, _ in try await profiles.update(params) }
  }
}
