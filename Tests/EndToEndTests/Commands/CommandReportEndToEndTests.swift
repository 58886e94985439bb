import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// Commands report what really happened.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CommandReportEndToEndTests {
  private static func signUp(_ home: TestHome, _ arguments: String...) async throws -> Output {
    try await home.start(
      ["sign-in", "email", "--sign-up", "--email", "new@example.org", "--password-stdin"] + arguments,
      input: "long enough 1\n"
    ).end()
  }

  @Test("SI-15: a sign-up for the account of another user is refused before anything is sent", .home)
  func refusesASignUp() async throws {
    try await home.signIn()
    let output = try await Self.signUp(home)
    #expect(output.status == 1)
    #expect(output.stderr.contains("Nothing was sent."), "\(output.stderr)")
    #expect(home.sandbox.requestCount(.signUp) == 0)
    #expect(try await home.ctl("status").stdout.contains(TestHome.email))
    #expect(try await Self.signUp(home, "--account", "two").status == 0)
    #expect(home.sandbox.requestCount(.signUp) == 1)
  }

  @Test(
    "SI-7c, SI-15: without a terminal, a first sign-in by a pasted URL is refused before the code is used; --yes uses it",
    .home
  )
  func keepsTheCode() async throws {
    home.sandbox.configure { $0.autoConsentGoogle = "anna@example.org" }
    let command = try home.start(["sign-in", "google", "--no-browser"])
    try await eventually("the address") { command.stdout.contains("\n") }
    let url = command.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(url.hasPrefix(home.sandbox.url), "stdout has the address alone")
    let callback = try await home.finalAddress(of: url)
    func complete(_ arguments: String...) async throws -> Output {
      try await home.detached(["complete-sign-in", callback] + arguments)
    }
    let refused = try await complete()
    #expect(refused.status == 64, "\(refused)")
    #expect(refused.stderr.contains("ritualctl complete-sign-in --yes"), "\(refused.stderr)")
    #expect(command.isRunning, "the sign-in waits on: \(command.stderr)")
    let accepted = try await complete("--yes")
    #expect(accepted.status == 0 && accepted.stdout.contains(TestHome.email), "\(accepted)")
    #expect(try await command.end().status == 0)
    #expect(try await home.ctl("token").status == 0)
    #expect(try await complete("--yes").status == 1, "the state is spent")
  }

  @Test("ER: an offline error names the host and the cause, in text, JSON and journal")
  func namesTheCause() async throws {
    let dead = DeadPort()
    defer { dead.release() }
    try await withTestHome { home in
      for (name, url, words) in [
        ("refused", "http://127.0.0.1:\(dead.number)", "127.0.0.1:\(dead.number): connection refused"),
        // Names under .invalid do not exist (RFC 6761).
        ("unknown", "https://project.invalid", "project.invalid"),
        ("plain", home.sandbox.url.replacingOccurrences(of: "http://", with: "https://"), "TLS"),
      ] {
        let added = try await home.ctl("init", "--project", name, "--project-url", url, "--anon-key", "k")
        #expect(added.status == 0, "\(added.stderr)")
        func signIn(_ more: String...) async throws -> Output {
          try await home.start(
            ["sign-in", "email", "--project", name, "--account", name, "--email", TestHome.email, "--password-stdin"]
              + more, input: "x\n"
          ).end()
        }
        let text = try await signIn()
        #expect(text.status == 7, "\(text.stderr)")
        let sentence = "ritualctl: Connection failed. Please check your internet and try again.\n"
        let cause = text.stderr.hasPrefix(sentence + "  cannot reach ")
        #expect(cause && text.stderr.contains(words), "\(text.stderr)")
        #expect(text.stderr.contains("on this machine, not on the internet") == (name != "unknown"), "\(text.stderr)")
        let json = try await signIn("--json").stderr
        let error =
          (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["error"] as? [String: Any]
        #expect((error?["detail"] as? String)?.contains(words) == true, "\(json)")
        #expect(await home.agentLog.contains(words), "the journal")
      }
    }
  }

  @Test("a hint includes the account that was named", .home)
  func keepsTheAccount() async throws {
    try await home.signIn("--account", "work")
    home.sandbox.inject(.error(status: 400, code: "refresh_token_not_found"), at: .refresh)
    #expect(try await home.ctl("refresh", "--account", "work").stderr.contains("ritualctl sign-in --account work"))
    #expect(try await home.ctl("token", "--account", "work").stderr.contains("ritualctl sign-in --account work"))
    let bare = try await home.detached(["sign-in", "--account", "work"])
    #expect(bare.stderr.contains("apple|google|email|code --account work"), "\(bare.stderr)")
  }
}
