import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TokenEndToEndTests {
  @Test("TK-2: a short-lived token is refreshed ahead of its expiry, and no caller gets an expired one")
  func refreshesAhead() async throws {
    try await withTestHome(.with { $0.tokenLifetime = 4 }) { home in
      try await home.signIn()
      let first = try await home.token()
      try await eventually("two refreshes by themselves") { home.sandbox.refreshGrants >= 2 }
      let later = try await home.token()
      #expect(later != first)
      let probe = try await home.ctl("api", "/api/v1/profile")
      #expect(probe.status == 0, "\(probe.stderr)")
      #expect(home.sandbox.oldestAncestorPresented == 0, "never a token older than the current one")
    }
  }

  @Test("TK-3: 200 parallel `ritualctl token` with a rejected token cause exactly one refresh")
  func sharesOneRefresh() async throws {
    try await withTestHome(.with { $0.tokenLifetime = 3600 }) { home in
      try await home.signIn()
      let token = try await home.token()
      // The server no longer accepts the token; every tool finds out at the same moment and reports
      // it.
      let rejected = try await home.sha256(token)
      home.sandbox.inject(.delayBeforeCommit(seconds: 1), at: .refresh, count: 1)
      let programs = try (0..<200).map { _ in try home.start(["token", "--rejected", rejected]) }
      var tokens: Set<String> = []
      for program in programs {
        let output = try await program.end()
        #expect(output.status == 0, "\(output.stderr)")
        tokens.insert(output.stdout)
      }
      #expect(tokens.count == 1)
      #expect(!tokens.contains(token + "\n"))
      #expect(home.sandbox.refreshCount == 1)
    }
  }

  @Test(
    "TK-4: a rejected token is refreshed once; the new one, rejected at once, is not printed: 7 and a time to retry",
    .home
  )
  func refreshesARejectedToken() async throws {
    try await home.signIn()
    let old = try await home.token()
    try await eventually("the sign-in is 5 s old") {
      let age = 3600 - ((try await home.ctl("token", "--format", "json").json()["expiresIn"] as? Int) ?? 3600)
      return age > 5
    }
    let new = try await home.token("--rejected", try await home.sha256(old))
    #expect(new != old)
    let again = try await home.ctl("token", "--rejected", try await home.sha256(new), "--json")
    #expect(again.status == 7 && again.stdout.isEmpty, "\(again.stdout)")
    #expect(again.stderr.contains(#""retryAfter":5"#), "\(again.stderr)")
    #expect(home.sandbox.refreshCount == 1)
  }

  @Test("TK-9: an API request whose token is refused is repeated once with a newer token, never twice", .home)
  func repeatsARefusedRequestOnce() async throws {
    try await home.signIn()
    let token = try await home.token()
    // The agent's own request after the sign-in would be refused and repeated, too.
    try await eventually("the agent has read the profile") {
      try await home.ctl("status", "--json").stdout.contains(#""onboarding""#)
    }
    #expect(home.sandbox.requestCount(.profile) == 1)
    home.sandbox.expireAccessTokens()
    let output = try await home.ctl("api", "/api/v1/profile")
    // A token from a sign-in less than 5 s ago counts as fresh, and the 401 is returned.
    let renewed = try await home.token() != token
    #expect(output.status == (renewed ? 0 : 1), "\(output.stderr)")
    #expect(home.sandbox.requestCount(.profile) - 1 <= 2)
    home.sandbox.refuseAPI(times: 5)
    _ = try await home.ctl("api", "/api/v1/guarded")
    #expect(home.sandbox.requestCount(.guarded) <= 2)
  }

  @Test("exec becomes the command, with the token only in its environment", .home)
  func runsACommand() async throws {
    try await home.signIn()
    let token = try await home.token()
    let output = try await home.ctl("exec", "--", "/bin/sh", "-c", "printf %s \"$RITUAL_ACCESS_TOKEN\"; exit 9")
    #expect(output.stdout == token)
    #expect(output.status == 9)
    #expect(try await home.ctl("exec", "--", home.folder.path + "/program").status == 127)
    #expect(try await home.ctl("exec", "--", "/etc/passwd").status == 126)
  }

  @Test("exec exports the project's URL and key, with which the command reaches the project and the API", .home)
  func exportsTheProject() async throws {
    try await home.signIn()
    let variables = try await home.ctl(
      "exec", "--", "printenv", "SUPABASE_URL", "SUPABASE_KEY", "RITUAL_API_URL")
    #expect(
      variables.stdout == [home.sandbox.url, home.sandbox.anonKey, home.sandbox.url, ""].joined(separator: "\n"))
    #expect(variables.stderr.isEmpty)
    let script = """
      curl -sS --fail -H "apikey: $SUPABASE_KEY" -H "Authorization: Bearer $RITUAL_ACCESS_TOKEN" \
        "$SUPABASE_URL/auth/v1/user" && \
      curl -sS --fail -H "Authorization: Bearer $RITUAL_ACCESS_TOKEN" "$RITUAL_API_URL/api/v1/profile"
      """
    let answers = try await home.ctl("exec", "--", "/bin/sh", "-c", script)
    #expect(answers.status == 0, "\(answers)")
    #expect(answers.stdout.contains(TestHome.email) && answers.stdout.contains("onboarding_complete"), "\(answers)")
  }

  @Test("why says what comes next, and events report what happened", .home)
  func explains() async throws {
    let events = try home.start(["events", "--json"])
    try await home.signIn()
    #expect(try await home.ctl("refresh").status == 0)
    let why = try await home.ctl("why")
    #expect(why.status == 0)
    #expect(why.stdout.contains("Next refresh in"))
    try await eventually("the sign-in among the events") { events.stdout.contains("SIGNED_IN") }
    await events.stop()
  }
}
