import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import AccessControl
@testable import AgentConfiguration

@Suite struct PolicyRuleTests {
  private var folder: URL { scratchDirectory }

  private func parse(_ text: String, inUserNamespace: Bool = false) throws -> [PolicyRule] {
    try Configuration.parse(text, file: "c.toml", inUserNamespace: inUserNamespace).policy
  }

  @Test("rules are read in file order; without a rule every caller is allowed")
  func reads() throws {
    let rules = try parse(
      """
      [[policy.rules]]
      account = "work"
      unit = "backup.service"
      action = "allow"
      [[policy.rules]]
      executable = "/opt/tool"
      action = "ask"
      [[policy.rules]]
      action = "deny"
      """)
    #expect(
      rules == [
        PolicyRule(account: "work", subject: .unit("backup.service"), action: .allow),
        PolicyRule(subject: .executable("/opt/tool"), action: .ask), PolicyRule(action: .deny),
      ])
    #expect(try parse("policy.rules = [{ action = \"deny\" }]") == [PolicyRule(action: .deny)])
    #expect(try parse("[policy]").isEmpty)
    #expect([PolicyRule]().action(for: Caller(), "work") == .allow)
  }

  @Test("methods and paths limit a rule to API requests")
  func readsScopes() throws {
    let rules = try parse(
      """
      [[policy.rules]]
      methods = ["GET", "HEAD"]
      paths = [
        "/rest/v1/todos",  # and what is below
        "/",
      ]
      action = "allow"
      """)
    let scope = try RequestScope(methods: ["GET", "HEAD"], paths: ["/rest/v1/todos", "/"])
    #expect(rules == [PolicyRule(action: .allow, scope: scope)])
    #expect(try parse("policy.rules = [{ action = \"deny\", paths = ['/x'] }]").first?.scope?.paths == ["/x"])
  }

  @Test("the first rule that applies decides")
  func firstWins() {
    let rules = [
      PolicyRule(account: "work", subject: .unit("a.service"), action: .allow),
      PolicyRule(account: "work", action: .deny), PolicyRule(subject: .unit("b.service"), action: .ask),
    ]
    let (a, b) = (Caller(start: 1, unit: "a.service"), Caller(start: 1, unit: "b.service"))
    #expect(rules.action(for: a, "work") == .allow)
    #expect(rules.action(for: b, "work") == .deny)
    #expect(rules.action(for: b, "home") == .ask)
    #expect(rules.action(for: a, "home") == .allow)
    #expect(rules.action(for: Caller(start: 1), "home") == .allow)
    #expect(rules.action(for: Caller(start: 1, unit: "A.service"), "work") == .deny)
  }

  @Test("an unknown caller matches no allow rule, and every deny or ask rule")
  func unknownCallers() throws {
    let tool = PolicyRule.Subject.executable("/proc/self/exe")
    for caller in [Caller(), Caller(executable: "/opt/tool", unit: "a.service")] {
      for subject in [tool, .unit("a.service")] {
        #expect(!PolicyRule(subject: subject, action: .allow).applies(to: caller, "work"))
        #expect(PolicyRule(subject: subject, action: .deny).applies(to: caller, "work"))
        #expect(PolicyRule(subject: subject, action: .ask).applies(to: caller, "work"))
      }
    }
    // The unit of this caller is known, its executable is not.
    let half = Caller(start: 1, unit: "a.service")
    #expect(PolicyRule(subject: .unit("a.service"), action: .allow).applies(to: half, "work"))
    #expect(!PolicyRule(subject: .unit("b.service"), action: .deny).applies(to: half, "work"))
    #expect(!PolicyRule(subject: tool, action: .allow).applies(to: half, "work"))
    #expect(PolicyRule(subject: tool, action: .deny).applies(to: half, "work"))
  }

  @Test("a program is its file: a link to the file matches, a copy does not", .scratchDirectory)
  func comparesFiles() async throws {
    let (tool, link, copy) = (folder.path + "/tool", folder.path + "/link", folder.path + "/copy")
    try "x".write(toFile: tool, atomically: false, encoding: .utf8)
    try "x".write(toFile: copy, atomically: false, encoding: .utf8)
    #expect(symlink(tool, link) == 0)
    let caller = Caller(start: 1, executable: copy, file: ProgramFile(tool))
    for (path, applies) in [(tool, true), (link, true), (copy, false), (folder.path + "/none", false)] {
      #expect(PolicyRule(subject: .executable(path), action: .deny).applies(to: caller, "a") == applies, "\(path)")
    }
  }

  @Test("in a user namespace a rule about an executable is misconfigured, one about a unit is not")
  func refusesExecutablesInANamespace() throws {
    let rule = "[[policy.rules]]\naction = \"deny\"\nexecutable = \"/opt/tool\""
    #expect(try parse(rule).count == 1)
    let error = try #require(throws: ConfigurationError.self) { try parse(rule, inUserNamespace: true) }
    #expect(error.message.contains("misconfigured") && (error.line, error.column) == (3, 14))
    let unit = "[[policy.rules]]\naction = \"deny\"\nunit = \"a.service\""
    #expect(try parse(unit, inUserNamespace: true).count == 1)
    #expect(!UserNamespace.isOwn(map: "         0          0 4294967295\n"))
    #expect(UserNamespace.isOwn(map: "0 1000 1\n"))
    #expect(UserNamespace.isOwn(map: "1000 1000 1\n"))
    #expect(UserNamespace.isOwn(map: nil))
  }

  @Test("on cgroup v1 a rule about a unit is misconfigured, other rules are not")
  func refusesUnitsWithoutCgroups() throws {
    let action = ("action", ConfigurationSchema.Literal.text("deny"))
    let unit: [String: ConfigurationSchema.Literal] = Dictionary(
      uniqueKeysWithValues: [action, ("unit", .text("a.service"))])
    let complaint = #expect(throws: PolicyRuleError.self) {
      try PolicyRule.read(unit, inUserNamespace: false, hasUnits: false)
    }
    #expect(complaint?.key == "unit" && complaint?.message.contains("misconfigured") == true)
    let everybody = Dictionary(uniqueKeysWithValues: [action])
    for (values, hasUnits) in [(unit, true), (everybody, false)] {
      #expect(throws: Never.self, "\(values)") {
        try PolicyRule.read(values, inUserNamespace: false, hasUnits: hasUnits)
      }
    }
  }

  @Test(
    "rejects interpreters and programs that run other programs",
    arguments: [
      "sh", "bash", "dash", "zsh", "fish", "python", "python3", "python3.12", "python3.13t", "pypy3", "perl",
      "perl5.38",
      "ruby", "ruby3.3", "ruby-3.3", "node", "node22", "nodejs", "lua5.4", "php8.3", "busybox", "ld-linux-x86-64.so.2",
      "ritualctl", "ssh", "sshd", "Python3", "java", "systemd-run",
      "vim", "vim.basic", "vim.tiny", "vi", "view", "nvim", "sqlite3", "perl5.38.2", "perl5.40-x86_64-linux-gnu",
      "unshare", "nsenter", "setpriv", "runuser", "su", "sudo", "sudoedit", "chroot", "nice", "ionice", "chrt",
      "taskset",
      "timeout", "stdbuf", "nohup", "setsid", "time", "watch", "parallel", "make", "gmake", "ninja", "cmake", "script",
      "scriptreplay", "expect", "tclsh8.6", "wish8.6", "tmux", "screen", "less", "more", "man", "ed", "ex", "sed",
      "awk", "gawk", "mawk", "nawk", "original-awk", "gawk-5.2.1", "strace", "ltrace", "gdb", "gdbserver", "lldb",
      "lldb-18", "ld.so", "ld-linux.so.2", "ld-musl-x86_64.so.1", "flatpak", "bwrap", "firejail", "docker", "podman",
      "runc", "crun", "R", "Rscript", "julia", "guile-3.0", "racket", "dotnet", "deno", "bun", "emacs-nox",
      "emacs-gtk", "emacs29.3", "entr", "git", "rlwrap", "unbuffer", "dbus-run-session", "xdg-open", "capsh",
      "faketime",
      "prlimit", "linux64", "setarch", "x86_64", "numactl", "flock", "start-stop-daemon", "qemu-x86_64-static",
      "wine64",
      "gjs", "ghci-9.4.7", "ocaml", "octave-cli-8.4", "psql", "mysql", "ipython3", "gnuplot", "bpftrace", "perf",
      "valgrind", "fakeroot", "proot", "catchsegv", "rsync", "tar", "zip", "ftp", "lftp", "nmap", "jshell", "scala",
      "kotlin", "groovy", "clojure", "iex", "elixir", "escript", "swift-5.10", "pwsh-preview", "python3.12-dbg",
      "pypy3.10", "micropython", "ruby3.3.0", "busybox-static", "bash5.2", "zsh-5.9", "zsh5", "ksh93", "rbash",
      "nodejs20",
      "node-22", "lua5.4.6", "luajit-2.1.0-beta3", "php8.3-cgi", "php-fpm8.3", "java-21", "ncat", "socat1",
      "machinectl", "run0", "pkexec", "doas", "env", "xargs", "find", "at", "batch", "crontab", "systemd", "init",
    ])
  func refusesInterpreters(name: String) { #expect(InterpretedPrograms.complaint(aboutName: name) != nil) }

  @Test(arguments: [
    "tool", "gh", "python-config-tool", "rclone", "backup2", "terraform1.9", "noder", "shred", "ssh-agent",
    "timer", "vimeo-sync", "screenshot", "makefile-lint", "gitea", "Runner", "curl", "restic", "mailsync-2.1", "envoy",
  ])
  func takesPrograms(name: String) { #expect(InterpretedPrograms.complaint(aboutName: name) == nil) }

  @Test("detects scripts and links to an interpreter", .scratchDirectory)
  func seesThroughLinks() async throws {
    let (link, script, tool) = (folder.path + "/link", folder.path + "/script", folder.path + "/tool")
    #expect(symlink("/bin/sh", link) == 0)
    try "#!/opt/x\n".write(toFile: script, atomically: false, encoding: .utf8)
    try "ELF".write(toFile: tool, atomically: false, encoding: .utf8)
    #expect(try #require(InterpretedPrograms.complaint(about: link)).contains("interpreter"))
    #expect(try #require(InterpretedPrograms.complaint(about: script)).contains("script"))
    #expect(InterpretedPrograms.complaint(about: tool) == nil)
  }
}
