import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `ritualctl doctor`: each check on a healthy system, and with a real failure.
@Suite(.doctor, .serialized, .timeLimit(.minutes(5))) struct DoctorEndToEndTests {
  @Test("every check is ok on a healthy system: exit status 0, one line each")
  func healthy() async throws {
    try await home.signIn()
    let report = try await home.doctor()
    for check in report.checks where check.name != "swap" {
      #expect(check.outcome == "ok", "\(check.name): \(check.words)")
    }
    let names = [
      "socket", "accounts", "permissions", "units", "confinement", "configuration", "vault", "sockets", "project",
      "tls", "key",
      "methods", "clock", "redirect", "handler", "swap",
    ]
    #expect(report.checks.map(\.name) == names)
    #expect(report.words("vault").contains("not backups of the whole home directory"), "VA-3")
    let text = try await home.doctorOutput()
    #expect(text.status == 0)
    #expect(text.stdout.contains("ok    key (default): accepted by the project\n"), "\(text.stdout)")
  }

  @Test("an account that needs a sign-in fails, by name; no account is a warning")
  func accounts() async throws {
    let none = try await home.doctor()
    #expect(none.outcome("accounts") == "warn" && none.words("accounts").contains("ritualctl sign-in"))
    try await home.signIn()
    try await home.signIn("--account", "work")
    #expect(try await home.doctor().outcome("accounts") == "ok")
    home.sandbox.revokeAllSessions()
    #expect(try await home.ctl("refresh", "--account", "work").status == 4)
    let report = try await home.doctor()
    #expect(report.failed == ["accounts"])
    let row = try #require(report.checks.first { $0.name == "accounts" && $0.outcome == "fail" })
    #expect(row.words == "work: sign-in needed" && row.next == "ritualctl sign-in --account work")
    #expect(report.checks.contains { $0.words == "default: signed in" })
    let text = try await home.doctorOutput()
    #expect(text.status == 1 && text.stdout.contains("FAIL  accounts: work: sign-in needed\n"), "\(text.stdout)")
  }

  @Test("a configuration that others can read is ok: it holds no secret, and the row does not claim otherwise")
  func readableConfiguration() async throws {
    #expect(chmod(home.folder.path + "/config/ritual-agent/config.toml", 0o644) == 0)
    let report = try await home.doctor()
    #expect(report.outcome("permissions") == "ok" && report.outcome("configuration") == "ok")
    #expect(report.words("permissions").contains("only you can write the configuration"))
  }

  @Test("works without an agent, and reports what it can")
  func agentStopped() async throws {
    await home.stopAgent()
    let report = try await home.doctor()
    #expect(report.failed == ["socket"])
    #expect(report.words("socket").contains("ritual-agentd"))
    #expect(report.outcome("permissions") == "ok" && report.outcome("swap") != nil)
    #expect(report.outcome("vault") == nil)
  }

  @Test("modes: each loose mode is named with a command that repairs it")
  func permissions() async throws {
    try await home.signIn()
    let loose = ["/state/ritual-agent", "/data/ritual-agent/vault.key", "/config/ritual-agent/config.toml"]
    for path in loose { #expect(chmod(home.folder.path + path, 0o666 | 0o111) == 0) }
    let report = try await home.doctor()
    #expect(
      report.failed == ["permissions", "configuration"], "the agent itself refuses a file that others may write")
    let faults = report.checks.filter { $0.name == "permissions" }
    #expect(faults.count == 3)
    for fault in faults {
      let command = try #require(fault.next)
      #expect(command.hasPrefix("chmod go-") && command.contains(" ~/"), "\(command)")
      let mended = try await home.run("/bin/sh", ["-c", command])
      #expect(mended.status == 0, "\(mended.stderr)")
    }
    #expect(try await home.doctor().failed == [])
    #expect(chmod(home.folder.path + "/run/ritual-agent", 0o755) == 0)
    #expect(try await home.doctor().failed == ["permissions"])
  }

  @Test("accepts a configuration that is a symbolic link, as the agent does")
  func linkedConfiguration() async throws {
    try await home.signIn()
    let (file, elsewhere) = (
      home.folder.path + "/config/ritual-agent/config.toml", home.folder.path + "/dotfiles.toml"
    )
    #expect(rename(file, elsewhere) == 0 && symlink(elsewhere, file) == 0)
    #expect(try await home.doctor().failed == [])
    #expect(chmod(elsewhere, 0o666) == 0)
    #expect(try await home.doctor().failed == ["permissions", "configuration"])
  }

  @Test("units: distinguishes failed, inactive and not enabled")
  func units() async throws {
    try await home.fakeManager(service: "ActiveState=failed")
    #expect(try await home.doctor().words("units").contains("journalctl --user -u ritual-agent.service"))
    try await home.fakeManager(socket: "ActiveState=inactive\nUnitFileState=enabled")
    #expect(try await home.doctor().outcome("units") == "warn", "the agent answers all the same")
    try await home.fakeManager(socket: "ActiveState=active\nUnitFileState=disabled")
    #expect(try await home.doctor().outcome("units") == "warn")
    try await home.fakeManager(socket: "ActiveState=active\nUnitFileState=linked")
    #expect(try await home.doctor().outcome("units") == "warn", "a link alone is not wanted by any target")
    await home.stopAgent()
    try await home.fakeManager(socket: "ActiveState=inactive\nUnitFileState=enabled")
    #expect(try await home.doctor().failed == ["socket", "units"])
    try await home.fake("systemctl", "echo 'Failed to connect to bus' >&2; exit 1")
    #expect(try await home.doctor().outcome("units") == "warn")
  }

  @Test(
    "confinement: restricted user namespaces are reported with the command that installs the drop-in",
    .enabled(if: geteuid() == 0))
  func confinement() async throws {
    // The settings of the kernel, with the test's own in place of the system's.
    func report(_ name: String, _ value: String, service: String) async throws -> DoctorReport {
      let sysctls = home.folder.path + "/sysctls"
      try? FileManager.default.removeItem(atPath: sysctls)
      for folder in ["kernel", "user"] {
        try FileManager.default.createDirectory(atPath: "\(sysctls)/\(folder)", withIntermediateDirectories: true)
      }
      try "\(value)\n".write(toFile: "\(sysctls)/\(name)", atomically: false, encoding: .utf8)
      try await home.fakeManager(service: service)
      let script = "for name in kernel user; do mount --bind '\(sysctls)'/$name /proc/sys/$name; done; exec \"$@\""
      return try await home.doctor(through: ["/usr/bin/unshare", "-m", "/bin/sh", "-ec", script, "sh"])
    }
    let apparmor = "kernel/apparmor_restrict_unprivileged_userns"
    let failed = "ActiveState=failed\nExecMainStatus=226\nPrivateUsers=yes"
    let installs = "without-namespaces.conf ~/.config/systemd/user/ritual-agent.service.d/without-namespaces.conf;"

    #expect(try await home.doctor().words("confinement").contains("effective"))
    let restricted = try await report(apparmor, "1", service: failed)
    #expect(restricted.failed == ["units", "confinement"])
    let words = restricted.words("confinement")
    #expect(words.contains("226/NAMESPACE") && words.contains("kernel.apparmor_restrict_unprivileged_userns=1"))
    #expect(words.contains(installs) && words.contains("systemctl --user daemon-reload"), "\(words)")
    for (name, value) in [("kernel/unprivileged_userns_clone", "0"), ("user/max_user_namespaces", "0")] {
      #expect(try await report(name, value, service: failed).words("confinement").contains(installs), "\(name)")
    }
    // Another cause, for which the drop-in would be the wrong advice.
    let other = try await report(apparmor, "0", service: failed)
    #expect(other.outcome("confinement") == "fail" && !other.words("confinement").contains(installs))
    // Before the first start.
    let idle = "ActiveState=inactive\nExecMainStatus=0\nPrivateUsers=yes"
    let warned = try await report(apparmor, "1", service: idle)
    #expect(warned.outcome("confinement") == "warn" && warned.words("confinement").contains(installs))
    #expect(try await report(apparmor, "0", service: idle).outcome("confinement") == "ok")
    // With the drop-in, or with a profile that permits the namespaces.
    let reduced = try await report(apparmor, "1", service: "ActiveState=active\nPrivateUsers=no")
    #expect(reduced.outcome("confinement") == "warn" && !reduced.words("confinement").contains(installs))
    let running = "ActiveState=active\nExecMainStatus=0\nPrivateUsers=yes"
    #expect(try await report(apparmor, "1", service: running).outcome("confinement") == "ok")
  }

  @Test("a locked vault fails, with the command that opens it")
  func locked() async throws {
    #expect(try await home.ctl("lock").status == 0)
    let report = try await home.doctor()
    #expect(report.failed == ["vault"])
    #expect(report.words("vault").contains("ritualctl unlock"))
    #expect(report.outcome("project") == "ok", "a project is asked without a session")
  }

  @Test("reports an invalid configuration, and one without a project")
  func configuration() async throws {
    try home.editConfiguration { $0 += "\nnonsense = 1\n" }
    #expect(try await home.doctor().failed == ["configuration"])
    try await home.reconfigure { $0 = "" }
    let report = try await home.doctor()
    #expect(report.failed == ["configuration"])
    #expect(report.words("configuration").contains("ritualctl init"))
  }

  @Test(
    "reports a project URL that is refused, answered by something else, or hangs: within 10 s, without blocking others")
  func project() async throws {
    home.sandbox.inject(.hangBeforeCommit, at: .settings, count: 1)
    let running = Task { try await home.doctor() }
    #expect(try await home.ctl("status").status == 4, "others are answered meanwhile")
    #expect(try await running.value.failed == ["project"])
    #expect(home.sandbox.hangingRequests == 1, "it did not wait for the end of the hang")
    home.sandbox.releaseHangs()
    home.sandbox.inject(.answer(status: 200, contentType: "text/html", body: "<p>hello"), at: .settings, count: 1)
    #expect(try await home.doctor().failed == ["project"])
    home.sandbox.inject(.databaseDown, at: .settings, count: 1)
    #expect(try await home.doctor().words("project").contains("server error (HTTP 500)"))
    let dead = DeadPort()
    defer { dead.release() }
    let refused = "http://127.0.0.1:\(dead.number)"
    try await home.reconfigure { $0.replace(home.sandbox.url, with: refused) }
    let report = try await home.doctor()
    #expect(report.failed == ["project"])
    #expect(["tls", "key", "methods", "clock", "redirect"].allSatisfy { report.outcome($0) == "warn" })
  }

  @Test("reports that the project rejects the key")
  func key() async throws {
    try await home.reconfigure { $0.replace(home.sandbox.anonKey, with: "another-key") }
    let report = try await home.doctor()
    #expect(report.failed == ["key"], "\(report.checks)")
    #expect(report.words("key").contains("anon_key in [projects.default]"))
  }

  @Test("a legacy anon key is named before it ends, and told from a wrong key once it is disabled")
  func legacyKey() async throws {
    // {"role":"anon","ref":"abcdefghijklmnopqrst"}
    let key = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiIsInJlZiI6ImFiY2RlZmdoaWprbG1ub3BxcnN0In0.c2ln"
    home.sandbox.configure { $0.requiresAPIKey = false }
    try await home.reconfigure { $0.replace(home.sandbox.anonKey, with: key) }
    let command = "ritualctl init --update --project default --anon-key KEY"
    let report = try await home.doctor()
    #expect(report.outcome("key") == "warn" && report.words("key").contains(command), "\(report.checks)")
    let status = try await home.ctl("status").stdout
    #expect(status.contains("retires at the end of 2026") && status.contains(command), "\(status)")
    let disabled = Fault.answer(
      status: 401,
      body: #"{"message":"Legacy API keys are disabled","hint":"Your legacy API keys were disabled on 2026-12-31."}"#)
    home.sandbox.inject(disabled, at: .settings, count: nil)
    let later = try await home.doctor()
    #expect(later.outcome("key") == "fail" && later.words("key").contains(command), "\(later.checks)")
    #expect(later.words("key").contains("the project has disabled"), "\(later.checks)")
    home.sandbox.inject(disabled, at: .token, count: nil)
    let refused = try await home.start(
      ["sign-in", "email", "--email", TestHome.email, "--password-stdin"], input: TestHome.password + "\n"
    ).end()
    #expect(refused.stderr.contains("The project has disabled its legacy API keys"), "\(refused)")
  }

  @Test("reports the methods that are enabled, and warns if none is")
  func methods() async throws {
    home.sandbox.configure {
      ($0.appleEnabled, $0.phoneEnabled, $0.anonymousEnabled) = (false, true, true)
      ($0.providers, $0.ssoDomains) = (["github"], ["example.org"])
    }
    let words = try await home.doctor().words("methods")
    #expect(words.contains("enabled sign-in methods: google, github, email, phone, sso, anonymous"), "\(words)")
    home.sandbox.configure {
      ($0.googleEnabled, $0.emailEnabled, $0.phoneEnabled, $0.anonymousEnabled) = (false, false, false, false)
      ($0.providers, $0.ssoDomains) = ([], [])
    }
    // Custom providers are not listed, so the project may have one.
    let report = try await home.doctor()
    #expect(report.failed.isEmpty && report.outcome("methods") == "warn", "\(report.checks)")
    #expect(report.words("methods").contains("no sign-in method is enabled"))
  }

  @Test("a small clock difference warns, a large one fails", arguments: [(90, "warn"), (-400, "fail")])
  func clock(shift: Int, outcome: String) async throws {
    home.sandbox.configure { $0.dateHeaderShift = shift }
    let report = try await home.doctor()
    #expect(report.outcome("clock") == outcome)
    #expect(report.words("clock").contains(shift > 0 ? "s behind" : "s ahead of"))
    #expect(report.words("clock").contains("timedatectl"))
  }

  @Test("a custom scheme: reports whether the project allows it and whether the agent handles it")
  func redirectAndHandler() async throws {
    home.sandbox.configure { $0.redirectAllowList = [] }
    #expect(try await home.doctor().outcome("redirect") == "ok", "a loopback address needs no entry")
    try await home.reconfigure { $0 += "\n[sign_in]\nredirect = \"scheme\"\n" }
    let report = try await home.doctor()
    #expect(report.failed == ["redirect", "handler"])
    #expect(report.words("redirect").contains("dailyritual://auth-callback**"))
    #expect(report.words("handler").contains("ritualctl register-handler --scheme dailyritual"))
    home.sandbox.configure { $0.redirectAllowList = ["dailyritual://auth-callback**"] }
    let register = try await home.run(Programs.path("ritualctl"), ["register-handler"], more: home.doctorEnvironment)
    #expect(register.status == 0, "\(register.stderr)")
    #expect(try await home.doctor().failed == [])
  }

  @Test("TLS: rejects a certificate of an unknown authority, and accepts one that ca_file names")
  func tls() async throws {
    let server = try await TLSServer(home)
    try await home.reconfigure { $0.replace(home.sandbox.url, with: server.url) }
    let report = try await home.doctor()
    #expect(report.failed == ["tls"], "\(report.checks)")
    #expect(report.words("tls").contains("ca_file"))
    try await home.reconfigure { $0 += "ca_file = \"\(server.certificate)\"\n" }
    let trusted = try await home.doctor()
    #expect(trusted.outcome("tls") == "ok", "\(trusted.words("tls"))")
    #expect(trusted.failed == ["project"], "it is no project")
    await server.stop()
  }

  @Test("refuses too many runs, which is not a failure")
  func bounded() async throws {
    var last = try await home.doctor()
    for _ in 0..<8 where last.outcome("agent") == nil { last = try await home.doctor() }
    #expect(last.outcome("agent") == "warn" && last.outcome("socket") == "ok")
    #expect(last.failed == [])
  }
}

/// A TLS server with a certificate that no other program trusts: openssl-s_server(1), which answers
/// every request with a page.
struct TLSServer {
  let certificate: String
  let url: String
  private let program: RunningProgram

  init(_ home: TestHome) async throws {
    certificate = home.folder.path + "/server.pem"
    let key = home.folder.path + "/server.key"
    let made = try await home.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
      ])
    #expect(made.status == 0, "\(made.stderr)")
    let program = try RunningProgram(
      "/usr/bin/openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"],
      environment: home.environment, folder: home.folder)
    try await eventually("the TLS server listens: \(program.stderr)") { program.stdout.contains("ACCEPT 127.0.0.1:") }
    let port = program.stdout.firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)/)?.1 ?? ""
    (url, self.program) = ("https://127.0.0.1:\(port)", program)
  }

  func stop() async { await program.stop() }
}
