import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.home, .serialized, .timeLimit(.minutes(2))) struct AccountNamesEndToEndTests {
  @Test("a removal needs --yes without a terminal, ends the session, and leaves no account")
  func removes() async throws {
    try await home.signIn()
    let asked = try await home.ctl("accounts", "remove", "default")
    #expect(asked.status == 64 && asked.stderr.contains("ritualctl accounts remove default --yes"), "\(asked)")
    #expect(try await home.ctl("token").status == 0)
    let removed = try await home.ctl("accounts", "remove", "default", "--yes")
    #expect(removed.status == 0 && removed.stdout == "removed account default\n", "\(removed)")
    #expect(removed.stderr == "ritualctl: there are no accounts now\n  ritualctl sign-in\n")
    #expect(home.sandbox.requestCount(.logout) == 1)
    #expect(try await home.ctl("accounts").stdout == "")
    #expect(try await home.ctl("accounts", "remove", "default", "--yes").status == 64)
    try await home.signIn("--account", "work")
    try await home.signIn("--account", "home")
    let another = try await home.ctl("accounts", "remove", "work", "--yes")
    #expect(another.stderr == "ritualctl: there is no default account now\n  ritualctl use ACCOUNT\n")
  }

  @Test("on a terminal the removal is confirmed")
  func asks() async throws {
    try await home.signIn()
    for (answer, status) in [("n", 2), ("y", 0)] as [(String, Int32)] {
      let typed = "expect('from this machine? [y/N] ')\nsay('\(answer)\\n')"
      let output = try await home.startOnTerminal(["accounts", "remove", "default"], typed).end()
      #expect(output.status == status, "\(output)")
      #expect(try await home.ctl("token").status == (status == 0 ? 4 : 0))
    }
  }
}

/// RITUAL_ACCOUNT names the account of every command that has the option `--account`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AccountVariableTests {
  private static func start(
    _ home: TestHome, _ account: String, _ arguments: [String], input: String = ""
  ) async throws -> Output {
    try await home.detached(arguments, more: ["RITUAL_ACCOUNT": account], input: input)
  }

  @Test("every command uses the account of the variable, and --account wins", .home(.with { $0.manualLinking = true }))
  func appliesToEveryCommand() async throws {
    try await home.signIn()
    let leaves = try await CommandTree(home).leaves.filter { $0.options.contains("account") }
    #expect(leaves.count > 10)
    for leaf in leaves where leaf.name != "sign-in" {
      let call = leaf.sample
      let unknown = try await Self.start(home, "nobody", leaf.path + call.arguments, input: call.input)
      #expect(unknown.status == (leaf.name == "exec" ? 125 : 64), "\(leaf.name): \(unknown)")
      #expect(
        unknown.stderr.contains("  RITUAL_ACCOUNT is set to nobody; choose another account with --account\n"),
        "\(leaf.name): \(unknown)")
      guard !["sign-out", "link"].contains(leaf.name) else { continue }
      let named = try await Self.start(
        home, "nobody", leaf.path + ["--account", "default"] + call.arguments, input: call.input)
      #expect(!(named.stderr + named.stdout).contains("nobody"), "\(leaf.name): \(named)")
    }
    let invalid = try await Self.start(home, "A b", ["token"])
    #expect(invalid.status == 64 && invalid.stderr.contains("RITUAL_ACCOUNT is set to A b"), "\(invalid)")
    let json = try await Self.start(home, "nobody", ["token", "--json"])
    #expect(json.status == 64 && json.stderr.contains("RITUAL_ACCOUNT is set to nobody"), "\(json)")
    // A command without the option does not use the variable.
    let use = try await Self.start(home, "nobody", ["use", "other"])
    #expect(use.status == 64 && !use.stderr.contains("RITUAL_ACCOUNT"), "\(use)")
  }

  @Test("an empty variable counts as not set; commands read without the parser do the same as parsed ones", .home)
  func plainForm() async throws {
    try await home.signIn()
    try await home.signIn("--account", "work")
    let tokens = (try await home.token("--account", "default"), try await home.token("--account", "work"))
    #expect(tokens.0 != tokens.1)
    for more in [[], ["--color", "auto"]] {
      #expect(try await Self.start(home, "", ["token"] + more).stdout == tokens.0 + "\n")
      #expect(try await Self.start(home, "work", ["token"] + more).stdout == tokens.1 + "\n")
      let named = try await Self.start(home, "work", ["token", "--account", "default"] + more)
      #expect(named.stdout == tokens.0 + "\n")
      let run = try await Self.start(home, "work", ["exec"] + more + ["--", "printenv", "RITUAL_ACCESS_TOKEN"])
      #expect(run.stdout == tokens.1 + "\n")
      let status = try await Self.start(home, "work", ["status"] + more)
      #expect(status.stdout.contains("work") && !status.stdout.contains("default  default"), "\(status.stdout)")
    }
  }

  @Test("signs in to the account of the variable; sign-out --all ignores it", .home)
  func signsInAndOut() async throws {
    let password = ["--email", TestHome.email, "--password-stdin"]
    let output = try await Self.start(
      home, "work", ["sign-in", "email"] + password, input: TestHome.password + "\n")
    #expect(output.status == 0 && output.stdout.hasPrefix("signed in to work as "), "\(output)")
    try await home.signIn("--account", "more")
    let all = try await Self.start(home, "work", ["sign-out", "--all"])
    #expect(all.status == 0 && all.stdout == "more: signed out\nwork: signed out\n", "\(all)")
    let both = try await Self.start(home, "", ["sign-out", "--all", "--account", "work"])
    #expect(both.status == 64)
  }
}
