import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TokenEndToEndTests {
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
