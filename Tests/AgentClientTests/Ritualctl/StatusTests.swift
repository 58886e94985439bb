import AgentProtocol
import Foundation
import Glibc
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct StatusTests {
  static func status(_ accounts: String, vault: String = "open", health: String = "") -> String {
    Reply.result(
      #"{"version":"1.0.2","uptime":260000,"pid":7,"vault":{"state":"\#(vault)","openedBy":"key file","damaged":[]},"#
        + #""accounts":[\#(accounts)],"health":[\#(health)]}"#)
  }

  static func account(
    _ state: String, _ more: String = "", name: String = "work", usable: Bool = false, isDefault: Bool = true
  ) -> String {
    #"{"name":"\#(name)","isDefault":\#(isDefault),"project":"prod","state":"\#(state)","activity":"none","#
      + #""tokenUsable":\#(usable),"identities":[]\#(more)}"#
  }

  /// A user, as a member of an account.
  static func user(_ email: String = "anna@example.org") -> String {
    #","user":{"id":"u","email":"\#(email)","provider":"google"}"#
  }

  /// The moment in that many seconds.
  static func moment(in seconds: Int) -> Timestamp {
    Timestamp(unixSeconds: Int64(Date().timeIntervalSince1970) + Int64(seconds))
  }

  /// The text with `N` for each digit of a number of minutes, because the clock runs during a test.
  static func withoutMinutes(_ text: String) -> String {
    text.replacing(/\b\d+(?= min\b)/) { String(repeating: "N", count: $0.output.count) }
  }

  /// A token that expires in 59 min and is refreshed in 54 min, as members of an account.
  static func schedule() -> String {
    #","expiresAt":"\#(moment(in: 59 * 60))","refresh":{"nextAt":"\#(moment(in: 54 * 60))","attempts":0}"#
  }

  /// A signed-in account, and one whose session ended on another day.
  static func example() -> String {
    let work = account("authenticated", user() + schedule(), usable: true)
    let ended = #","ended":{"at":"2025-05-04T09:14:00Z","reason":"ended elsewhere"}"#
    let home = account("signInNeeded", ended, name: "home", isDefault: false)
      .replacingOccurrences(of: "prod", with: "default")
    return work + "," + home
  }

  @Test("status colors states, errors and warnings")
  func colorsProblems() async throws {
    try await withBench(Self.status(Self.example(), health: #""something is odd""#)) { bench in
      let colored = try await bench.run("status", "--color", "always", environment: ["NO_COLOR": "1"])
      #expect(colored.stdout.contains("\u{1B}[32msigned in\u{1B}[0m       anna"))
      #expect(colored.stdout.contains("\u{1B}[31m! home: ended"))
      #expect(colored.stdout.contains("\u{1B}[33m! something is odd\u{1B}[0m\n"))
    }
  }

  @Test("reports an agent that is older than the installed version, and only then")
  func comparesVersions() async throws {
    for (running, isOld) in [("0.0.9", true), (AgentVersion.current, false), ("99.0.0", false), ("odd", false)] {
      try await withBench { _, _ in
        Self.status(Self.account("authenticated", usable: true)).replacingOccurrences(of: "1.0.2", with: running)
      } _: { bench in
        let output = try await bench.run("status")
        let words =
          "! the running agent is version \(running), but \(AgentVersion.current) is installed: "
          + "\(ServiceManager.restartAgent)\n"
        #expect(output.stdout.hasSuffix(words) == isOld)
        #expect(output.stdout.contains("installed") == isOld)
      }
    }
  }

  @Test("distinguishes an expired token from a missing one, and names the cause of a failed refresh")
  func tellsAnEndedToken() async throws {
    let error =
      #"{"code":-1,"message":"m","data":{"kind":"offline","retryable":true,"detail":"a.test: connection refused"}}"#
    let refresh = #","refresh":{"nextAt":"\#(Self.moment(in: 12 * 60))","attempts":2,"lastError":\#(error)}"#
    let expired = #","expiresAt":"\#(Self.moment(in: -300))"# + "\""
    for (more, words) in [(expired, "expired 5 min ago"), ("", "no token yet")] {
      try await withBench(Self.status(Self.account("degraded", more + refresh))) { bench in
        let output = try await bench.run("status")
        #expect(
          Self.withoutMinutes(output.stdout)
            == Self.withoutMinutes(
              """
              agent 1.0.2, up 3 d, vault unlocked (key file)
                ACCOUNT  PROJECT  STATE     USER  TOKEN
              * work     prod     degraded  -     \(words)
              ! work: \(more.isEmpty ? "" : "token ")\(words), next attempt in 12 min
                  2 attempts failed (offline: a.test: connection refused)
                  ritualctl why --account work

              """))
        #expect(output.status == 7)
      }
    }
  }

  @Test("an obstacle without a failed refresh is named with its next step, and no refresh is promised")
  func namesObstacles() async throws {
    let error =
      #"{"code":-1,"message":"The outcome is unknown.","data":{"kind":"serviceUnavailable","retryable":false,"#
      + #""hint":"ritualctl mfa verify --account work"}}"#
    let refresh = #","refresh":{"nextAt":"\#(Self.moment(in: 3500))","attempts":0,"lastError":\#(error)}"#
    try await withBench(Self.status(Self.account("degraded", refresh, usable: true))) { bench in
      let output = try await bench.run("status").stdout
      #expect(
        output.hasSuffix("! work: The outcome is unknown.\n    ritualctl mfa verify --account work\n"), "\(output)")
      #expect(output.contains(" valid\n") && !output.contains("refreshes"), "\(output)")
    }
  }

  @Test("a refresh that is due and has not begun is shown as now", arguments: [0, 1])
  func showsDueRefresh(attempts: Int) async throws {
    let refresh = #","refresh":{"nextAt":"\#(Self.moment(in: -12))","attempts":\#(attempts)}"#
    try await withBench(Self.status(Self.account("degraded", refresh, usable: true))) { bench in
      let output = try await bench.run("status")
      #expect(output.stdout.contains(attempts == 0 ? "  refreshes now" : ", next attempt now\n"), "\(output.stdout)")
      let wide = try await bench.run("status", environment: ["COLUMNS": "200"])
      #expect(!wide.stdout.contains("ago"), "\(wide.stdout)")
    }
  }

  @Test("without a terminal, --watch prints a change without an event, and not the numbers that change by themselves")
  func watchesWithoutEvents() async throws {
    let asked = Mutex(0)
    let begin = Self.moment(in: 0).unixSeconds
    try await withBench { method, _ in
      guard method == "agent.status" else { return Reply.result(#"{"epoch":"e","sequence":1}"#) }
      let count = asked.withLock { count in
        count += 1
        return count
      }
      // The agent's two clocks make its times vary by a second.
      let next = Timestamp(unixSeconds: begin + 600 + (count == 2 ? 1 : 0))
      let refresh = #","refresh":{"nextAt":"\#(next)","attempts":\#(count < 3 ? 0 : 1),"clockSkew":\#(count)}"#
      return Self.status(
        Self.account("authenticated", refresh, usable: true), health: #""the clock is \#(30 + count) s behind""#)
    } _: { bench in
      let watch = try bench.start(["status", "--watch"], detached: false)
      try await eventually("the change: \(watch.stdout)") { watch.stdout.contains("1 attempt failed") }
      watch.send(SIGINT)
      let output = try await watch.end()
      #expect(output.status == 2 && output.stdout.components(separatedBy: "agent 1.0.2").count == 3, "\(output)")
    }
  }

  @Test("the JSON of status is exact")
  func printsJSON() async throws {
    let account = Self.account("unauthenticated")
    try await withBench(Self.status(account)) { bench in
      let output = try await bench.run("status", "--json")
      #expect(
        output.stdout
          == #"{"accounts":[{"activity":"none","identities":[],"isDefault":true,"name":"work","project":"prod","#
          + #""state":"unauthenticated","tokenUsable":false}],"formatVersion":1,"health":[],"pid":7,"uptime":260000,"#
          + #""vault":{"damaged":[],"openedBy":"key file","state":"open"},"version":"1.0.2"}"# + "\n")
      #expect(output.stderr == "")
      #expect(output.status == 4)
    }
  }

  @Test("without a project, every command names init")
  func namesInit() async throws {
    let complaint = "\"\(AgentStatusMethod.noProject)\""
    try await withBench { method, _ in
      method == "session.list" ? Reply.result(#"{"accounts":[]}"#) : Self.status("", health: complaint)
    } _: { bench in
      let status = try await bench.start(["status"]).end()
      #expect(status.stdout.hasSuffix(")\nno project is configured\n  ritualctl init\n"), "said once: \(status.stdout)")
      for arguments in [["status"], ["accounts"], ["whoami"], ["status", "--account", "nobody"]] {
        let output = try await bench.start(arguments).end()
        let text = output.stdout + output.stderr
        #expect(text.contains("  ritualctl init\n") && !text.contains("ritualctl sign-in"), "\(arguments): \(text)")
      }
    }
  }

  @Test("reports that there are no accounts, and rejects an unknown name")
  func tellsMissingAccounts() async throws {
    try await withBench { method, _ in
      method == "session.list" ? Reply.result(#"{"accounts":[]}"#) : Self.status("")
    } _: { bench in
      let none = try await bench.run("status")
      #expect(none.status == 4)
      #expect(none.stdout == "agent 1.0.2, up 3 d, vault unlocked (key file)\nno accounts yet\n  ritualctl sign-in\n")
      let accounts = try await bench.run("accounts")
      #expect(accounts.stderr == "ritualctl: no accounts yet\n  ritualctl sign-in\n")
      let unknown = try await bench.run("status", "--account", "nobody")
      #expect(unknown.status == 64)
      #expect(unknown.stderr == "ritualctl: There is no account named nobody.\n  ritualctl sign-in\n")
      #expect(unknown.stdout == "")
    }
    try await withBench(Self.status(Self.example())) { bench in
      let unknown = try await bench.run("status", "--account", "nobody", "--json")
      #expect(unknown.status == 64)
      #expect(unknown.stdout == "")
      #expect(unknown.stderr.contains(#""kind":"unknownAccount""#) && unknown.stderr.contains("work, home"))
    }
    try await withBench(Self.status("", vault: "locked")) { bench in
      let locked = try await bench.run("status", "--account", "nobody")
      #expect(locked.status == 5, "VA-4: never unknownAccount")
      let names = try await bench.run("status")
      #expect(names.stdout.hasSuffix(")\nnames not known while locked\n  ritualctl unlock\n"), "VA-9: \(names.stdout)")
    }
  }

  @Test("PR-6: text from the server cannot control a terminal, as text or as JSON")
  func escapesForeignText() async throws {
    let mail = #"a\u001b]0;x\u0007\u202e\u009b1m\u007f\ud83d\ude00\udb40\udc01@b"#
    let user = #","user":{"id":"u","email":"\#(mail)","provider":"\#(mail)"}"#
    let body = Self.account("authenticated", user, usable: true)
    try await withBench { method, _ in
      method == "agent.status"
        ? Self.status(body, health: "\"\(mail)\"") : Reply.error("offline", mail, hint: mail)
    } _: { bench in
      for arguments in [["status"], ["status", "--json"], ["refresh"], ["refresh", "--json"]] {
        let output = try await bench.start(arguments).end()
        let text = output.stdout + output.stderr
        #expect(text.contains("😀"))
        for scalar in text.unicodeScalars where scalar != "\n" {
          #expect(![.control, .format].contains(scalar.properties.generalCategory), "\(scalar.value)")
        }
      }
      let json = Data(try await bench.run("status", "--json").stdout.utf8)
      let status = try WireCoding.decode(AgentStatusMethod.Result.self, from: json)
      let expected = "a\u{1B}]0;x\u{7}\u{202E}\u{9B}1m\u{7F}😀\u{E0001}@b"
      #expect(status.accounts.first?.user?.email == expected, "escaped, not changed")
    }
  }
}
