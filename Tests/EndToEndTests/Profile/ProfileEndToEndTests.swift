import AuthSandbox
import Foundation
import TestKit
import Testing

/// SE-6 and SI-4 through the built programs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProfileEndToEndTests {
  private func onboarding(_ home: TestHome) async throws -> String? {
    let accounts = try await home.ctl("status", "--json").json()["accounts"] as? [[String: Any]]
    return accounts?.first?["onboarding"] as? String
  }

  @Test("SE-6: status shows the onboarding; the profile is shown and changed; kill -9 and a failing API lose nothing")
  func showsAndChanges() async throws {
    try await withTestHome { home in
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

  @Test("SI-4: a name that a native app received once fills the profile after a restart")
  func prefills() async throws {
    try await withTestHome { home in
      let relay = "x7k2@privaterelay.appleid.com"
      var request = IDTokenRequest(provider: .apple, email: relay)
      request.nonce = try await home.sha256("raw-nonce-1")
      let token = try await home.sandbox.mintIDToken(request)
      let signedIn = try await home.ctl(
        "sign-in", "apple", "--id-token-stdin", "--nonce", "raw-nonce-1", "--name", "Anna Lund", input: token + "\n")
      #expect(signedIn.status == 0, "\(signedIn.stderr)")
      try await home.killAgent()
      try await home.startAgent()
      #expect(try await home.ctl("profile").stdout.contains("Anna Lund"))
      let changed = try await home.ctl("profile", "--set", "onboarding_complete=true", "--json")
      #expect((try changed.json()["profile"] as? [String: Any])?["display_name"] as? String == "Anna Lund")
      #expect(try await home.ctl("whoami").stdout.contains(relay), "a relay address is shown as it is")
      #expect(await !home.agentLog.contains("Anna Lund"))
    }
  }
}
