import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct AuditEndToEndTests {
  private struct Entry: Decodable {
    var at: String
    var event: String
    var account: String?
    var count: Int?
    var pid: Int32?
    var executable: String?
    var token: String?
    var detail: String?
  }

  private struct List: Decodable { var entries: [Entry] }

  private func entries(_ home: TestHome) async throws -> [Entry] {
    let output = try await home.ctl("audit", "--json")
    #expect(output.status == 0, "\(output.stderr)")
    return try JSONDecoder().decode(List.self, from: Data(output.stdout.utf8)).entries
  }

  private func log(_ home: TestHome) -> String { home.folder.path + "/state/ritual-agent/audit/audit-000001.log" }

  private let request = #"{"jsonrpc":"2.0","id":1,"method":"session.token"}"#

  @Test("LK-3, PR-3: logs a sign-in, tokens for two processes and a sign-out; lists, verifies, detects an edit", .home)
  func recordsAndVerifies() async throws {
    try await home.signIn()
    let token = try await home.token()
    let tool = try SocketTool(home.socket)
    for _ in 0..<5 {
      try tool.send(request)
      #expect(try await tool.line().contains(token))
    }
    #expect(try await home.ctl("sign-out").status == 0)
    let found = try await entries(home)
    #expect(found.map(\.at) == found.map(\.at).sorted())
    for event in ["fileBegun", "agentStarted", "signedIn", "signedOut"] {
      #expect(found.count { $0.event == event } == 1, "\(event)")
    }
    let issuedTokens = found.filter { $0.event == "handOut" }
    #expect(issuedTokens.map(\.count).sorted { ($0 ?? 0) < ($1 ?? 0) } == [1, 5])
    let fingerprint = try await home.sha256(token).prefix(16)
    #expect(issuedTokens.allSatisfy { $0.token == String(fingerprint) && $0.account == "default" })
    let own = try #require(issuedTokens.first { $0.count == 5 })
    #expect(own.pid == getpid())
    #expect(own.executable == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
    #expect(issuedTokens.first { $0.count == 1 }?.executable == Programs.path("ritualctl"))
    let table = try await home.ctl("audit").stdout
    #expect(table.split(separator: "\n").count >= found.count)
    #expect(table.contains(", account default, 5 times\n"))
    let text = try String(contentsOfFile: log(home), encoding: .utf8)
    for secret in [TestHome.email, token, TestHome.password] { #expect(!text.contains(secret)) }
    let good = try await home.ctl("audit", "--verify")
    #expect(good.status == 0, "\(good.stdout)\(good.stderr)")
    #expect(good.stdout.contains("are intact"))
    #expect(good.stdout.contains("Limits of this verification:"))
    try text.replacingOccurrences(of: "\"signedOut\"", with: "\"signedIn!\"")
      .write(toFile: log(home), atomically: false, encoding: .utf8)
    let bad = try await home.ctl("audit", "--verify")
    #expect(bad.status == 1)
    #expect(bad.stdout.contains("audit-000001.log: was changed: entry"))
    let json = try await home.ctl("audit", "--verify", "--json")
    #expect(json.status == 1)
    #expect(try json.json()["isWhole"] as? Bool == false)
  }

  @Test("kill -9: entries older than a second survive, the chain continues, and the interruption is reported", .home)
  func survivesAKill() async throws {
    try await home.signIn()
    let tool = try SocketTool(home.socket)
    try tool.send(request)
    _ = try await tool.line()
    // Both entries are sealed a second later. Listing would write pending entries, so the file is
    // read instead.
    try await eventually("the issued token is in the file") {
      (try? String(contentsOfFile: log(home), encoding: .utf8).contains("\"handOut\"")) ?? false
    }
    try await home.killAgent()
    try await home.startAgent()
    let found = try await entries(home)
    #expect(found.contains { $0.event == "handOut" && $0.pid == getpid() })
    #expect(found.contains { $0.event == "interrupted" })
    let verify = try await home.ctl("audit", "--verify")
    #expect(verify.status == 0, "\(verify.stdout)")
    #expect(verify.stdout.contains("ended without a clean shutdown after entry"))
    #expect(try await home.endAgent() == 0)
    try await home.startAgent()
    let again = try await entries(home)
    #expect(again.count { $0.event == "agentStopped" } == 1)
    #expect(again.count { $0.event == "interrupted" } == 1, "a stop is no interruption")
    #expect(try await home.ctl("audit", "--verify").status == 0)
  }

  @Test("VA-4: lock and unlock are logged; the log of a locked vault is listed but not verified", .home)
  func followsTheVault() async throws {
    try await home.signIn()
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await home.ctl("audit", "--verify").status == 5)
    #expect(try await entries(home).last?.event == "vaultLocked")
    #expect(try await home.ctl("unlock").status == 0)
    #expect(try await entries(home).last?.event == "vaultUnlocked")
    let verify = try await home.ctl("audit", "--verify", "--json").json()
    #expect(verify["isWhole"] as? Bool == true)
    #expect((verify["interruptions"] as? [Int]) == [])
  }

  @Test("OP-5: metrics of a sign-in and issued tokens; no user is named", .home)
  func printsMetrics() async throws {
    try await home.signIn("--account", "privatename")
    let token = try await home.token()
    let wrong = try await home.start(
      ["sign-in", "email", "--email", TestHome.email, "--password-stdin", "--account", "other"], input: "wrong\n"
    ).end()
    #expect(wrong.status != 0)
    let metrics = try await home.ctl("metrics")
    #expect(metrics.status == 0, "\(metrics.stderr)")
    for line in [
      "# TYPE ritual_auth_completed counter", "ritual_auth_started_total{method=\"email\"} 2",
      "ritual_auth_completed_total{method=\"email\"} 1", "ritual_tokens_served_total{way=\"token\"} 1",
      "ritual_auth_failed_total{error_type=\"invalidCredentials\",method=\"email\"} 1",
      "ritual_vault_state{ritual_vault_state=\"open\"} 1", "ritual_accounts{state=\"authenticated\"} 1",
    ] {
      #expect(metrics.stdout.contains(line + "\n"), "\(line)")
    }
    #expect(metrics.stdout.hasSuffix("# EOF\n"))
    let json = try await home.ctl("metrics", "--json").stdout
    let user = try #require(try await home.ctl("status", "--json").stdout.firstMatch(of: /"id":"([^"]+)"/)).1
    for secret in ["privatename", TestHome.email, "anna", token, String(user)] {
      #expect(!metrics.stdout.contains(secret))
      #expect(!json.contains(secret))
    }
  }
}
