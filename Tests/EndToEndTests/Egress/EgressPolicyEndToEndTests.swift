import AuthSandbox
import Foundation
import TestKit
import Testing

/// Rules, approvals and shares of open streams.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EgressPolicyEndToEndTests {
  private static let script: RawServer.Script = { request in
    switch request.split(separator: " ")[1] {
    case "/silent": [.hold]
    case "/socket":
      [.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nx\r\n"), .echo]
    case "/items": [.answer("200 OK", "{}")]
    default: [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"), .hold]
    }
  }

  private static let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n"

  private static func get(_ path: String, _ host: String = "localhost", _ headers: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(headers)\r\n"
  }

  /// A connection whose stream or tunnel has begun.
  private func stream(
    _ home: TestHome, _ path: String = "/stream", _ host: String = "localhost", _ headers: String = ""
  ) async throws -> RawClient {
    let client = try RawClient(home.egress)
    try await client.send(Self.get(path, host, headers))
    try await client.wait("the first byte") { $0.hasSuffix("x\r\n") }
    return client
  }

  private func rule(_ home: TestHome, _ members: String...) async throws {
    try home.append("\n[[policy.rules]]\n" + members.joined(separator: "\n") + "\n")
    try await home.reload()
  }

  // MARK: - Rules and approvals

  @Test("a rule that becomes deny or ask ends the streams that it covers, and no others", arguments: ["deny", "ask"])
  func endsWhatARuleCovers(action: String) async throws {
    try await withEgress(Self.script) { home, api in
      try await home.signIn("--account", "other")
      let (own, secret) = (try await stream(home), try await stream(home, "/secret/events"))
      let socket = try await stream(home, "/socket", "localhost", Self.upgrade)
      let (other, tunnel) = (
        try await stream(home, "/stream", "other"), try await stream(home, "/socket", "other", Self.upgrade)
      )
      let silent = try RawClient(home.egress)
      try await silent.send(Self.get("/silent", "other"))
      try await eventually("the server has the request") { api.held == 4 }
      try await rule(home, "account = \"other\"", "action = \"\(action)\"")
      #expect(try await other.end().hasSuffix("x\r\n"))
      #expect(try await tunnel.end().hasSuffix("x\r\n"))
      try await silent.wait("the refusal") { $0.contains("HTTP/1.1 403") && $0.contains("\"kind\":\"denied\"") }
      try await eventually("the server's connections end") { api.held == 2 }
      #expect(!own.isOver && !secret.isOver && !socket.isOver)
      try await rule(home, "action = \"\(action)\"", "paths = [\"/secret\"]")
      #expect(try await secret.end().hasSuffix("x\r\n"))
      try await eventually("the server's connection ends") { api.held == 1 }
      try await socket.send("more")
      try await socket.wait("the echo") { $0.hasSuffix("more") }
      #expect(!own.isOver)
      try await rule(home, "action = \"\(action)\"", "methods = [\"GET\"]")
      _ = try await (own.end(), socket.end())
      try await eventually("the server's connections end") { api.held == 0 }
    }
  }

  @Test("a rule for one program ends its streams, and those of the grants that it made; others stay")
  func endsThoseOfAProgram() async throws {
    try await withEgress(Self.script) { home, api in
      let tool = home.folder.path + "/tool"
      try await home.copyProgram("ritualctl", to: tool)
      let (made, kept) = (try await home.grant(by: tool), try await home.grant())
      let own = try await stream(home)
      let (first, second) = (try RawClient(loopback: made.port), try RawClient(loopback: kept.port))
      for (client, grant) in [(first, made), (second, kept)] {
        try await client.send(grant.request("/stream"))
        try await client.wait("the first byte") { $0.contains("200 OK") && $0.hasSuffix("x\r\n") }
      }
      try await rule(home, "executable = \"\(tool)\"", "action = \"deny\"")
      _ = try await first.end()
      try await eventually("two connections are left at the server") { api.held == 2 }
      #expect(!own.isOver && !second.isOver)
      #expect(try await made.get(nil, "/items").status == 403)
      #expect(try await kept.get(nil, "/items").status == 200)
    }
  }

  enum End: CaseIterable { case revoke, lock, signOut, rename, remove }

  @Test(
    "the end of an approval, or of its session, ends the streams that it allowed, and no others",
    arguments: End.allCases)
  func endsWithTheApproval(end: End) async throws {
    try await withEgress(Self.script) { home, api in
      try await home.signIn("--account", "other")
      let own = try await stream(home)
      // A rule for this process, so that ritualctl may rename the account.
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      try await rule(home, "account = \"other\"", "executable = \"\(program)\"", "action = \"ask\"")
      let asked = try await RawClient(home.egress).answer(to: Self.get("/stream", "other"))
      let id = String(try #require(asked.body.firstMatch(of: /approvals allow ([0-9a-f]+)/)).1)
      let allowed = try await home.start(["approvals", "allow", id]).end()
      #expect(allowed.status == 0, "\(allowed.stderr)")
      let streams = [
        try await stream(home, "/stream", "other"), try await stream(home, "/socket", "other", Self.upgrade),
      ]
      switch end {
      case .revoke: #expect(try await home.ctl("approvals", "revoke", id).status == 0)
      case .lock: #expect(try await home.ctl("lock").status == 0)
      case .signOut: #expect(try await home.ctl("sign-out", "--account", "other").status == 0)
      case .rename: #expect(try await home.ctl("accounts", "rename", "other", "third").status == 0)
      case .remove: #expect(try await home.ctl("accounts", "remove", "other", "--yes").status == 0)
      }
      for stream in streams { #expect(try await stream.end().hasSuffix("x\r\n")) }
      #expect(own.isOver == (end == .lock))
    }
  }

  // MARK: - Shares

  @Test("one process gets a quarter of the connections, and another one is served")
  func sharesConnections() async throws {
    try await withEgress(Self.script) { home, _ in
      let clients = try (0..<256).map { _ in try RawClient(home.egress) }
      #expect(try await clients[255].answer(to: Self.get("/items")).status == 200)
      let refused = try await RawClient(home.egress).end()
      #expect(refused.contains("HTTP/1.1 503") && refused.contains("\"kind\":\"tooMany\"") && refused.contains("256"))
      #expect(refused.lowercased().contains("proxy-status: ritual-agent; error=connection_limit_reached"))
      #expect(try await home.curl(["--unix-socket", home.egress, "http://localhost/items"]).hasPrefix("{}"))
      withExtendedLifetime(clients) {}
    }
  }

  @Test("connections through a grant count for the program that made it; silent ones give way to new ones")
  func sharesConnectionsOfGrants() async throws {
    try await withEgress(Self.script) { home, _ in
      let (made, other) = (try await home.grant(), try await home.grant())
      func items(_ grant: Grant, _ client: RawClient? = nil) async throws -> RawAnswer {
        try await (client ?? RawClient(loopback: grant.port)).answer(to: grant.request("/items"))
      }
      var clients: [RawClient] = []
      for _ in 0..<256 {
        clients.append(try RawClient(loopback: made.port))
        #expect(try await items(made, clients.last).status == 200)
      }
      let refused = try await items(made)
      #expect(refused.status == 503 && ["\"kind\":\"tooMany\"", "256"].allSatisfy(refused.body.contains), "\(refused)")
      #expect(refused["proxy-status"]?.hasPrefix("ritual-agent; error=connection_limit_reached") == true, "\(refused)")
      #expect(try await items(other).status == 200)
      #expect(try await items(made, clients[0]).status == 200, "it has its place")
      clients.removeFirst()
      try await eventually("a closed connection makes room") { try await items(made).status == 200 }
      clients = []
      let silent = try (0..<400).map { _ in try RawClient(loopback: made.port) }
      #expect(try await items(other).status == 200)
      #expect(try await RawClient(home.egress).answer(to: Self.get("/items")).status == 200)
      withExtendedLifetime(silent) {}
    }
  }
}
