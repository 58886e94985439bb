import AuthSandbox
import Foundation
import TestKit
import Testing

/// SE-2: a changed `api_url` gets no token that was issued while another `api_url` was configured.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct APIOriginEndToEndTests {
  @Test("a new api_url needs consent: nothing is sent there until use-api or a new sign-in; tools still get tokens")
  func asksForAChange() async throws {
    try await withSandbox { other in
      let foreign = other.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
      try await home.signIn()
      #expect(try await home.ctl("api", "/api/v1/profile").status == 0)
      try await home.setAPI(foreign)
      for round in 0..<2 {
        #expect(try await home.ctl("api", foreign + "/x").status == 64)
        for command in [["api", "/api/v1/profile"], ["profile"]] {
          let refused = try await home.start(command).end()
          #expect(refused.status == 1, "\(command): \(refused.stdout)\(refused.stderr)")
          #expect(refused.stderr.contains("ritualctl use-api --account default"), "\(refused.stderr)")
        }
        #expect(other.requestCount() == 0)
        #expect(try await home.ctl("token").status == 0)
        let command = try await home.ctl("exec", "--", "/bin/sh", "-c", "echo ${RITUAL_API_URL-none} $SUPABASE_URL")
        #expect(command.stdout == "none \(home.sandbox.url)\n")
        #expect(command.stderr.contains("RITUAL_API_URL is not set"), "\(command.stderr)")
        #expect(try await home.ctl("refresh").status == 0)
        #expect(try await home.ctl("api", "/rest/v1/x").stderr.contains("use-api") == false)
        #expect(try await home.ctl("status", "--json").stdout.contains("use-api"))
        guard round == 0 else { break }
        // The refusal is durable.
        #expect(try await home.endAgent() == 0)
        try await home.startAgent()
      }
      #expect(try await home.ctl("use-api").status == 0)
      #expect(try await home.ctl("exec", "--", "printenv", "RITUAL_API_URL").stdout == foreign + "\n")
      _ = try await home.ctl("api", "/api/v1/profile")
      #expect(other.requestCount() > 0)
      #expect(try await home.ctl("audit", "--json").stdout.contains("apiAccepted"))
      #expect(try await home.ctl("status", "--json").stdout.contains("use-api") == false)
      #expect(try await home.endAgent() == 0)
      try await home.startAgent()
      #expect(try await home.ctl("api", "/x").stderr.contains("use-api") == false)
      // The project's own origin issued the session, so it needs no consent.
      try await home.setAPI(nil)
      #expect(try await home.ctl("api", "/api/v1/profile").status == 0)
      // A new sign-in accepts the configured URL.
      try await home.setAPI(other.url)
      #expect(try await home.ctl("api", "/x").stderr.contains("use-api"))
      try await home.signIn()
      #expect(try await home.ctl("api", "/x").stderr.contains("use-api") == false)
    }
  }

  /// Whether a request of the account is sent, which `server` must see, or refused until use-api.
  private func isSent(
    _ home: TestHome, _ account: String = "default", to server: AuthSandbox? = nil
  ) async throws -> Bool {
    let before = server?.requestCount() ?? 0
    let output = try await home.ctl("api", "/api/v1/profile", "--account", account)
    let isRefused = output.status == 1 && output.stderr.contains("use-api")
    #expect(isRefused != ((server?.requestCount() ?? 0) > before), "\(output)")
    return !isRefused
  }

  @Test("init --update --api-url gives consent: the running agent accepts the new API, but not a manual edit")
  func acceptsByInit() async throws {
    try await withSandbox { other in
      let foreign = other.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
      try await home.signIn()
      try await home.signIn("--account", "work")
      let changed = try await home.ctl("init", "--update", "--api-url", foreign)
      #expect(changed.status == 0 && changed.stderr.isEmpty, "\(changed)")
      #expect(changed.stdout.contains("requests of default, work may now be sent to \(foreign)"), "\(changed.stdout)")
      for account in ["default", "work"] { #expect(try await isSent(home, account, to: other)) }
      #expect(other.requestCount() > 0)
      #expect(try await home.ctl("token").status == 0)
      #expect(try await home.ctl("audit", "--json").stdout.contains("apiAccepted"))
      // A manual edit gives no consent, and neither does another change by init.
      try await home.setAPI(other.url)
      #expect(try await !isSent(home, to: other))
      #expect(try await home.ctl("init", "--update", "--anon-key", home.sandbox.anonKey).status == 0)
      #expect(try await !isSent(home, to: other))
      // A file other than the agent's.
      let file = home.folder.path + "/other.toml"
      let project = ["--config", file, "--project-url", home.sandbox.url, "--anon-key", home.sandbox.anonKey]
      #expect(try await home.start(["init"] + project).end().status == 0)
      let elsewhere = try await home.ctl("init", "--update", "--config", file, "--api-url", other.url)
      #expect(elsewhere.status == 0 && elsewhere.stderr.contains("reads another file"), "\(elsewhere)")
      #expect(!elsewhere.stdout.contains("may now be sent to"))
      #expect(try await !isSent(home, to: other))
      // Repeating the same value gives consent as well.
      let again = try await home.ctl("init", "--update", "--api-url", other.url, "--json")
      #expect(try again.json()["apiAccepted"] as? [String] == ["default", "work"], "\(again)")
      #expect(try again.json()["change"] as? String == "none")
      for account in ["default", "work"] { #expect(try await isSent(home, account, to: other)) }
    }
  }

  @Test("init --update --api-url with a locked vault, or without an agent, names the remaining command")
  func saysWhatIsLeft() async throws {
    try await home.signIn()
    #expect(try await home.ctl("lock").status == 0)
    let locked = try await home.ctl("init", "--update", "--api-url", "http://localhost:1", "--json")
    #expect(locked.status == 0, "\(locked)")
    let warnings = try locked.json()["warnings"] as? [String] ?? []
    #expect(warnings.contains { $0.contains("ritualctl use-api") && $0.contains("ritualctl unlock") }, "\(locked)")
    #expect(try await home.ctl("unlock").status == 0)
    #expect(try await !isSent(home))
    #expect(try await home.endAgent() == 0)
    let stopped = try await home.ctl("init", "--update", "--api-url", "http://localhost:2")
    #expect(stopped.status == 0 && stopped.stderr.contains("ritualctl use-api"), "\(stopped)")
    try await home.startAgent()
    #expect(try await !isSent(home))
    #expect(try await home.ctl("use-api").status == 0)
    #expect(try await home.ctl("status", "--json").stdout.contains("use-api") == false)
  }

  @Test("init --update --api-url names the accounts that a policy rule excludes")
  func namesRefusedAccounts() async throws {
    try await home.signIn()
    try await home.signIn("--account", "work")
    try home.append("\n[[policy.rules]]\naccount = \"work\"\naction = \"deny\"\n")
    let output = try await home.ctl("init", "--update", "--api-url", "http://localhost:1")
    #expect(output.status == 0 && output.stdout.contains("requests of default may now be sent to"), "\(output)")
    #expect(output.stderr.contains("ritualctl use-api --account work"), "\(output)")
  }
}
