import AgentProtocol

/// `api.*`
extension MethodTable {
  mutating func addAPIMethods(_ services: Services) {
    add(APIRequestMethod.self, mayBeLong: true) { params, _ in try await services.api.request(params) }
  }
}
