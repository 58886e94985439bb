import Foundation
import Glibc
import TestKit
import Testing

/// Without a usable HOME, the user's entry is used, or nothing is done. No file is created in `/`
/// or in the working directory.
@Suite(.scratchDirectory, .timeLimit(.minutes(5))) struct HomeEndToEndTests {
  private var folder: URL { scratchDirectory }

  private static let homes: [String?] = [nil, "", "relative", ".", "~", "/"]

  /// Runs a command with HOME and relative XDG variables, as a user whose entry names `entry`; nil
  /// means no entry.
  private func run(_ command: [String], home: String?, entry: String?, in folder: URL) async throws -> Output {
    let work = folder.path + "/work"
    try? FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let users = folder.path + "/users"
    try "root:x:0:0::\(entry ?? ""):/bin/sh\n".write(toFile: users, atomically: true, encoding: .utf8)
    var environment = [
      "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data",
      "XDG_RUNTIME_DIR": "run", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
    ]
    environment["HOME"] = home
    // In a user namespace, this user is uid 0 and /etc/passwd is the test's own file.
    let script = "mount --bind \"$1\" /etc/passwd && cd \"$2\" && shift 2 && exec \"$@\""
    return try await RunningProgram(
      "/usr/bin/unshare",
      ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", users, work] + command,
      environment: environment, folder: folder
    ).end()
  }

  @Test(
    "a snap's XDG_DATA_HOME hides no key and gets none; another one is named, and a reset names the key that it keeps")
  func keepsOneKey() async throws {
    try await withTestHome { home in
      let folder = home.folder.path
      let (key, other) = (folder + "/.local/share/ritual-agent/vault.key", folder + "/other/ritual-agent/vault.key")
      func ctl(_ dataHome: String, _ arguments: String...) async throws -> Output {
        try await RunningProgram(
          Programs.path("ritualctl"), arguments,
          environment: home.environment.merging(["XDG_DATA_HOME": folder + dataHome]) { $1 }, folder: home.folder
        ).end()
      }
      func restart(_ dataHome: String) async throws {
        await home.stopAgent()
        try await home.startAgent(more: ["XDG_DATA_HOME": dataHome])
      }
      await home.stopAgent()
      for name in ["/state", "/data"] { try FileManager.default.removeItem(atPath: folder + name) }
      try await restart("")
      try await home.signIn()
      try await restart(folder + "/snap/code/123/.local/share")
      #expect(try await !home.token().isEmpty)
      #expect(await home.agentLog.contains("XDG_DATA_HOME is ignored, because a snap has set it"))
      let inSnap = try await ctl("/snap/code/123/.local/share", "doctor")
      #expect(inSnap.stdout.contains("environment: XDG_DATA_HOME is ignored"), "\(inSnap.stdout)")

      try await restart(folder + "/other")
      let status = try await home.ctl("status", "--json")
      let vault = try status.json()["vault"] as? [String: Any]
      #expect(vault?["state"] as? String == "unavailable", "\(status)")
      #expect(
        vault?["protection"] as? String
          == "XDG_DATA_HOME leads to \(other), which is missing, and not to \(key): restart the agent without it")
      for name in ["/snap", "/other"] { #expect(access(folder + name, F_OK) != 0, "\(name) was made") }

      try await restart("")
      #expect(try await !home.token().isEmpty)
      let report = try await ctl("/other", "doctor")
      #expect(report.stdout.contains("environment: the agent's key file is "), "\(report.stdout)")
      let reset = try await ctl("/other", "reset", "--yes")
      #expect(reset.status == 0 && reset.stderr.contains("the key file \(key) was kept"), "\(reset)")
      #expect(access(key, F_OK) == 0 && access(folder + "/state/ritual-agent", F_OK) != 0)
    }
  }

  private func left(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/work")
  }

  @Test("the user's entry names the home directory", arguments: homes)
  func looksUp(home: String?) async throws {
    let entry = folder.path + "/anna"
    try FileManager.default.createDirectory(
      atPath: entry, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let ctl = Programs.path("ritualctl")
    let output = try await run(
      [ctl, "init", "--project-url", "https://x.supabase.co", "--anon-key", "k"], home: home, entry: entry, in: folder
    )
    #expect(output.status == 0, "\(output.stderr)")
    #expect(FileManager.default.fileExists(atPath: entry + "/.config/ritual-agent/config.toml"))
    let check = try await run([Programs.path("ritual-agentd"), "--check-config"], home: home, entry: entry, in: folder)
    #expect(check.status == 0, "\(check.stderr)")
    try "x".write(toFile: entry + "/.config/ritual-agent/config.toml", atomically: false, encoding: .utf8)
    let broken = try await run(
      [Programs.path("ritual-agentd"), "--check-config"], home: home, entry: entry, in: folder)
    #expect(broken.stderr.contains(entry + "/.config/ritual-agent/config.toml:1:"), "\(broken.stderr)")
    #expect(try left(folder) == [])
  }

  @Test("without an entry, every program fails with a message", arguments: homes)
  func refuses(home: String?) async throws {
    let commands = [
      ["ritualctl", "init", "--project-url", "https://x.supabase.co", "--anon-key", "k"], ["ritualctl", "doctor"],
      ["ritualctl", "reset", "--yes"], ["ritualctl", "register-handler"],
      ["ritualctl", "register-handler", "--remove"],
      ["ritual-agentd"], ["ritual-agentd", "--check-config"], ["ritual-notify"],
    ]
    for command in commands {
      for entry in [nil, "/", "relative"] as [String?] {
        let output = try await run(
          [Programs.path(command[0])] + command.dropFirst(), home: home, entry: entry, in: folder)
        #expect(output.status == 1, "\(command) \(output)")
        #expect(output.stderr.contains("no home directory found"), "\(command) \(output.stderr)")
        #expect(output.stdout.isEmpty)
      }
    }
    #expect(try left(folder) == [])
    for name in [".config", ".local", "config", "state", "data", "run"] {
      #expect(!FileManager.default.fileExists(atPath: "/" + name) || name == "run", "/\(name)")
    }
  }

  @Test("a command that needs no home directory works without one")
  func needsNone() async throws {
    let output = try await run(
      [
        Programs.path("ritualctl"), "init", "--config", folder.path + "/c.toml", "--socket", folder.path + "/s",
        "--project-url", "https://x.supabase.co", "--anon-key", "k",
      ], home: nil, entry: nil, in: folder)
    #expect(output.status == 0, "\(output.stderr)")
    #expect(try left(folder) == [])
  }
}
