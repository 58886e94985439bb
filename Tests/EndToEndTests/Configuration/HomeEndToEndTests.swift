import Foundation
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
