import NIOHTTP1
import SupabaseAuth
import TestKit
import Testing

/// Requests of the API client are sent unchanged.
@Suite struct SendTests {
  private let generous = RequestLimits.generous.request

  @Test func asItIs() async throws {
    let script: @Sendable (SeenRequest) -> Reply = { _ in .answer(418, [("x-a", "1"), ("x-a", "2")], "tea") }
    try await withServer(script) { client, server in
      let request = APIRequest(
        method: "PATCH", url: server.url + "/rest/v1/x?q=a%20b",
        headers: [("Authorization", "Bearer t"), ("X-B", "b")],
        body: Array("{}".utf8), limit: 100, timeout: generous)
      let response = try await client.send(request)
      #expect(response.status == 418)
      #expect(response.body == Array("tea".utf8))
      #expect(response.headers.filter { $0.name == "x-a" }.map(\.value) == ["1", "2"])
      let seen = try #require(server.requests.first)
      #expect(seen.method == "PATCH" && seen.target == "/rest/v1/x?q=a%20b" && seen.body == "{}")
      #expect(seen.headers["authorization"] == ["Bearer t"] && seen.headers["x-b"] == ["b"])
      #expect(seen.headers["user-agent"] == ["ritual-test/1"] && seen.headers["apikey"] == [])
      #expect(server.requests.count == 1)
    }
  }

  @Test(.server { _ in .answer(302, [("location", "https://evil.test/")]) }) func redirectsAreHandedOut() async throws {
    let response = try await client.send(
      APIRequest(method: "GET", url: server.url + "/a", limit: 100, timeout: generous))
    #expect(response.status == 302)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [200, 500]) func bodyOverTheLimit(status: Int) async throws {
    try await withServer({ _ in .answer(status, [], "0123456789") }) { client, server in
      let ok = try await client.send(APIRequest(method: "GET", url: server.url, limit: 10, timeout: generous))
      #expect(ok.body.count == 10)
      let error = try await authError { try await client.send(APIRequest(method: "GET", url: server.url, limit: 9)) }
      #expect(error.code == .tooLarge)
    }
  }

  @Test(.server { _ in .silence }) func itsOwnTimeLimit() async throws {
    let request = APIRequest(method: "GET", url: server.url, limit: 9, timeout: .milliseconds(200))
    let error = try await authError { try await client.send(request) }
    #expect(error.code == .timeout)
    #expect(server.requests.count == 1)
  }

  @Test(
    .server { _ in .answer(200) },
    arguments: [
      "Host", "connection", "Content-Length", "transfer-encoding", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
    ])
  func framingHeaders(name: String) async throws {
    let request = APIRequest(method: "GET", url: server.url, headers: [(name, "1")], limit: 9)
    let error = try await authError { try await client.send(request) }
    #expect(error.code == .invalidRequest)
    #expect(server.connections == 0)
  }

  @Test(arguments: ["", "get", "GET /x", "CONNECT", "TRACE", "G\r\nET"]) func methods(method: String) async throws {
    try await withServer({ _ in .answer(200) }) { client, server in
      let request = APIRequest(method: method, url: server.url, limit: 9)
      let error = try await authError { try await client.send(request) }
      #expect(error.code == .invalidRequest)
      #expect(server.connections == 0)
    }
  }

  /// These spellings reach 127.0.0.1, so the check stops the request, not a missing route.
  @Test(arguments: ["http://127.1:PORT", "http://2130706433:PORT", "http://0.0.0.0:PORT", "http://u:p@127.0.0.1:PORT"])
  func plainHTTPElsewhereSendsNothing(address: String) async throws {
    try await withServer({ _ in .answer(200) }) { client, server in
      let url = address.replacing("PORT", with: "\(server.port)")
      let error = try await authError { try await client.send(APIRequest(method: "GET", url: url, limit: 9)) }
      #expect(error.code == .insecure)
      #expect(server.connections == 0)
    }
  }

  @Test func slowAPICallsDoNotHoldUpARefresh() async throws {
    let script: @Sendable (SeenRequest) -> Reply = {
      $0.target.hasPrefix("/auth/v1") ? .answer(200, [], Fixture.session()) : .silence
    }
    try await withServer(script) { client, server in
      let calls = (0..<12).map { _ in
        Task { try await client.send(APIRequest(method: "GET", url: server.url + "/rest", limit: 9)) }
      }
      for await event in server.events { if case .request = event, server.requests.count >= 8 { break } }
      guard case .refreshed = await client.refresh(RefreshToken("t")) else {
        Issue.record("not refreshed")
        return
      }
      calls.forEach { $0.cancel() }
      for call in calls {
        let error = try await authError { try await call.value }
        #expect(error.code == .cancelled)
      }
    }
  }
}
