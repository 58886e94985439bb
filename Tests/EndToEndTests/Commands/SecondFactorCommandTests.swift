import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SecondFactorCommandTests {
  private static let aal2 = ["token", "--assurance", "aal2"]

  /// A code that is not the factor's.
  private static func wrong(_ code: String) -> String { code == "000000" ? "111111" : "000000" }

  /// Runs `body` with a signed-in user who has an authenticator app.
  private static func withFactor(
    signIn: Bool = true, _ body: (TestHome, _ factor: String) async throws -> Void
  ) async throws {
    try await withTestHome { home in
      let factor = try home.sandbox.addFactor(to: TestHome.email, name: "Pixel").id
      if signIn { try await home.signIn() }
      try await body(home, factor)
    }
  }

  @Test(
    "an authenticator app: enroll, first code, token at aal2, list, remove; no secret and no code in the log", .home)
  func enrollsAnApp() async throws {
    try await home.signIn()
    let needed = try await home.detached(Self.aal2)
    #expect(needed.status == 8 && needed.stderr.contains("ritualctl mfa enroll totp --account default"), "\(needed)")
    let enrolled = try await home.detached(["mfa", "enroll", "totp", "--name", "Pixel"])
    #expect(enrolled.status == 0, "\(enrolled)")
    let factor = try #require(home.sandbox.factors.first)
    let secret = try #require(factor.secret)
    #expect(enrolled.stdout.contains("\nsecret  \(secret)\nuri     otpauth://totp/"), "\(enrolled)")
    #expect(try await home.detached(Self.aal2).status == 8, "an unverified factor does not count")
    let code = try #require(home.sandbox.totpCode(of: factor.id))
    let words = ["mfa", "verify", "--factor", factor.id, "--code-stdin"]
    let refused = try await home.detached(words, input: Self.wrong(code) + "\n")
    #expect(refused.status == 1, "\(refused)")
    let verified = try await home.detached(words, input: code + "\n")
    #expect(verified.status == 0, "\(verified)")
    #expect(verified.stdout == "the second factor of account default is verified (aal2)\n")
    #expect(try await home.detached(Self.aal2).status == 0)
    #expect(try await home.detached(["exec", "--assurance", "aal2", "--", "/bin/true"]).status == 0)
    #expect(try await home.ctl("status").stdout.contains("signed in, aal2"))
    #expect(try await home.ctl("whoami").stdout.hasSuffix(", account default, aal2, the default account\n"))
    let list = try await home.ctl("mfa")
    #expect(list.stdout == "\(factor.id)  authenticator app \"Pixel\"  verified\naccount default is at aal2\n")
    let removed = try await home.detached(["mfa", "remove", factor.id, "--yes"])
    #expect(removed.status == 0, "\(removed)")
    #expect(home.sandbox.factors.isEmpty)
    #expect(try await home.detached(Self.aal2).status == 8)
    let audit = try await home.ctl("audit", "--json").stdout
    #expect(["factorEnrolled", "factorVerified", "factorRemoved"].allSatisfy(audit.contains), "\(audit)")
    let log = await home.agentLog
    #expect(!log.contains(secret) && !log.contains(code))
  }

  @Test("a phone: a code is sent with exit status 8, and handed in on standard input")
  func verifiesPhones() async throws {
    let settings = SandboxSettings.with {
      $0.mfaPhoneEnroll = true
      $0.mfaPhoneVerify = true
    }
    try await withTestHome(settings) { home in
      _ = try home.sandbox.addFactor(to: TestHome.email, phone: "4915112345678")
      try await home.signIn()
      let early = try await home.detached(["mfa", "verify", "--code-stdin"], input: "123456\n")
      #expect(early.status == 64, "no code was requested: \(early)")
      let sent = try await home.detached(["mfa", "verify"])
      #expect(sent.status == 8, "\(sent)")
      let command = try #require(sent.stdout.split(separator: "\n").last?.split(separator: " ").map(String.init))
      let code = try await home.mail().code
      let verified = try await home.detached(Array(command.dropFirst()), input: code + "\n")
      #expect(verified.status == 0, "\(verified)")
      #expect(try await home.detached(Self.aal2).status == 0)
    }
  }

  @Test("after a sign-in without a terminal: exit 0 at aal1, and a note; --json has the need")
  func signsInWithoutTheFactor() async throws {
    try await Self.withFactor(signIn: false) { home, factor in
      let words = ["sign-in", "email", "--email", TestHome.email, "--password-stdin"]
      let output = try await home.detached(words, input: TestHome.password + "\n")
      #expect(output.status == 0 && output.stdout.hasPrefix("signed in to default"), "\(output)")
      #expect(output.stderr.contains("\n  ritualctl mfa verify --account default\n"), "\(output)")
      #expect(try await !home.token().isEmpty)
      #expect(try await home.ctl("status").stdout.contains("signed in, aal1"))
      let json = try await home.detached(words + ["--json", "--account", "two"], input: TestHome.password + "\n").json()
      let need = try #require(json["mfa"] as? [String: Any])
      #expect(need["needed"] as? Bool == true && need["endsAccounts"] as? [String] == ["default"], "\(need)")
    }
  }

  @Test("on a terminal, a sign-in asks for the code at once; the other sessions at aal1 end, as was said")
  func asksAfterSignIn() async throws {
    try await Self.withFactor { home, factor in
      let foreign = try await home.foreignRefreshToken()
      #expect(!foreign.isEmpty)
      let code = try #require(home.sandbox.totpCode(of: factor))
      let command = try home.startOnTerminal(
        ["sign-in", "email", "--email", TestHome.email, "--account", "two"],
        """
        expect('Password: ')
        await_echo(False)
        say('\(TestHome.password)\\n')
        expect('phone, browsers')
        expect('on this machine: default')
        expect('Code (authenticator app "Pixel"): ')
        say('\(Self.wrong(code))\\n')
        expect('Code (authenticator app "Pixel"): ')
        say('\(code)\\n')
        """)
      let output = try await command.end()
      #expect(output.status == 0 && output.stdout.contains("is verified (aal2)"), "\(output)")
      #expect(try await home.detached(Self.aal2 + ["--account", "two"]).status == 0)
      try await eventually("the other account's session has ended") {
        try await home.detached(["status", "--account", "default"]).status == 4
      }
    }
  }

  @Test("--mfa later and [sign_in] mfa = \"later\" ask nothing")
  func asksNothing() async throws {
    try await Self.withFactor(signIn: false) { home, _ in
      let typed = "expect('Password: ')\nawait_echo(False)\nsay('\(TestHome.password)\\n')\n"
      let output = try await home.startOnTerminal(
        ["sign-in", "email", "--email", TestHome.email, "--mfa", "later"], typed
      ).end()
      #expect(output.status == 0 && !output.stdout.contains("Code ("), "\(output)")
      try home.append("\n[sign_in]\nmfa = \"later\"\n")
      try await home.reload()
      let configured = try await home.startOnTerminal(["sign-in", "email", "--email", TestHome.email], typed).end()
      #expect(configured.status == 0 && !configured.stdout.contains("Code ("), "\(configured)")
    }
  }
}
