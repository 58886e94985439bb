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

  /// Copies a program to another file, which is a different program to the policy. cp(1) writes it, so
  /// that no program started meanwhile inherits a descriptor that is open for writing (ETXTBSY).
  private func copy(_ home: TestHome, _ program: String) async throws -> String {
    let path = home.folder.path + "/tool"
    let copied = try await RunningProgram("/bin/cp", [program, path], environment: [:], folder: home.folder).end()
    #expect(copied.status == 0)
    return path
  }

  private struct Made {
    let port: UInt16
    let token: String

    func request(_ path: String) -> String {
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\r\n"
    }
  }

  private func grant(_ home: TestHome, by program: String = Programs.path("ritualctl")) async throws -> Made {
    let output = try await RunningProgram(
      program, ["grant", "--json"], environment: home.environment, folder: home.folder
    ).end()
    #expect(output.status == 0, "\(output.stderr)")
    let document = try output.json()
    let url = try #require(document["url"] as? String)
    return Made(
      port: try #require(UInt16(url.split(separator: ":").last ?? "")),
      token: try #require(document["token"] as? String))
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
      let tool = try await copy(home, Programs.path("ritualctl"))
      let (made, kept) = (try await grant(home, by: tool), try await grant(home))
      let own = try await stream(home)
      let (first, second) = (try LoopbackHTTP(made.port), try LoopbackHTTP(kept.port))
      #expect(await first.exchange(made.request("/stream"), until: "x\r\n").contains("200 OK"))
      #expect(await second.exchange(kept.request("/stream"), until: "x\r\n").contains("200 OK"))
      try await rule(home, "executable = \"\(tool)\"", "action = \"deny\"")
      // Ends with the connection.
      _ = await first.exchange("", until: nil)
      try await eventually("two connections are left at the server") { api.held == 2 }
      #expect(!own.isOver)
      let again = await LoopbackHTTP.Reply(try LoopbackHTTP(made.port).exchange(made.request("/items"), until: "}"))
      #expect(again.status == 403)
      #expect(await (try LoopbackHTTP(kept.port)).exchange(kept.request("/items"), until: "{}").contains("200 OK"))
    }
  }

  enum End: CaseIterable { case revoke, time, lock, rename, remove }

  @Test("the end of an approval ends the streams that it allowed", arguments: End.allCases)
  func endsWithTheApproval(end: End) async throws {
    try await withEgress(Self.script) { home, api in
      try await home.signIn("--account", "other")
      let own = try await stream(home)
      // A rule for this process, so that ritualctl may rename the account.
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      try await rule(home, "account = \"other\"", "executable = \"\(program)\"", "action = \"ask\"")
      let asked = try await RawClient(home.egress).answer(to: Self.get("/stream", "other"))
      let id = String(try #require(asked.body.firstMatch(of: /approvals allow ([0-9a-f]+)/)).1)
      let time = end == .time ? ["--for", "20"] : []
      let allowed = try await home.start(["approvals", "allow", id] + time).end()
      #expect(allowed.status == 0, "\(allowed.stderr)")
      let streams = [
        try await stream(home, "/stream", "other"), try await stream(home, "/socket", "other", Self.upgrade),
      ]
      switch end {
      case .revoke: #expect(try await home.ctl("approvals", "revoke", id).status == 0)
      case .time: break
      case .lock: #expect(try await home.ctl("lock").status == 0)
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
      let (made, other) = (try await grant(home), try await grant(home))
      func items(_ grant: Made) async throws -> (client: LoopbackHTTP, answer: String) {
        let client = try LoopbackHTTP(grant.port)
        return (client, await client.exchange(grant.request("/items"), until: "}"))
      }
      var clients: [LoopbackHTTP] = []
      for _ in 0..<256 {
        let (client, answer) = try await items(made)
        #expect(answer.contains("200 OK"))
        clients.append(client)
      }
      let refused = try await items(made).answer
      #expect(refused.contains("HTTP/1.1 503") && refused.contains("\"kind\":\"tooMany\"") && refused.contains("256"))
      #expect(refused.lowercased().contains("proxy-status: ritual-agent; error=connection_limit_reached"))
      #expect(try await items(other).answer.contains("200 OK"))
      #expect(await clients[0].exchange(made.request("/items"), until: "}").contains("200 OK"), "it has its place")
      clients.removeFirst()
      try await eventually("a closed connection makes room") { try await items(made).answer.contains("200 OK") }
      clients = []
      let silent = try (0..<400).map { _ in try LoopbackHTTP(made.port) }
      #expect(try await items(other).answer.contains("200 OK"))
      #expect(try await RawClient(home.egress).answer(to: Self.get("/items")).status == 200)
      withExtendedLifetime(silent) {}
    }
  }
}
