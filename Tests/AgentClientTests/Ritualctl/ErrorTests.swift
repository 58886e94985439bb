import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct ErrorTests {
  private var folder: URL { scratchDirectory }

  @Test(
    "the exit status follows the error's kind",
    arguments: [
      ("cancelled", 2), ("signInNeeded", 4), ("vaultLocked", 5), ("denied", 6), ("approvalNeeded", 6),
      ("unknownAccount", 64), ("offline", 7), ("serviceUnavailable", 7), ("rateLimited", 7), ("timedOut", 7),
      ("flowTimedOut", 7), ("tooMany", 7), ("notReady", 7), ("vaultDamaged", 1), ("fromTheFuture", 1),
    ] as [(String, Int32)])
  func exitsByKind(kind: String, status: Int32) async throws {
    try await withBench(Reply.error(kind, "Words of the agent.", hint: "do this")) { bench in
      let output = try await bench.run("refresh")
      #expect(output.status == status)
      #expect(output.stdout == "")
      // SI-10: cancelling is silent.
      #expect(output.stderr == (kind == "cancelled" ? "" : "ritualctl: Words of the agent.\n  do this\n"))
      let json = try await bench.run("refresh", "--json")
      #expect(json.status == status)
      #expect(json.stdout == "")
      #expect(
        json.stderr
          == #"{"error":{"hint":"do this","kind":"\#(kind)","message":"Words of the agent.","retryable":false},"#
          + #""exitStatus":\#(status),"formatVersion":1}"# + "\n")
    }
  }

  /// PATH with the directory of the programs, in which `ritual-agentd` is found by name.
  private static let path = [
    "PATH": (Ritualctl.path as NSString).deletingLastPathComponent + ":/usr/bin:/bin"
  ]

  @Test("without an agent and without systemd: 3, and the command that helps; --socket names another socket")
  func saysHowToStart() async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(["token"], in: folder, environment: Self.path).end()
      #expect(output.status == 3)
      #expect(
        output.stderr == """
          ritualctl: cannot connect to the agent at \(folder.path)/ritual-agent/agent.sock (No such file or directory)
            ritual-agentd &
            this machine does not run systemd; for one command only: ritual-agentd -- COMMAND

          """)
      let named = try await Ritualctl(["token", "--socket", "/nowhere", "--json"], in: folder).end()
      #expect(named.status == 3)
      #expect(named.stderr.contains(#""kind":"unreachable""#))
      let variable = try await Ritualctl(
        ["token"], in: folder, environment: Self.path.merging(["RITUAL_AGENT_SOCKET": "/nowhere"]) { $1 }
      ).end()
      #expect(
        variable.stderr.hasSuffix(
          "  ritual-agentd --socket /nowhere\n  RITUAL_AGENT_SOCKET is set to this path\n"), "\(variable.stderr)")
    }
  }

  /// Runs a command whose socket(2) for Unix sockets, or whose connect(2), fails with an errno.
  private static let sandbox = """
    import ctypes, os, struct, sys
    libc, call, number = ctypes.CDLL(None, use_errno=True), sys.argv[1], int(sys.argv[2])
    nr = {"socket": (41, 198), "connect": (42, 203)}[call][os.uname().machine == "aarch64"]
    family = 1 if call == "socket" else None
    steps = [(0x20, 0, 0, 0), (0x15, 0, 3 if family else 1, nr)]
    steps += [(0x20, 0, 0, 16), (0x15, 0, 1, family)] if family else []
    steps += [(0x06, 0, 0, 0x50000 | number), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, program, 0, 0) == 0  # PR_SET_SECCOMP
    os.execv(sys.argv[3], sys.argv[3:])
    """

  @Test(
    "RC-2: a socket that a sandbox forbids is no agent that does not run",
    arguments: [
      ("socket", EPERM), ("socket", EACCES), ("socket", EAFNOSUPPORT), ("connect", EPERM), ("connect", EACCES),
      ("connect", EAFNOSUPPORT),
    ])
  func namesTheSandbox(call: String, number: Int32) async throws {
    try await withBench(Reply.result("{}")) { bench in
      for words in [["token"], ["api", "/rest/v1/x"]] {
        let arguments =
          ["-c", Self.sandbox, call, "\(number)", Ritualctl.path] + words + ["--socket", bench.server.path]
        let output = try await RunningProgram(
          "/usr/bin/python3", arguments, environment: Ritualctl.environment(bench.folder), folder: bench.folder
        ).end()
        #expect(output.status == 3)
        #expect(output.stderr.hasPrefix("ritualctl: this sandbox forbids the agent's socket "), "\(output.stderr)")
        #expect(
          output.stderr.contains("\n  outside the sandbox: ritualctl exec --egress --egress-host NAME -- COMMAND"))
      }
    }
  }

  @Test("a socket of another user is no sandbox", .scratchDirectory, .enabled(if: geteuid() == 0))
  func namesThePermission() async throws {
    mkdir(folder.path + "/run", 0o700)
    chmod(folder.path, 0o711)
    let other = ["--reuid=65534", "--regid=65534", "--clear-groups", Ritualctl.path]
    let output = try await RunningProgram(
      "/usr/bin/setpriv", other + ["token", "--socket", folder.path + "/run/agent.sock"],
      environment: Ritualctl.environment(folder), folder: folder
    ).end()
    #expect(output.status == 3)
    #expect(output.stderr.contains("(Permission denied)\n  use the socket of your own agent\n"), "\(output.stderr)")
  }

  @Test("without ritual-agentd, the hint is to install it", .scratchDirectory)
  func saysWhatToInstall() async throws {
    let copy = folder.path + "/alone/ritualctl"
    _ = try await RunningProgram(
      "/usr/bin/install", ["-D", Ritualctl.path, copy], environment: [:], folder: folder
    ).end()
    let output = try await RunningProgram(
      copy, ["token"], environment: Ritualctl.environment(folder, ["PATH": "/usr/bin:/bin"]), folder: folder
    ).end()
    #expect(output.status == 3)
    #expect(output.stderr.hasSuffix("  ritual-agentd is not installed: install the package ritual-agent\n"))
  }

  @Test(
    "with a user manager, the hint follows the state of the units", .scratchDirectory,
    arguments: [
      ("LoadState=loaded\nActiveState=inactive", "systemctl --user enable --now ritual-agent.socket"),
      ("LoadState=loaded\nActiveState=failed", "systemctl --user reset-failed "),
      ("LoadState=loaded\nActiveState=active", "systemctl --user restart ritual-agent.socket "),
      ("LoadState=loaded\nActiveState=inactive\nNeedDaemonReload=yes", "systemctl --user daemon-reload && "),
      ("LoadState=not-found\nActiveState=inactive", "ritual-agentd &"),
      ("unread", "systemctl --user daemon-reload && "),
      ("", "systemctl --user enable --now ritual-agent.socket"),
    ])
  func followsTheUnits(state: String, hint: String) async throws {
    let isUnread = state == "unread"
    let socket = isUnread ? "LoadState=not-found" : state
    if isUnread {
      try await ShellScript.install("", as: folder.path + "/.config/systemd/user/ritual-agent.socket")
    }
    try await ShellScript.install(
      socket.isEmpty ? "exit 1" : "printf '\(socket)\\n\\nLoadState=loaded\\n'", as: folder.path + "/tools/systemctl")
    // SYSTEMD_EXEC_PID stands in for a running user manager.
    let output = try await RunningProgram(
      "/bin/sh", ["-c", "SYSTEMD_EXEC_PID=$$ exec \"$@\"", "sh", Ritualctl.path, "token"],
      environment: Ritualctl.environment(folder, ["PATH": folder.path + "/tools:" + (Self.path["PATH"] ?? "")]),
      folder: folder
    ).end()
    #expect(output.status == 3)
    #expect(output.stderr.split(separator: "\n").dropFirst().first?.hasPrefix("  " + hint) == true, "\(output.stderr)")
  }

  /// The states of ritual-agent.service of an agent that does not answer, and what the user is told.
  enum Service: String, CaseIterable, Sendable {
    case unconfined =
      "ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nExecMainStatus=226\nPrivateUsers=yes"
    case crashing =
      "ActiveState=activating\nSubState=auto-restart\nResult=core-dump\nExecMainStatus=11\nPrivateUsers=yes"
    case failed = "ActiveState=failed\nSubState=failed\nResult=exit-code\nExecMainStatus=203\nPrivateUsers=yes"
    case running = "ActiveState=active\nSubState=running\nResult=success\nExecMainStatus=0\nPrivateUsers=yes"

    var cause: String? {
      switch self {
      case .unconfined: "ritual-agent.service cannot be confined (226/NAMESPACE)"
      case .crashing: "ritual-agent.service failed (core-dump)"
      case .failed: "ritual-agent.service failed (exit-code)"
      case .running: nil
      }
    }
  }

  @Test("a service that cannot start is named as the reason why no agent answers", arguments: Service.allCases)
  func namesTheFailedService(service: Service) async throws {
    try await withScratchDirectory { folder in
      let socket = "LoadState=loaded\nActiveState=active\nSubState=listening\nResult=success"
      try await ShellScript.install(
        "cat <<'END'\n\(socket)\n\nLoadState=loaded\n\(service.rawValue)\nEND", as: folder.path + "/tools/systemctl")
      let runtime = folder.appendingPathComponent("ritual-agent")
      func status(_ more: String...) async throws -> Output {
        try await RunningProgram(
          "/bin/sh", ["-c", "SYSTEMD_EXEC_PID=$$ exec \"$@\"", "sh", Ritualctl.path, "status"] + more,
          environment: Ritualctl.environment(folder, ["PATH": folder.path + "/tools:" + (Self.path["PATH"] ?? "")]),
          folder: folder
        ).end()
      }
      func check(_ output: Output, _ exit: Int32, _ usual: String) {
        #expect(output.status == exit, "\(output.stderr)")
        #expect(output.stderr.contains(service.cause ?? usual), "\(output.stderr)")
        #expect(output.stderr.contains(usual) == (service.cause == nil), "\(output.stderr)")
      }
      try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
      let silent = try ScriptedServer(in: runtime) { while $0.readLine() != nil {} }
      check(try await status("--timeout", "0.2"), 7, "runs, but is busy")
      let document = try await status("--timeout", "0.2", "--json").stderr
      #expect(document.contains(service.cause ?? "busy"), "\(document)")
      silent.stop()
      #expect(unlink(silent.path) == 0)
      let closing = try ScriptedServer(in: runtime) { _ = $0.readLine() }
      check(try await status("--timeout", "60"), 7, "try again, or check the log")
      closing.stop()
      #expect(unlink(closing.path) == 0)
      check(try await status(), 3, "its socket file is missing or was replaced")
    }
  }

  @Test(
    "wrong usage exits with 64, as text or as JSON", .scratchDirectory,
    arguments: [
      ["nonsense"], ["token", "eyJhbGciOi"], ["token", "--rejected", "eyJhbGciOi"], ["token", "--min-ttl", "-1"],
      ["token", "--timeout", "0"], ["sign-in", "phone"], ["sign-in", "google", "--email", "a@b"],
      ["sign-in", "email", "--password", "hunter2"], ["sign-in", "email", "--password=hunter2"],
      ["sign-in", "--nonce", "n"], ["sign-in", "email", "--id-token-stdin"],
      ["sign-in", "--session-stdin", "--sign-up"],
      ["sign-out", "--all", "--account", "a"], ["api", "-H", "bad", "/"], ["api", "-d", "a", "-F", "b", "/"], ["use"],
      ["sign-in"], ["complete-sign-in"], ["init", "--project-url", "http://example.org", "--anon-key", "k"],
    ])
  func refusesWrongUsage(arguments: [String]) async throws {
    let output = try await Ritualctl(arguments, in: folder).end()
    #expect(output.status == 64, "\(output.stderr)")
    #expect(output.stdout == "")
    #expect(output.stderr.hasPrefix("ritualctl: "))
    #expect(!output.stderr.contains("hunter2"), "a secret is not repeated")
    let json = try await Ritualctl(arguments + ["--json"], in: folder).end()
    #expect(json.status == 64)
    let document = try JSONSerialization.jsonObject(with: Data(json.stderr.utf8)) as? [String: Any]
    #expect(document?["exitStatus"] as? Int == 64)
  }
}
