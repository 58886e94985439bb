import AuthSandbox
import Foundation
import Synchronization
import TestKit
import Testing

/// The egress proxy of the built agent, with raw bytes on both sides. What it refuses
/// and how it treats the answers of a hostile server are checked in Tests/Egress, row by row.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EgressEndToEndTests {
  private func get(_ path: String = "/items", _ headers: String..., host: String = "localhost") -> String {
    (["GET \(path) HTTP/1.1", "Host: \(host)"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  // MARK: - Requests (EG-1, EG-2)

  /// A project that is served under a path, and the API beside it: one server.
  private func withBasePath(_ rules: String, _ body: (TestHome, RawServer) async throws -> Void) async throws {
    let claims = #"{"sub":"6f1f2c1e-0000-4000-8000-000000000001","exp":4000000000,"iat":1700000000}"#
    let token = ["{}", claims, "x"].map { Data($0.utf8).base64EncodedString().replacing("=", with: "") }
    let session =
      #"{"access_token":"\#(token.joined(separator: "."))","token_type":"bearer","expires_in":3600,"refresh_token":"r","#
      + #""user":{"id":"6f1f2c1e-0000-4000-8000-000000000001","email":"\#(TestHome.email)","identities":[]}}"#
    let server = try RawServer { request in
      [
        .answer(
          "200 OK", request.contains("/supabase/auth/v1/token") ? session : "{}", "Content-Type: application/json")
      ]
    }
    defer { server.stop() }
    try await withTestHome { home in
      #expect(try await home.ctl("init", "--update", "--project-url", server.url + "/supabase").status == 0)
      try await home.reconfigure { $0 += rules }
      try await home.signIn()
      try await body(home, server)
    }
  }

  @Test("EG-8: a rule with paths judges what the server sees, in every spelling of a self-hosted project's path")
  func judgesBelowTheBasePath() async throws {
    let deny = "\n[[policy.rules]]\naction = \"deny\"\npaths = [\"/rest/v1/secret\"]\n"
    try await withBasePath(deny) { home, server in
      let grant = try await home.grant("--path", "/rest/v1/todos")
      for base in ["", "/supabase", "/%73upabase", "/Supabase", "/SUPABAS%45", "/supabase;v=1"] {
        for (path, status) in [("/rest/v1/secret", 403), ("/rest/v1/secret/1?a=b", 403), ("/rest/v1/secrets", 200)] {
          // With a parameter the path is unclear, and a rule that denies applies.
          let expected = base.contains(";") ? 403 : status
          let answer = try await RawClient(home.egress).answer(to: get(base + path))
          #expect(answer.status == expected, "\(base + path) \(answer.body)")
        }
      }
      #expect(!server.requests.contains { $0.lowercased().contains("/rest/v1/secret ") })
      #expect(try await home.ctl("api", "/supabase/rest/v1/secret").status == 6)
      // A grant's limits know the exact path alone, in the encodings of it.
      for (path, status) in [
        ("/rest/v1/todos", 200), ("/supabase/rest/v1/todos", 200), ("/%73upabase/rest/v1/todos", 200),
        ("/Supabase/rest/v1/todos", 403), ("/supabase/rest/v1/other", 403), ("/todos", 403),
      ] {
        let reply = try await grant.get(nil, path)
        #expect(reply.status == status, "\(path) \(reply.body)")
      }
    }
  }

  // MARK: - Connections to the server (EG-4)

  @Test("a connection to the server is kept; one that ends before the answer is replaced by a new one")
  func keepsConnections() async throws {
    let closes = Mutex(0)
    try await withEgress { request in
      guard request.contains("/closes") else { return [.answer("200 OK", "{}")] }
      return closes.withLock {
        $0 += 1
        return $0 % 2 == 1 ? [.close] : [.answer("200 OK", "again")]
      }
    } _: { home, api in
      let client = try RawClient(home.egress)
      #expect(try await client.answer(to: get()).status == 200)
      let first = api.connections
      for _ in 0..<20 { #expect(try await client.answer(to: get()).status == 200) }
      #expect(api.connections == first)
      #expect(try await client.answer(to: get("/closes")).body == "again")
      #expect(api.connections == first + 1)
      let post = "POST /closes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
      #expect(try await client.answer(to: post).status == 502, "it may have had an effect")
      #expect(closes.withLock { $0 } == 3)
    }
  }

  // MARK: - Upgrades (EG-4)

  @Test("a WebSocket handshake becomes a tunnel with the token; other answers are passed on")
  func upgrades() async throws {
    try await withEgress { request in
      guard request.contains("/socket") else { return [.answer("403 Forbidden", "no")] }
      return [
        .send(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: x\r\nSet-Cookie: secret\r\n\r\nhello"), .echo,
      ]
    } _: { home, api in
      func handshake(_ path: String) -> String {
        get(path, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: k", "Sec-WebSocket-Version: 13")
      }
      let client = try RawClient(home.egress)
      // The client speaks before the server has answered.
      try await client.send(handshake("/socket") + "early ")
      try await client.wait("101 and the first bytes") { $0.contains("\r\n\r\nhello") }
      try await client.send("later")
      try await client.wait("the echo") { $0.hasSuffix("helloearly later") }
      #expect(client.text.contains("sec-websocket-accept: x") || client.text.contains("Sec-WebSocket-Accept: x"))
      #expect(!client.text.contains("secret"))
      let (seen, token) = (try #require(api.requests.first), try await home.token())
      #expect(seen.contains("authorization: Bearer \(token)") && seen.lowercased().contains("upgrade: websocket"))
      let refused = try await RawClient(home.egress).answer(to: handshake("/other"))
      #expect(refused.status == 403 && refused.body == "no")
    }
  }

  // MARK: - ritualctl api

  @Test("ritualctl api: URLs of the project, own answers and failures keep their exit status, uploads of any size")
  func servesRitualctl() async throws {
    try await withEgress { request in
      switch request.split(separator: " ")[1] {
      case "/short": [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), .close]
      case "/close": [.close]
      default: [.answer("200 OK", "\(request.utf8.count)")]
      }
    } _: { home, api in
      #expect(try await home.ctl("api", home.sandbox.url + "/rest/v1/whoami").status == 0)
      for path in ["/api/v1/profile", "/auth/v1/user"] {
        let refused = try await home.ctl("api", home.sandbox.url + path)
        #expect(refused.status == 64 && refused.stderr.contains("path"), "\(refused)")
      }
      #expect(try await home.ctl("api", api.url + "/x").status == 64)
      #expect(try await home.ctl("api", "/auth/v1/user").status == 6)
      #expect(try await home.ctl("api", "-X", "HEAD", "/auth/v1/user").status == 6)
      #expect(try await home.ctl("api", "/a//b").status == 64)
      #expect(try await home.ctl("api", "-X", "TRACE", "/x").status == 64)
      #expect(try await home.ctl("api", "--account", "nobody", "/x").status == 64)
      let short = try await home.ctl("api", "/short")
      #expect(short.status == 7 && short.stdout == "short", "\(short)")
      #expect(try await home.ctl("api", "-X", "POST", "/close").status == 7)
      let file = home.folder.path + "/large"
      try Data(count: 9 << 20).write(to: URL(fileURLWithPath: file))
      let upload = try await home.ctl("api", "-F", file, "/up")
      #expect(Int(upload.stdout).map { $0 > 9 << 20 } == true, "\(upload)")
      #expect(try await home.ctl("lock").status == 0)
      #expect(try await home.ctl("api", "/x").status == 5)
      #expect(try await home.ctl("api", "-X", "HEAD", "/x").status == 5)
      #expect(try await home.ctl("unlock").status == 0)
      #expect(try await home.ctl("sign-out").status == 0)
      let signedOut = try await home.ctl("api", "/x")
      #expect(signedOut.status == 4 && signedOut.stderr.contains("ritualctl sign-in"), "\(signedOut)")
      try FileManager.default.removeItem(atPath: home.egress)
      let missing = try await home.ctl("api", "/x")
      let words = ["does not serve \(home.egress)", "restart ritual-agentd"]
      #expect(missing.status == 3 && words.allSatisfy(missing.stderr.contains), "\(missing)")
      await home.stopAgent()
      let stopped = try await home.ctl("api", "/x")
      #expect(stopped.status == 3 && stopped.stderr.contains("cannot connect to the agent"), "\(stopped)")
    }
  }

  // MARK: - Own answers and ends (EG-7)
}

/// Runs `body` with a signed-in account whose API is a scripted server.
func withEgress(
  _ script: @escaping RawServer.Script = { _ in [.answer("200 OK", "{}")] },
  _ body: (TestHome, RawServer) async throws -> Void
) async throws {
  let api = try RawServer(script)
  defer { api.stop() }
  try await withTestHome { home in
    #expect(try await home.ctl("init", "--update", "--api-url", api.url).status == 0)
    try await home.signIn()
    try await body(home, api)
  }
}

extension TestHome {
  /// The proxy's socket.
  nonisolated var egress: String { folder.path + "/run/ritual-agent/egress.sock" }
}
