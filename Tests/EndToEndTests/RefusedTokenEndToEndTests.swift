import AuthSandbox
import TestKit
import Testing

/// A server whose `/user` refuses every access token while it refreshes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RefusedTokenEndToEndTests {
  private static let refusal = Fault.error(
    status: 403, code: "bad_jwt",
    message: "invalid JWT: unable to parse or verify signature, token is unverifiable: unable to find matching key")

  @Test("the session stays, the exit status is 7, and all requests together cause one refresh")
  func keepsTheSession() async throws {
    try await withTestHome(.with { $0.manualLinking = true }) { home in
      let factor = try home.sandbox.addFactor(to: TestHome.email)
      try await home.signIn()
      for endpoint in [SandboxEndpoint.user, .factors, .identities, .logout] {
        home.sandbox.inject(Self.refusal, at: endpoint, count: nil)
      }
      let before = home.sandbox.refreshCount
      let requests = [
        ["identities"], ["mfa", "list"], ["link", "google", "--no-browser"], ["unlink", "x"],
        ["mfa", "remove", factor.id, "--yes"],
        ["mfa", "verify", "--code-stdin"], ["identities"],
      ]
      for arguments in requests {
        let output = try await home.start(arguments, input: "123456\n").end()
        #expect(output.status == 7, "\(arguments): \(output.status) \(output.stderr)")
        #expect(!output.stderr.contains("expired"), "\(arguments): \(output.stderr)")
      }
      #expect(home.sandbox.refreshCount == before + 1)
      #expect(try await home.ctl("whoami").status == 0)
      #expect(try await home.accountStatus("default").state == "authenticated")
      home.sandbox.clearFaults()
      #expect(try await home.ctl("identities").status == 0)
    }
  }

  @Test("the retries of a sign-out cause one refresh, and the session ends at last")
  func signsOut() async throws {
    try await withTestHome { home in
      try await home.signIn()
      home.sandbox.inject(Self.refusal, at: .logout, count: nil)
      let before = (refreshes: home.sandbox.refreshCount, logouts: home.sandbox.requestCount(.logout))
      #expect(try await home.ctl("sign-out").status == 0)
      try await eventually("some retries") { home.sandbox.requestCount(.logout) >= before.logouts + 4 }
      #expect(home.sandbox.refreshCount == before.refreshes + 1)
      home.sandbox.clearFaults()
      try await eventually("the session ends") { home.sandbox.users.allSatisfy(\.sessions.isEmpty) }
      #expect(home.sandbox.refreshCount == before.refreshes + 1)
    }
  }

  @Test("a session that was ended elsewhere ends here with the next request")
  func endsASession() async throws {
    try await withTestHome { home in
      try await home.signIn()
      home.sandbox.revokeAllSessions()
      #expect(try await home.ctl("identities").status == 4)
      #expect(try await home.accountStatus("default").state == "signInNeeded")
    }
  }
}
