import NIOHTTP1
import SupabaseAuth
import TestKit
import Testing

@Suite struct ProxyTests {
  private func client(_ url: String, proxy: ScriptedServer) throws -> SupabaseAuthClient {
    let endpoint = try ProjectEndpoint(url: url, anonKey: "k", proxy: proxy.url)
    return SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
  }

  @Test func otherMachinesAreReachedThroughIt() async throws {
    let proxy = try await ScriptedServer.start { _ in .answer(502) }
    // The name cannot be resolved here, so only the proxy can have received a request.
    let client = try client("https://project.invalid", proxy: proxy)
    let error = try await authError { try await client.user(Fixture.bearer) }
    #expect(error.code == .network)
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
    #expect(proxy.requests.map(\.target) == ["project.invalid:443"])
    #expect(proxy.requests.first?.headers["authorization"] == [])
    await client.shutdown()
    try await proxy.stop()
  }

  @Test func loopbackNeverIs() async throws {
    let proxy = try await ScriptedServer.start { _ in .answer(502) }
    let server = try await ScriptedServer.start { _ in .answer(200, [], Fixture.user) }
    let client = try client(server.url, proxy: proxy)
    #expect(try await client.user(Fixture.bearer).email == "gina@lab.test")
    let remote = try self.client("https://project.invalid", proxy: proxy)
    #expect(try await remote.send(APIRequest(method: "GET", url: server.url, limit: 10_000)).status == 200)
    #expect(proxy.connections == 0)
    for client in [client, remote] { await client.shutdown() }
    for server in [proxy, server] { try await server.stop() }
  }
}
