import Foundation
import TestKit
import Testing

/// The layout of `status` in every state and at several widths. Without a terminal, COLUMNS is the
/// width.
@Suite(.timeLimit(.minutes(2))) struct StatusLayoutTests {
  /// An account in each state that an open vault can have.
  private static func everyState() -> String {
    let error =
      #"{"code":-1,"message":"m","data":{"kind":"offline","retryable":true,"detail":"a.test: connection refused"}}"#
    let late =
      #","expiresAt":"\#(StatusTests.moment(in: 240))","#
      + #""refresh":{"nextAt":"\#(StatusTests.moment(in: 720))","attempts":1,"lastError":\#(error)}"#
    let ended = #","ended":{"at":"2025-05-04T09:14:00Z","reason":"ended elsewhere"}"#
    let ben = StatusTests.user("ben@example.org")
    return [
      StatusTests.account("authenticated", StatusTests.user() + StatusTests.schedule(), usable: true),
      StatusTests.account("degraded", ben + late, name: "late", usable: true, isDefault: false),
      StatusTests.account("signInNeeded", ben + ended, name: "home", isDefault: false),
      StatusTests.account("unauthenticated", name: "out", isDefault: false),
      StatusTests.account("misconfigured", #","origin":"https://a.test""#, name: "moved", isDefault: false),
      StatusTests.account("newer", name: "new", isDefault: false),
    ].joined(separator: ",")
  }

  private static let problems = """
    ! late: token valid for 4 min, next attempt in 12 min
        1 attempt failed (offline: a.test: connection refused)
        ritualctl why --account late
    ! home: ended elsewhere 2025-05-04 09:14 UTC
        ritualctl sign-in --account home
    ! moved: signed in at https://a.test, which is not in the configuration
        ritualctl sign-in --account moved
    ! something is odd: ritualctl doctor --color never

    """

  private static let table = """
    agent 1.0.2, up 3 d, vault unlocked (key file)
      ACCOUNT  PROJECT  STATE           USER              TOKEN
    * work     prod     signed in       anna@example.org  refreshes in 54 min
      late     prod     degraded        ben@example.org   valid for 4 min
      home     prod     sign-in needed  ben@example.org   -
      out      prod     signed out      -                 -
      moved    prod     misconfigured   -                 -
      new      prod     newer           -                 -

    """

  private static let blocks = """
    * work
        project  prod
        state    signed in
        user     anna@example.org (Google)
        token    refreshes in 54 min
      late
        project  prod
        state    degraded
        user     ben@example.org (Google)
        token    valid for 4 min
      home
        project  prod
        state    sign-in needed
        user     ben@example.org (Google)
      out
        project  prod
        state    signed out
      moved
        project  prod
        state    misconfigured
      new
        project  prod
        state    newer

    """

  private static let sixtyProblems = problems.replacingOccurrences(
    of: "which is not in the configuration", with: "which is not in the\n  configuration")

  private static let narrowProblems = """
    ! late: token valid for 4 min, next
      attempt in 12 min
        1 attempt failed (offline: a.test:
        connection refused)
        ritualctl why --account late
    ! home: ended elsewhere 2025-05-04 09:14
      UTC
        ritualctl sign-in --account home
    ! moved: signed in at https://a.test,
      which is not in the configuration
        ritualctl sign-in --account moved
    ! something is odd:
      ritualctl doctor --color never

    """

  @Test(
    "every state has a row at 80 columns, and a block of lines at 60 and 40",
    arguments: [
      (nil, table + problems), (80, table + problems),
      (60, "agent 1.0.2, up 3 d, vault unlocked (key file)\n" + blocks + sixtyProblems),
      (40, "agent 1.0.2, up 3 d, vault unlocked (key\n  file)\n" + blocks + narrowProblems),
    ] as [(Int?, String)])
  func laysOut(columns: Int?, expected: String) async throws {
    try await withBench { _, _ in
      StatusTests.status(Self.everyState(), health: #""something is odd: ritualctl doctor --color never""#)
    } _: { bench in
      let environment = columns.map { ["COLUMNS": "\($0)"] } ?? [:]
      let output = try await bench.run("status", environment: environment)
      #expect(StatusTests.withoutMinutes(output.stdout) == StatusTests.withoutMinutes(expected))
    }
  }

  @Test("a narrow terminal gets the cause in folded lines, the command in one, and less of a long project's name")
  func foldsCauses() async throws {
    let (account, project) = ("an-account-with-quite-a-long-name", "a-project-with-quite-a-long-name-")
    let error =
      #"{"code":-1,"message":"m","data":{"kind":"offline","retryable":true,"detail":"a-long-host.test: cannot resolve it"}}"#
    let refresh = #","refresh":{"attempts":1,"lastError":\#(error)}"#
    let status = StatusTests.status(StatusTests.account("degraded", refresh, name: account))
      .replacingOccurrences(of: #""prod""#, with: #""\#(project)""#)
    try await withBench(status) { bench in
      let output = try await bench.run("status", environment: ["COLUMNS": "40"])
      #expect(
        output.stdout.hasSuffix(
          """
          * \(account)
              project  a-project-wit…-a-long-name-
              state    degraded
              token    no token yet
          ! \(account): no
            token yet
              1 attempt failed (offline:
              a-long-host.test: cannot resolve it)
              ritualctl why --account \(account)

          """), "\(output.stdout)")
      let lines = output.stdout.split(separator: "\n").filter { !$0.contains("ritualctl why") }
      #expect(lines.allSatisfy { $0.count <= 40 })
    }
  }

  @Test("a wide terminal shows the times of the next refresh and the expiry")
  func usesAWideTerminal() async throws {
    let account = StatusTests.account("authenticated", StatusTests.user() + StatusTests.schedule(), usable: true)
    try await withBench(StatusTests.status(account)) { bench in
      let output = try await bench.run("status", environment: ["COLUMNS": "120", "TZ": "XYZ-1"])
      // The date is shown if the day changes before the refresh.
      let token = /refreshes in 5\d min \((\d{4}-\d\d-\d\d )?\d\d:\d\d XYZ\), valid for 5\d min\n/
      #expect(output.stdout.contains(token), "\(output.stdout)")
      let narrow = try await bench.run("status", environment: ["COLUMNS": "78"])
      #expect(narrow.stdout.contains(/anna@example.org \(Google\)  refreshes in 5\d min\n$/), "\(narrow.stdout)")
    }
  }

  @Test("a locked and a copied vault show the accounts' names and the command")
  func showsClosedVaults() async throws {
    let locked = StatusTests.account("locked").replacingOccurrences(of: "prod", with: "")
    let other = StatusTests.account("locked", name: "home", isDefault: false).replacingOccurrences(of: "prod", with: "")
    try await withBench(StatusTests.status(locked + "," + other, vault: "locked")) { bench in
      let output = try await bench.run("status")
      #expect(
        output.stdout == """
          agent 1.0.2, up 3 d, vault locked (key file)
            ACCOUNT  PROJECT  STATE   USER  TOKEN
          * work     -        locked  -     -
            home     -        locked  -     -
          ! the vault is locked
              ritualctl unlock

          """)
    }
    let copied = StatusTests.account("copied", StatusTests.user())
    let health = #""the vault was copied: ritualctl vault adopt""#
    try await withBench { method, _ in
      method == "session.list"
        ? Reply.result(#"{"accounts":[\#(copied)]}"#) : StatusTests.status(copied, vault: "copied", health: health)
    } _: { bench in
      let table = """
          ACCOUNT  PROJECT  STATE   USER                       TOKEN
        * work     prod     copied  anna@example.org (Google)  -

        """
      let status = try await bench.run("status")
      #expect(
        status.stdout == "agent 1.0.2, up 3 d, vault copied (key file)\n" + table
          + "! the vault was copied: ritualctl vault adopt\n")
      let accounts = try await bench.run("accounts")
      #expect(
        accounts.stdout == table
          + "! the vault was copied from another machine\n    ritualctl vault adopt\n")
    }
  }

  @Test("a long email is shortened in the middle, and only if it does not fit")
  func shortensEmails() async throws {
    let email = "anna-maria.van-der-berg@mail.subdomain.example.org"
    let account = StatusTests.account("authenticated", StatusTests.user(email) + StatusTests.schedule(), usable: true)
    try await withBench(StatusTests.status(account)) { bench in
      for (columns, user) in [
        (200, email + " (Google)"), (102, email), (101, "anna-maria.van-der-berg@…il.subdomain.example.org"),
        (80, "anna-maria.van…n.example.org"), (69, "anna-mar…mple.org"),
      ] {
        let output = try await bench.run("status", environment: ["COLUMNS": "\(columns)"])
        #expect(output.stdout.contains("  \(user)  refreshes"), "\(columns): \(output.stdout)")
        #expect(output.stdout.split(separator: "\n").allSatisfy { $0.count <= columns })
      }
      let blocks = try await bench.run("status", environment: ["COLUMNS": "67"])
      #expect(blocks.stdout.contains("    user     \(email)\n"), "\(blocks.stdout)")
      let narrow = try await bench.run("status", environment: ["COLUMNS": "40"])
      #expect(narrow.stdout.contains("    user     anna-maria.va…n.example.org\n"), "\(narrow.stdout)")
    }
  }

  @Test("wide and combining characters keep the columns aligned, as Python's Unicode tables measure them")
  func alignsWideCharacters() async throws {
    let names = ["anna", "山田太郎", "한국어", "Zoe\u{308}", "😀 Anna", "ﾊﾝｶｸ", "Ａｎｎａ"]
    let accounts = names.enumerated().map { index, name in
      StatusTests.account(
        "authenticated", #","user":{"id":"u","name":"\#(name)"}"#, name: "a\(index)", usable: true, isDefault: false)
    }
    let measure = """
      import sys, unicodedata
      def width(c): return 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
      for line in sys.stdin:
          i = max(line.find('TOKEN'), line.find('valid'))
          if i >= 0: print(sum(width(c) for c in line[:i]))
      """
    try await withBench(StatusTests.status(accounts.joined(separator: ","))) { bench in
      let status = try await bench.run("status").stdout
      let measured = try await RunningProgram(
        "/usr/bin/python3", ["-c", measure], environment: ["PYTHONIOENCODING": "utf-8"], input: status,
        folder: bench.folder
      ).end().stdout
      let columns = measured.split(separator: "\n")
      #expect(columns.count == names.count + 1 && Set(columns).count == 1, "\(status)\(measured)")
    }
  }

  @Test("a terminal's own width counts")
  func asksTheTerminal() async throws {
    try await withBench { _, _ in
      StatusTests.status(Self.everyState(), health: #""something is odd: ritualctl doctor --color never""#)
    } _: { bench in
      let narrow = try await bench.runInTerminal(
        columns: 40, environment: ["TERM": "dumb", "COLUMNS": "80"], line: "\"$0\" status")
      #expect(
        StatusTests.withoutMinutes(narrow.stdout)
          == StatusTests.withoutMinutes(
            "agent 1.0.2, up 3 d, vault unlocked (key\n  file)\n" + Self.blocks + Self.narrowProblems))
      let wide = try await bench.runInTerminal(columns: 80, environment: ["TERM": "dumb"], line: "\"$0\" status")
      #expect(
        StatusTests.withoutMinutes(wide.stdout) == StatusTests.withoutMinutes(Self.table + Self.problems))
    }
  }
}

