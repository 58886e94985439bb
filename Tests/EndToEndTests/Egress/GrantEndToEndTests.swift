import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// Grants of the built agent, used by plain HTTP clients.
@Suite(.serialized, .timeLimit(.minutes(10))) struct GrantEndToEndTests {
  private static func grants(_ home: TestHome) async throws -> [[String: Any]] {
    try await home.ctl("grants", "--json").json()["grants"] as? [[String: Any]] ?? []
  }

  @Test("EG-6: a grant acts as the program that asked, under the rules of the moment", .home)
  func actsAsTheAsker() async throws {
    try await home.signIn()
    let made = try await home.grant()
    #expect(try await made.get().status == 200)
    let text = try String(contentsOfFile: home.configurationFile, encoding: .utf8)
    for (action, kind) in [("deny", "denied"), ("ask", "approvalNeeded")] {
      let rule = "\n[[policy.rules]]\naccount = \"default\"\naction = \"\(action)\"\n"
      try home.editConfiguration { $0 = text + rule }
      let reload = try await home.ctl("reload")
      #expect(reload.status == 0, "\(reload.stderr)")
      let reply = try await made.get()
      #expect(reply.status == 403 && reply.body.contains("\"kind\":\"\(kind)\""), "\(reply)")
    }
    try home.editConfiguration { $0 = text }
    #expect(try await home.ctl("reload").status == 0)
    #expect(try await made.get().status == 200)
  }

  enum End: CaseIterable { case revoke, lock, signOut, time, agentStop }

  @Test("EG-6: the end of the last grant closes its connections and the port", .home, arguments: End.allCases)
  func ends(end: End) async throws {
    try await home.signIn()
    let made = try await home.grant("--for", end == .time ? "20s" : "1h")
    let kept = try RawClient(loopback: made.port)
    #expect(try await kept.answer(to: made.request("/api/v1/profile")).status == 200)
    switch end {
    case .revoke: #expect(try await home.ctl("grants", "revoke", made.id).status == 0)
    case .lock: #expect(try await home.ctl("lock").status == 0)
    case .signOut: #expect(try await home.ctl("sign-out").status == 0)
    case .time: break
    case .agentStop: #expect(try await home.endAgent() == 0)
    }
    _ = try await kept.end()
    try await eventually("the port is closed") { made.isClosed }
  }

  @Test("EG-6: a grant does not survive its agent, also if that was killed", .home)
  func endsWithTheAgent() async throws {
    try await home.signIn()
    let old = try await home.grant()
    #expect(try await old.get().status == 200)
    try await home.killAgent()
    try await home.startAgent()
    #expect(try await Self.grants(home).isEmpty)
    let new = try await home.grant()
    #expect(try await new.get(old.bearer).status == 401)
    #expect(try await new.get().status == 200)
  }

  @Test("EG-6: exec --egress sets variables with which a tool works unchanged, and its grant ends with it", .home)
  func runsCommands() async throws {
    try await home.signIn()
    let token = try await home.token()
    let script = """
      curl -sS --fail -H "Authorization: Bearer $RITUAL_ACCESS_TOKEN" "$RITUAL_API_URL/api/v1/profile" &&
      curl -sS --fail -H "apikey: $SUPABASE_ANON_KEY" "$SUPABASE_URL/api/v1/profile" && env && exit 9
      """
    let proxied = try RunningProgram(
      Programs.path("ritualctl"), ["exec", "--egress", "--", "/bin/sh", "-c", script],
      environment: home.environment.merging(["http_proxy": "http://127.0.0.1:9"]) { $1 }, folder: home.folder)
    let output = try await proxied.end()
    #expect(output.status == 9, "\(output)")
    #expect(output.stdout.split(separator: "onboarding_complete").count == 3)
    #expect(output.stdout.contains("sb_publishable_ritual_") && !output.stdout.contains(token))
    try await eventually("the grant ends with the process") { try await Self.grants(home).isEmpty }
  }

  @Test("EG-6: a program that the command leaves behind cannot use the grant", .home)
  func leavesNothing() async throws {
    try await home.signIn()
    let lasting = try await home.grant()
    let script = "echo $RITUAL_API_URL $RITUAL_ACCESS_TOKEN; sleep 60 > /dev/null 2>&1 &"
    let output = try await home.ctl("exec", "--egress", "--", "/bin/sh", "-c", script)
    #expect(output.status == 0, "\(output.stderr)")
    let token = try #require(output.stdout.split(whereSeparator: \.isWhitespace).last)
    #expect(try await lasting.get(["apikey": String(token)]).status == 401)
    #expect(try await lasting.get().status == 200)
    #expect(try await Self.grants(home).map { $0["id"] as? String } == [lasting.id])
  }
}

/// A grant that `ritualctl grant` has printed.
struct Grant {
  let id: String
  let port: UInt16
  let token: String

  var bearer: [String: String] { ["Authorization": "Bearer \(token)"] }

  func get(_ headers: [String: String]? = nil, _ path: String = "/api/v1/profile") async throws -> RawAnswer {
    try await RawClient.get(path, of: port, headers ?? bearer)
  }

  /// A request that keeps its connection.
  func request(_ path: String, method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nauthorization: Bearer \(token)\r\n"
      + (method == "GET" ? "\r\n" : "Content-Length: 0\r\n\r\n")
  }

  /// True if nobody listens at the port any more.
  var isClosed: Bool { (try? RawClient(loopback: port)) == nil }
}

extension TestHome {
  /// Makes a grant with `program`, a copy of ritualctl or ritualctl itself.
  nonisolated func grant(_ arguments: String..., by program: String = Programs.path("ritualctl")) async throws -> Grant
  {
    let output = try await run(program, ["grant", "--json"] + arguments)
    #expect(output.status == 0, "\(output.stderr)")
    let document = try output.json()
    let url = try #require(document["url"] as? String)
    return Grant(
      id: try #require(document["id"] as? String),
      port: try #require(url.split(separator: ":").last.flatMap { UInt16($0) }),
      token: try #require(document["token"] as? String))
  }
}
