import NIOHTTP1
import SystemSupport
import TestKit
import Testing
import WebURLs

@testable import SupabaseAuth

@Suite struct ProjectEndpointTests {
  @Test(arguments: [
    ("https://abc.supabase.co", "https://abc.supabase.co"), ("https://ABC.Supabase.co/", "https://abc.supabase.co"),
    ("HTTPS://abc.test:443", "https://abc.test"), ("https://abc.test:8443/x", "https://abc.test:8443"),
    ("http://127.0.0.1:5000", "http://127.0.0.1:5000"), ("http://127.255.0.9", "http://127.255.0.9"),
    ("http://[::1]:5000", "http://[::1]:5000"), ("http://localhost:80", "http://localhost"),
    ("http://LOCALHOST:81", "http://localhost:81"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
  ])
  func accepted(url: String, origin: String) throws {
    #expect(try ProjectEndpoint(url: url, anonKey: "k").origin == origin)
    #expect(try WebOrigin.of(url) == origin)
  }

  @Test(arguments: [
    "http://abc.supabase.co", "http://127.0.0.1.evil.test", "http://127.1", "http://2130706433", "http://0.0.0.0",
    "http://[::]", "http://[::ffff:127.0.0.1]", "http://localhost.evil.test", "http://128.0.0.1", "http://127.0.0.256",
    "http://127.0.0.01", "https://user@abc.test", "https://user:pw@abc.test", "https://@abc.test",
    "http://127.0.0.1:80@evil.test", "ftp://127.0.0.1",
  ])
  func insecure(url: String) {
    #expect(throws: AuthError(.insecure, "")) { try ProjectEndpoint(url: url, anonKey: "k") }
  }

  @Test(arguments: [
    "", "abc.supabase.co", "https://", "https:///x", "/auth", "https://abc.test?x=1", "https://abc.test#f",
    "https://abc.test:0", "https://abc.test:65536", "https://a b.test", "https://ä.test",
    "https://abc.test\\@evil.test",
    "https://abc.test\n", "//abc.test",
  ])
  func invalid(url: String) {
    #expect(throws: AuthError(.invalidEndpoint, "")) { try ProjectEndpoint(url: url, anonKey: "k") }
  }

  @Test(arguments: ["", "a b", "a\r\nb", "é"]) func invalidKey(key: String) {
    #expect(throws: AuthError(.invalidEndpoint, "")) { try ProjectEndpoint(url: "https://a.test", anonKey: key) }
  }

  @Test func onlyThisCANeedsOne() {
    #expect(throws: AuthError(.invalidEndpoint, "")) {
      try ProjectEndpoint(url: "https://a.test", anonKey: "k", onlyThisCA: true)
    }
  }

  @Test(arguments: ["http://proxy.test:3128", "http://10.0.0.1:3128/", "socks5://[::1]:1080", "socks5h://p.test:1080"])
  func proxy(text: String) throws {
    #expect(try ProjectEndpoint(url: "https://a.test", anonKey: "k", proxy: text).proxy == text)
  }

  @Test(arguments: ["", "proxy.test", "proxy.test:3128", "http://proxy.test", "https://p.test:1", "http://p.test:1/x"])
  func invalidProxy(text: String) {
    #expect(throws: AuthError(.invalidEndpoint, "")) {
      try ProjectEndpoint(url: "https://a.test", anonKey: "k", proxy: text)
    }
  }

  @Test func proxyWithAPassword() {
    #expect(throws: AuthError(.insecure, "")) {
      try ProjectEndpoint(url: "https://a.test", anonKey: "k", proxy: "http://u:p@p.test:1")
    }
  }

  @Test func authorizeURL() throws {
    let endpoint = try ProjectEndpoint(url: "https://a.test/base/", anonKey: "k")
    let url = endpoint.authorizeURL(
      provider: .google, scopes: "a b", redirectTo: "http://127.0.0.1:9/cb?s=1", challenge: "ch")
    #expect(
      url == "https://a.test/base/auth/v1/authorize?provider=google"
        + "&redirect_to=http%3A%2F%2F127.0.0.1%3A9%2Fcb%3Fs%3D1&scopes=a%20b&code_challenge=ch&code_challenge_method=s256"
    )
  }
}

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
