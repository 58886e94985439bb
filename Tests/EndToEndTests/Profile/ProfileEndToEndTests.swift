import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct ProfileEndToEndTests {
  private func onboarding(_ home: TestHome) async throws -> String? {
    let accounts = try await home.ctl("status", "--json").json()["accounts"] as? [[String: Any]]
    return accounts?.first?["onboarding"] as? String
  }

  @Test("SE-6: status shows the onboarding; the profile is shown and changed; kill -9 and a failing API lose nothing")
  func showsAndChanges() async throws {
    try await home.signIn()
    try await eventually("the profile is read") { try await onboarding(home) == "needed" }
    let shown = try await home.ctl("profile")
    #expect(shown.status == 0, "\(shown.stderr)")
    #expect(shown.stdout.contains("anna@example.org"))
    let changed = try await home.ctl(
      "profile", "--set", "display_name=Anna Lund", "--set", "onboarding_complete=true", "--json")
    #expect(changed.status == 0, "\(changed.stderr)")
    let profile = try #require(try changed.json()["profile"] as? [String: Any])
    #expect(profile["display_name"] as? String == "Anna Lund")
    #expect(profile["onboarding_complete"] as? Bool == true)
    home.sandbox.inject(.databaseDown, at: .profile, count: nil)
    try await home.killAgent()
    try await home.startAgent()
    #expect(try await onboarding(home) == "complete")
    #expect(try await home.ctl("profile").status == 7)
    #expect(try await home.ctl("token").status == 0)
    #expect(try await home.ctl("profile", "--set", "=x").status == 64)
  }
}
