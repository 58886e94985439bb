import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SignInEndToEndTests {
  @Test("SI-6: signs in with email and a password from stdin", .home)
  func signsInByPassword() async throws {
    try await home.signIn()
    let status = try await home.ctl("status")
    #expect(status.status == 0)
    #expect(status.stdout.contains("signed in"))
    #expect(status.stdout.contains("anna@example.org"))
    #expect(try await home.token().split(separator: ".").count == 3)
  }

  @Test("SI-6: signs up with and without confirmation by email", .home)
  func signsUp() async throws {
    let first = try await home.ctl(
      "sign-in", "email", "--sign-up", "--email", "new@example.org", "--password-stdin", input: "long enough 1\n")
    #expect(first.status == 0, "\(first.stderr)")
    home.sandbox.configure { $0.autoconfirm = false }
    for address in ["other@example.org", "new@example.org"] {
      let second = try await home.ctl(
        "sign-in", "email", "--sign-up", "--account", "two", "--email", address, "--password-stdin",
        input: "long enough 1\n")
      #expect(second.status == 4, "the same for an address that is known already")
    }
    #expect(try await home.ctl("token", "--account", "two").status == 64)
  }

  @Test(
    "SI-2, SI-3: signs in with Google and Apple through the browser on loopback", .home, arguments: ["google", "apple"])
  func signsInByBrowser(provider: String) async throws {
    home.sandbox.configure {
      $0.autoConsentGoogle = "anna@example.org"
      $0.autoConsentApple = "anna@example.org"
    }
    let command = try home.start(["sign-in", provider])
    let url = try await home.printedURL(of: command)
    #expect(url.contains("code_challenge_method=s256"))
    var page = try await home.browse(url)
    // Apple responds with a form that the browser submits by itself.
    if provider == "apple" { page = try await home.submit(try ConsentForm(page)) }
    #expect(page.lowercased().contains("signed in"), "\(page)")
    let output = try await command.end()
    #expect(output.status == 0, "\(output.stderr)")
    #expect(try await home.ctl("status").stdout.contains("anna@example.org"))
    #expect(try await !home.token().isEmpty)
  }

  @Test("SI-10: a second sign-in for the account is refused, and can take over; the first one is then cancelled", .home)
  func takesOver() async throws {
    let first = try home.start(["sign-in", "google"])
    _ = try await home.printedURL(of: first)
    let second = try await home.ctl("sign-in", "google")
    #expect(second.status == 1)
    #expect(second.stderr.contains("A sign-in for this account is already running."))
    #expect(second.stderr.contains("--take-over"))
    let other = try home.start(["sign-in", "google", "--account", "other"])
    _ = try await home.printedURL(of: other)
    let third = try home.start(["sign-in", "google", "--take-over"])
    let url = try await home.printedURL(of: third)
    #expect(try await first.end().status == 2)
    #expect(other.isRunning, "another account's goes on")
    home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
    try await home.browse(url)
    let output = try await third.end()
    #expect(output.status == 0, "\(output.stderr)")
    await other.stop()
  }

  @Test("SI-3: accepts an Apple identity token with our nonce; refuses a foreign nonce before anything is sent", .home)
  func exchangesAnIDToken() async throws {
    var request = IDTokenRequest(provider: .apple, email: "anna@example.org")
    request.nonce = "4f1bd1f4ba6ed4ad3e0e7a9d1e2bd7df5d0ff2c7e5b6d6c2a3c9e5a0b8d7c6e5"
    let wrong = try await home.sandbox.mintIDToken(request)
    let refused = try await home.ctl("sign-in", "apple", "--id-token-stdin", "--nonce", "raw", input: wrong + "\n")
    #expect(refused.status == 1)
    #expect(home.sandbox.requestCount(.idToken) == 0)
    // SHA-256 of "raw-nonce-1".
    request.nonce = try await home.sha256("raw-nonce-1")
    let token = try await home.sandbox.mintIDToken(request)
    let output = try await home.ctl(
      "sign-in", "apple", "--id-token-stdin", "--nonce", "raw-nonce-1", input: token + "\n")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(try await !home.token().isEmpty)
  }

  @Test("SI-15: a sign-in as another user replaces nothing", .home(users: [TestHome.email, "bert@example.org"]))
  func refusesTheWrongUser() async throws {
    try await home.signIn()
    let before = try await home.token()
    let output = try await home.ctl(
      "sign-in", "email", "--email", "bert@example.org", "--password-stdin", input: TestHome.password + "\n")
    #expect(output.status == 1)
    #expect(output.stderr.contains("a different user"))
    #expect(output.stderr.contains("--replace") && !output.stderr.contains("Nothing was changed"))
    #expect(output.stderr.contains("The new session was revoked."), "\(output.stderr)")
    #expect(try await home.token() == before)
    try await eventually("the new session is revoked") { home.sandbox.requestCount(.logout) == 1 }
    try await home.signIn("--replace", email: "bert@example.org")
    #expect(try await home.ctl("status").stdout.contains("bert@example.org"))
  }
}
