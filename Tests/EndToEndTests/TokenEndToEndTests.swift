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
    let refusal = Fault.answer(
      status: 401, body: "{}", headers: ["www-authenticate": #"Bearer error="invalid_token""#])
    home.sandbox.inject(refusal, at: .guarded, count: 5)
    _ = try await home.ctl("api", "/api/v1/guarded")
    #expect(home.sandbox.requestCount(.guarded) <= 2)
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
}
