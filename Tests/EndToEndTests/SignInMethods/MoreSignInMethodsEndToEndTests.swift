import AuthSandbox
import Foundation
import TestKit
import Testing

/// Providers by name, single sign-on, anonymous users and projects with a CAPTCHA, against the
/// sandbox.
@Suite(.timeLimit(.minutes(5))) struct MoreSignInMethodsEndToEndTests {
  @Test("any provider that the project has on; to /authorize go exactly five parameters")
  func signsInByProvider() async throws {
    let settings = SandboxSettings.with {
      $0.providers = ["github"]
      $0.autoConsent = ["github": TestHome.email]
    }
    try await withTestHome(settings) { home in
      let command = try home.start(["sign-in", "github", "--scopes", "read:org gist"])
      let url = try await home.printedURL(of: command)
      let names = URLComponents(string: url)?.queryItems?.map(\.name).sorted()
      #expect(
        names == ["code_challenge", "code_challenge_method", "provider", "redirect_to", "scopes"], "\(url)")
      try await home.browse(url)
      let output = try await command.end()
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout == "signed in to default as anna@example.org (GitHub)\n")
    }
  }

  @Test("single sign-on through the organization's page")
  func signsInBySSO() async throws {
    try await withTestHome(.with { $0.ssoDomains = ["example.org"] }) { home in
      let command = try home.start(["sign-in", "sso", "--domain", "Example.ORG"])
      func url() -> String? {
        command.stderr.split(whereSeparator: \.isWhitespace).map(String.init).first { $0.hasPrefix("http://127.0.0.1") }
      }
      try await eventually("the URL: \(command.stderr)") { url() != nil && command.stderr.contains("2 minutes") }
      var page = try await home.browse(try #require(url()))
      page = try await home.submit(try ConsentForm(page), ["action": "allow", "email": TestHome.email])
      page = try await home.submit(try ConsentForm(page))
      let output = try await command.end()
      #expect(output.status == 0, "\(output) \(page)")
      #expect(output.stdout == "signed in to default as anna@example.org (single sign-on)\n")
      let unknown = try await home.detached(["sign-in", "sso", "--domain", "nowhere.org", "--account", "two"])
      #expect(unknown.status == 1, "\(unknown)")
    }
  }

  @Test("an anonymous user is lost only with --yes")
  func keepsAnonymousUsers() async throws {
    try await withTestHome(.with { $0.anonymousEnabled = true }) { home in
      let output = try await home.detached(["sign-in", "anonymous"])
      #expect(output.status == 0 && output.stdout == "signed in to default as anonymous user\n", "\(output)")
      let again = try await home.detached(["sign-in", "anonymous"])
      #expect(again.status == 64, "\(again)")
      #expect(try await home.detached(["status"]).stdout.contains("a sign-out loses this user"))
      for words in [["sign-out"], ["sign-out", "--all"], ["accounts", "remove", "default"], ["reset"]] {
        let refused = try await home.detached(words)
        #expect(refused.status == 64 && refused.stderr.contains("--yes"), "\(words): \(refused)")
      }
      #expect(try await home.detached(["accounts", "remove", "default", "--json"]).status == 64)
      #expect(try await home.detached(["token"]).status == 0)
      #expect(home.sandbox.requestCount(.logout) == 0)
      #expect(try await home.detached(["sign-out", "--yes"]).stdout == "default: signed out\n")
      #expect(try await home.detached(["sign-in", "anonymous"]).status == 0)
      #expect(try await home.detached(["reset", "--yes"]).stdout.hasPrefix("default: signed out\n"))
      #expect(home.sandbox.requestCount(.logout) == 2)
    }
  }

  @Test(
    "an email address or a provider makes an anonymous user permanent, with the same ID",
    arguments: ["email", "google"])
  func upgradesAnonymousUsers(method: String) async throws {
    let settings = SandboxSettings.with {
      ($0.anonymousEnabled, $0.manualLinking, $0.autoconfirm) = (true, true, false)
      $0.autoConsentGoogle = "guest@example.org"
    }
    try await withTestHome(settings, users: []) { home in
      func user() async throws -> [String: Any] {
        try #require(try await home.detached(["whoami", "--json"]).json()["user"] as? [String: Any])
      }
      #expect(try await home.detached(["sign-in", "anonymous"]).status == 0)
      let before = try await user()
      #expect(before["isAnonymous"] as? Bool == true)
      if method == "email" {
        let words = ["link", "email", "--email", "guest@example.org"]
        #expect(try await home.detached(words).status == 4)
        let output = try await home.detached(words + ["--code-stdin"], input: try await home.mail().code + "\n")
        #expect(output.status == 0, "\(output)")
      } else {
        let command = try home.start(["link", "google"])
        try await home.browse(try await home.printedURL(of: command))
        let output = try await command.end()
        #expect(output.status == 0, "\(output)")
      }
      let after = try await user()
      #expect(after["id"] as? String == before["id"] as? String)
      #expect(after["isAnonymous"] as? Bool != true && after["email"] as? String == "guest@example.org")
      #expect(try await home.detached(["whoami"]).stdout.hasPrefix("guest@example.org"))
      let status = try await home.detached(["status"]).stdout
      #expect(!status.contains("anonymous"), "\(status)")
      try await eventually("the anonymous session has ended") { home.sandbox.users.last?.sessions.count == 1 }
      #expect(try await home.detached(["sign-out"]).stdout == "default: signed out\n")
    }
  }

  @Test("a project with a CAPTCHA: the refusal says what works, and a provider works")
  func namesWaysAroundCAPTCHA() async throws {
    let settings = SandboxSettings.with {
      ($0.captcha, $0.autoConsentGoogle, $0.anonymousEnabled) = (.on, TestHome.email, true)
      $0.ssoDomains = ["example.org"]
    }
    try await withTestHome(settings) { home in
      for words in [
        ["email", "--email", TestHome.email, "--password-stdin"], ["code", "--email", TestHome.email], ["anonymous"],
        ["sso", "--domain", "example.org"],
      ] {
        let output = try await home.detached(["sign-in"] + words, input: TestHome.password + "\n")
        #expect(output.status == 1, "\(output)")
        for part in ["CAPTCHA", "ritualctl sign-in PROVIDER", "--session-stdin", "sign_in_page"] {
          #expect(output.stderr.contains(part), "\(output.stderr)")
        }
      }
      let command = try home.start(["sign-in", "google"])
      try await home.browse(try await home.printedURL(of: command))
      #expect(try await command.end().status == 0)
    }
  }
}
