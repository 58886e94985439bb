import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// ER: the user-visible messages, situation by situation, through the built programs. The messages
/// are repeated here as the requirements have them, so that a change of the table in the source is
/// noticed.
@Suite(.home, .serialized, .timeLimit(.minutes(3))) struct MessagesEndToEndTests {
  /// Checks standard error, which begins with the message, and the exit status.
  private static func expect(_ output: Output, _ words: String, _ status: Int32, _ next: String = "") {
    #expect(output.status == status, "\(output.stderr)")
    #expect(output.stdout == "")
    #expect(output.stderr.hasPrefix("ritualctl: \(words)\n"), "\(output.stderr)")
    if !next.isEmpty { #expect(output.stderr.contains("\n  \(next)"), "\(output.stderr)") }
  }

  private static func signIn(_ home: TestHome, _ arguments: String..., password: String = TestHome.password)
    async throws -> Output
  {
    try await home.start(
      ["sign-in", "email", "--email", TestHome.email, "--password-stdin"] + arguments, input: password + "\n"
    ).end()
  }

  @Test("sign-in errors: no network, wrong credentials, 5xx, and no message for a cancelled sign-in")
  func signInWords() async throws {
    let bad = try await Self.signIn(home, password: "wrong")
    Self.expect(bad, "Sign in failed. Please check your email and password.", 1)
    home.sandbox.inject(.error(status: 503, code: "unexpected_failure"), at: .password, count: 5)
    let down = try await Self.signIn(home)
    Self.expect(down, "Service temporarily unavailable. Please try again later.", 7)
    let dead = DeadPort()
    defer { dead.release() }
    let url = "http://127.0.0.1:\(dead.number)"
    let far = try await home.ctl("init", "--project", "far", "--project-url", url, "--anon-key", "k")
    #expect(far.status == 0)
    let offline = try await Self.signIn(home, "--project", "far", "--account", "far")
    Self.expect(offline, "Connection failed. Please check your internet and try again.", 7)
    let command = try home.start(["sign-in", "google"])
    let page = try await home.browse(try await home.printedURL(of: command))
    try await home.submit(try ConsentForm(page), ["action": "cancel"])
    let cancelled = try await command.end()
    #expect(cancelled.status == 2)
    #expect(cancelled.stderr.contains("open this URL"), "\(cancelled.stderr)")
    #expect(!cancelled.stderr.contains("ancelled") && !cancelled.stderr.contains("failed"), "\(cancelled.stderr)")
  }

  @Test("a deliberate sign-out is no problem in status and doctor")
  func signedOutIsNoProblem() async throws {
    try await home.signIn()
    #expect(try await home.ctl("sign-out").status == 0)
    let status = try await home.ctl("status")
    #expect(status.status == 4 && status.stdout.contains("signed out"), "\(status.stdout)")
    #expect(!status.stdout.contains("!"), "\(status.stdout)")
    let doctor = try await home.ctl("doctor").stdout
    #expect(doctor.contains("ok    accounts: default: signed out\n"), "\(doctor)")
  }

  @Test("a stream that is closed or full is a failure; a pipe that was closed needs no words")
  func outputIsLost() async throws {
    try await home.signIn()
    func shell(_ script: String) async throws -> Output {
      try await home.run("/bin/bash", ["-c", script])
    }
    for command in [
      "ritualctl status", "ritualctl status --json", "ritualctl token", "ritualctl --version",
      "ritualctl --help", "ritualctl audit", "ritual-agentd --version", "ritual-agentd --check-config",
    ] {
      for target in ["/dev/full", "&-"] {
        let output = try await shell("\(command) >\(target)")
        #expect(output.status == 1 && output.stderr.contains("cannot be written"), "\(command) \(target): \(output)")
      }
    }
    // As some supervisors and scripts do. A closed stream is never the agent's socket.
    for (line, words) in [
      ("sign-in email --email a@example.org --password-stdin --account other <&-", "cannot be read"),
      ("unlock --passphrase-stdin <&-", "cannot be read"), ("events >&-", "cannot be written"),
    ] {
      let closed = try await shell("ritualctl \(line)")
      #expect(closed.status == 1 && closed.stderr.contains(words), "\(line): \(closed)")
    }
    #expect(try await shell("ritualctl token 2>&-").status == 0)
    for command in ["status", "status --json", "audit", "--help"] {
      let filter = try await shell("ritualctl \(command) | true; exit ${PIPESTATUS[0]}")
      // The test run may ignore SIGPIPE.
      #expect([0, 1, 128 + SIGPIPE].contains(filter.status) && filter.stderr == "", "\(filter)")
      // As under systemd, which ignores SIGPIPE by default (IgnoreSIGPIPE=). The FIFO has no reader any more.
      let closed = try await shell(
        "trap '' PIPE; mkfifo f; exec 3<>f 4>f; exec 3<&-; ritualctl \(command) >&4; s=$?; rm f; exit $s")
      #expect(closed.status == 1 && closed.stderr == "", "\(closed)")
    }
  }

  @Test("a URL without our state is reported as the Site URL's, with the redirect URL to allow")
  func callbackWords() async throws {
    let words = "Sign in failed. Please try again."
    let foreign = try await home.ctl("complete-sign-in", "http://127.0.0.1:1022/callback?attempt=x&code=1")
    Self.expect(foreign, words, 1, "this URL belongs to no sign-in that is waiting")
    let siteURL = try await home.ctl("complete-sign-in", "https://app.example.org/?code=58a793e3")
    Self.expect(
      siteURL, words, 1, "your project sent you to its Site URL: add http://127.0.0.1:*/** to its redirect URLs")
    let tokens = try await home.ctl("complete-sign-in", "http://127.0.0.1:1022/callback#access_token=1")
    Self.expect(tokens, words, 1, "the URL contains tokens")
  }

  @Test("reports a link that conflicts")
  func linkingWords() async throws {
    let command = try home.start(["sign-in", "google", "--no-browser"])
    try await eventually("the address") { command.stdout.contains("\n") }
    let url = command.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let attempt = try #require(url.firstMatch(of: /attempt%3D([A-Za-z0-9_-]+)/)).1
    let callback = "http://127.0.0.1:1022/callback?attempt=\(attempt)&error=server_error&error_code=email_exists"
    let words = "This email is already associated with another account."
    Self.expect(try await home.ctl("complete-sign-in", callback), words, 1)
    let output = try await command.end()
    #expect(output.status == 1)
    #expect(output.stderr.contains("ritualctl: \(words)\n"))
  }

  @Test("a vault that cannot be opened: locked, key missing, permissions too open")
  func vaultWords() async throws {
    try await home.signIn()
    #expect(try await home.ctl("lock").status == 0)
    Self.expect(try await home.ctl("token"), "The vault is locked.", 5, "ritualctl unlock")
    #expect(try await home.ctl("unlock").status == 0)
    await home.stopAgent()
    let words = "Unable to access secure storage."
    let key = home.folder.path + "/data/ritual-agent/vault.key"
    rename(key, key + ".away")
    unlink(key + ".2")
    try await home.startAgent()
    Self.expect(try await home.ctl("token"), words, 1, "\(key) is missing: restore it from a backup")
    await home.stopAgent()
    rename(key + ".away", key)
    chmod(key, 0o644)
    try await home.startAgent()
    Self.expect(try await home.ctl("token"), words, 1)
    #expect(try await home.ctl("token").stderr.contains("chmod 600 "))
    await home.stopAgent()
    chmod(key, 0o600)
    try await home.startAgent()
    #expect(try await home.ctl("token").status == 0)
  }
}
