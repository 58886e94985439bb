import AgentProtocol

/// `api.*`
extension MethodTable {
  mutating func addAPIMethods(_ services: Services) {
    add(APIRequestMethod.self, mayBeLong: true) { params, call in
      try await services.api.request(params) { services.records.handOuts.note($0, .api, call) }
    }
  }
}
