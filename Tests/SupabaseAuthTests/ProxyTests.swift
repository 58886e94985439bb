import NIOHTTP1
import TestKit
import Testing
import WebURLs

@testable import SupabaseAuth

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

  @Test(arguments: [nil, "user:pass:word"]) func aProxyThatDemandsAPassword(text: String?) async throws {
    let proxy = try await ScriptedServer.start { _ in .answer(407, [("proxy-authenticate", "Basic realm=x")]) }
    var endpoint = try ProjectEndpoint(url: "https://project.invalid", anonKey: "k", proxy: proxy.url)
    endpoint.proxyPassword = text.flatMap { ProxyPassword($0) }
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
    let error = try await authError { try await client.user(Fixture.bearer) }
    #expect(error.code == .proxyRefused && error.wasNotSent)
    #expect(error.message.contains(text == nil ? "requires a user name" : "refuses the user name"))
    #expect(error.connectionFailure == "127.0.0.1:\(proxy.port): the proxy answered 407")
    // base64 of user:pass:word
    let sent = text == nil ? [] : ["Basic dXNlcjpwYXNzOndvcmQ="]
    #expect(proxy.requests.map { $0.headers["proxy-authorization"] } == [sent])
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
