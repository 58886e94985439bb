import NIOHTTP1

/// The project itself.
extension SupabaseAuthClient {
  public func settings() async throws(AuthError) -> ProjectSettings {
    try await success(of: Call(method: .GET, path: "/settings")).value(ProjectSettings.self)
  }

  public func health() async throws(AuthError) -> ServerHealth {
    try await success(of: Call(method: .GET, path: "/health")).value(ServerHealth.self)
  }

  public func signingKeys() async throws(AuthError) -> [JWK] {
    let answer = try await success(of: Call(method: .GET, path: "/.well-known/jwks.json"))
    return try answer.value(KeySet.self).keys.compactMap(\.value)
  }

  /// RFC 7517, section 5.
  private struct KeySet: Decodable {
    let keys: [Lenient<JWK>]
  }
}