/// When each stream is colored.
@Suite(.timeLimit(.minutes(2))) struct ColorTests {
  private static let green = "\u{1B}[32msigned in\u{1B}[0m"

  @Test(
    "standard output is colored on a terminal, unless TERM, NO_COLOR or --color say otherwise",
    arguments: [
      (["TERM": "xterm"], "", true), (["TERM": "dumb"], "", false), ([:], "", false),
      (["TERM": "xterm", "NO_COLOR": "1"], "", false), (["TERM": "xterm", "NO_COLOR": ""], "", true),
      (["TERM": "xterm"], "--color never", false), (["TERM": "dumb", "NO_COLOR": "1"], "--color always", true),
      (["TERM": "xterm"], "| cat", false), (["TERM": "xterm"], "--color always | cat", true),
    ] as [([String: String], String, Bool)])
  func colorsOutput(environment: [String: String], more: String, isColored: Bool) async throws {
    try await withBench(StatusTests.status(StatusTests.account("authenticated", usable: true))) { bench in
      let output = try await bench.runInTerminal(columns: 80, environment: environment, line: "\"$0\" status \(more)")
      #expect(output.stdout.contains("signed in"), "\(output.stdout)")
      #expect(output.stdout.contains(Self.green) == isColored, "\(output.stdout)")
      #expect(output.stdout.contains("\u{1B}") == isColored)
    }
  }

  /// The reset at the end of a mark.
  private static let end = "\u{1B}[0m"

  @Test(
    "errors are red and warnings yellow if standard error is a terminal, whatever standard output is",
    arguments: [
      ("status --account nobody >/dev/null", "\u{1B}[31mritualctl:\(end) There is no account"),
      ("lock --nonsense", "\u{1B}[31mritualctl:\(end) unknown option"),
      ("lock >/dev/null", "ritualctl: \u{1B}[33mwarning:\(end) words"),
      ("status --account nobody 2>&1 | cat", "ritualctl: There is no account"),
      ("lock --nonsense --color never", "ritualctl: unknown option"),
      ("lock --color=never >/dev/null", "ritualctl: warning: words"),
    ])
  func colorsErrors(line: String, expected: String) async throws {
    try await withBench { method, _ in
      method == "vault.lock" ? Reply.result(#"{"opensByFile":false,"warning":"words"}"#) : StatusTests.status("")
    } _: { bench in
      let output = try await bench.runInTerminal(columns: 80, environment: ["TERM": "xterm"], line: "\"$0\" \(line)")
      #expect(output.stdout.hasPrefix(expected), "\(output.stdout)")
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct ShortStatusTests {
  private static let offline =
    #","refresh":{"attempts":3,"lastError":{"code":-1,"message":"m","data":{"kind":"offline","retryable":true}}}"#

  @Test(
    "names the account, and a state that needs attention; the exit status is that of the long form",
    arguments: [
      (StatusTests.account("authenticated", usable: true), "open", "work", 0),
      (StatusTests.account("authenticated"), "open", "work:no-token", 7),
      (StatusTests.account("degraded", offline, usable: true), "open", "work:offline", 0),
      (StatusTests.account("degraded", offline), "open", "work:offline", 7),
      (StatusTests.account("degraded"), "open", "work:degraded", 7),
      (StatusTests.account("unauthenticated"), "open", "work:sign-in", 4),
      (StatusTests.account("signInNeeded"), "open", "work:sign-in", 4),
      (StatusTests.account("copied"), "copied", "work:copied", 4),
      (StatusTests.account("misconfigured"), "open", "work:misconfigured", 4),
      (StatusTests.account("locked"), "locked", "work:locked", 5),
      (StatusTests.account("newer"), "open", "work:no-token", 7),
      (StatusTests.account("authenticated", name: "$(id)%n`", usable: true), "open", "", 0),
      ("", "open", ":sign-in", 4), ("", "locked", ":locked", 5), ("", "unavailable", ":unavailable", 5),
    ] as [(String, String, String, Int32)])
  func namesState(account: String, vault: String, expected: String, status: Int32) async throws {
    try await withBench(StatusTests.status(account, vault: vault, health: #""something is odd""#)) { bench in
      for more in [[], ["--timeout", "30"]] {
        let output = try await bench.start(["status", "--short"] + more).end()
        #expect(output.stdout == (expected.isEmpty ? "" : expected + "\n"))
        #expect(output.stderr == "")
        #expect(output.status == status)
      }
      for more in expected.hasPrefix("work") ? [[], ["--account", "work"]] : [[]] {
        #expect(try await bench.start(["status"] + more).end().status == status)
      }
    }
  }

  @Test("an account given by name is shown also if its state is unknown, and rejected if it does not exist")
  func takesAName() async throws {
    for (vault, expected) in [("locked", "nobody:locked\n"), ("unavailable", "nobody:unavailable\n")] {
      try await withBench(StatusTests.status("", vault: vault)) { bench in
        let output = try await bench.run("status", "--short", "--account", "nobody")
        #expect((output.stdout, output.stderr, output.status) == (expected, "", 5))
      }
    }
    try await withBench(StatusTests.status(StatusTests.account("authenticated", usable: true))) { bench in
      #expect(try await bench.run("status", "--account", "work", "--short").stdout == "work\n")
      let unknown = try await bench.run("status", "--short", "--account", "nobody")
      #expect((unknown.stdout, unknown.status) == ("", 64))
      #expect(unknown.stderr.hasPrefix("ritualctl: There is no account named nobody."))
    }
  }

  @Test("prints nothing if no agent answers")
  func isSilentWithoutAgent() async throws {
    try await withScratchDirectory { folder in
      let environment = ["RITUAL_AGENT_SOCKET": folder.path + "/none"]
      let output = try await Ritualctl(["status", "--short"], in: folder, environment: environment).end()
      #expect((output.stdout, output.stderr, output.status) == ("", "", 3))
    }
    try await withScratchDirectory { folder in
      let server = try ScriptedServer(in: folder) { while $0.readLine() != nil {} }
      defer { server.stop() }
      let output = try await Bench(folder: folder, server: server).run("status", "--short", "--timeout", "0.1")
      #expect((output.stdout, output.stderr, output.status) == ("", "", 7))
    }
  }

  @Test(
    "forms that exclude each other are wrong usage, with the command to use instead",
    arguments: [
      (["--watch", "--json"], "ritualctl events --json"), (["--short", "--watch"], "--short cannot be combined"),
      (["--short", "--json"], "--short cannot be combined"),
    ])
  func rejectsCombinations(arguments: [String], words: String) async throws {
    try await withBench(StatusTests.status("")) { bench in
      let output = try await bench.start(["status"] + arguments).end()
      #expect(output.status == 64 && output.stdout == "")
      #expect(output.stderr.contains(words), "\(output.stderr)")
    }
  }
}
