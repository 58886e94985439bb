import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LinkingEndToEndTests {
  private static let settings = SandboxSettings.with {
    $0.autoConsentGoogle = TestHome.email
    $0.manualLinking = true
  }

  private func withLinking(_ settings: SandboxSettings = settings, _ body: (TestHome) async throws -> Void)
    async throws
  {
    try await withTestHome(settings) { home in
      home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
      try await home.signIn()
      try await body(home)
    }
  }

  private func confirming(_ home: TestHome) async throws {
    try home.append("\n[linking]\npolicy = \"confirm\"\n")
    try await home.killAgent()
    try await home.startAgent()
  }

  private func identities(_ home: TestHome) async throws -> [String: String] {
    let listed = try await home.ctl("identities", "--json").json()["identities"] as? [[String: Any]] ?? []
    let pairs = listed.map { ($0["provider"] as? String ?? "", $0["identityID"] as? String ?? "") }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test("LK-3: link, identities, unlink; the last identity cannot be removed")
  func linksAndUnlinks() async throws {
    try await withLinking { home in
      let before = try await home.token()
      let command = try home.start(["link", "google"])
      try await home.browse(try await home.printedURL(of: command))
      let linked = try await command.end()
      #expect(linked.status == 0, "\(linked.stderr)")
      #expect(linked.stdout.contains("Google is linked to default"))
      #expect(try await home.token() != before)
      try await eventually("the old session ends") { home.sandbox.users[0].sessions.count == 1 }
      let found = try await identities(home)
      #expect(found.keys.sorted() == ["email", "google"])
      let gone = try await home.ctl("unlink", found["google", default: ""])
      #expect(gone.status == 0, "\(gone.stderr)")
      #expect(gone.stdout.contains("email") && !gone.stdout.contains("Google"))
      let last = try await home.ctl("unlink", found["email", default: ""])
      #expect(last.status == 1)
      #expect(last.stderr.contains("The last sign-in method cannot be removed."))
      #expect(try await home.ctl("identities").stdout.contains("anna@example.org"))
      #expect(try await home.ctl("link", "email").status == 64)
    }
  }

  @Test("LK-2: without a terminal, a link is declined and undone, and the command that accepts it is named")
  func declinesWithoutATerminal() async throws {
    try await withLinking { home in
      try await confirming(home)
      let before = try await home.token()
      // setsid(1) detaches the command from the terminal of the test run.
      let command = try RunningProgram(
        "/usr/bin/setsid", ["--wait", Programs.path("ritualctl"), "sign-in", "google"], environment: home.environment,
        folder: home.folder)
      try await home.browse(try await home.printedURL(of: command))
      let output = try await command.end()
      #expect(output.status == 2, "\(output.stderr)")
      #expect(output.stderr.contains("may not allow undoing that"))
      #expect(output.stderr.contains("Google (anna@example.org) was linked to the account of anna@example.org"))
      #expect(output.stderr.contains("ritualctl sign-in google --account default --yes"))
      #expect(home.sandbox.users[0].providers == ["email"])
      #expect(try await home.token() == before)
      let yes = try home.start(["sign-in", "google", "--yes"])
      try await home.browse(try await home.printedURL(of: yes))
      #expect(try await yes.end().status == 0)
      #expect(home.sandbox.users[0].providers == ["email", "google"])
    }
  }

  @Test("LK-2: asks on a terminal; no is the default", arguments: [("n", 2), ("y", 0)])
  func asksOnATerminal(answer: String, status: Int) async throws {
    try await withLinking { home in
      try await confirming(home)
      // On a desktop, typed text is not a pasted URL. No browser is installed.
      let environment = home.environment.merging(["DISPLAY": ":99", "PATH": Programs.folder]) { $1 }
      // script(1) gives the command a terminal, on which the answer is ready to be read.
      let command = try RunningProgram(
        "/usr/bin/script",
        ["-qec", "\(Programs.path("ritualctl")) sign-in google; echo status=$?", "/dev/null"],
        environment: environment, input: answer + "\n", folder: home.folder)
      try await home.browse(try await home.printedURL(of: command))
      let output = try await command.end()
      #expect(output.stdout.contains("Keep the link and sign in to default? [y/N]"), "\(output.stdout)")
      #expect(output.stdout.contains("status=\(status)"), "\(output.stdout)")
      #expect(home.sandbox.users[0].providers == (status == 0 ? ["email", "google"] : ["email"]))
    }
  }
}
