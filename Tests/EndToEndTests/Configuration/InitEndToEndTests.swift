import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `ritualctl init` writes only files that the agent accepts, and leaves nothing behind when it
/// fails.
@Suite(.timeLimit(.minutes(5))) struct InitEndToEndTests {
  /// A directory in which the programs are run, without an agent.
  struct Place {
    let folder: URL

    var file: String { folder.path + "/home/.config/ritual-agent/config.toml" }
    var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }

    func run(_ command: [String], _ more: [String: String] = [:]) async throws -> Output {
      let environment = [
        "HOME": folder.path + "/home", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "XDG_RUNTIME_DIR": folder.path + "/run",
        "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
      ]
      return try await RunningProgram(
        command[0], Array(command.dropFirst()), environment: environment.merging(more) { $1 }, folder: folder
      ).end()
    }

    func initialize(_ arguments: String..., through launcher: [String] = []) async throws -> Output {
      try await run(launcher + [Programs.path("ritualctl"), "init"] + arguments)
    }

    func write(_ text: String, mode: Int = 0o600) throws {
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    /// The paths in the home directory, at any depth.
    var left: [String] {
      FileManager.default.enumerator(atPath: folder.path + "/home")?.compactMap { $0 as? String }.sorted() ?? []
    }

    func check() async throws -> Output { try await run([Programs.path("ritual-agentd"), "--check-config"]) }
  }

  private func withPlace(_ body: (Place) async throws -> Void) async throws {
    try await withScratchDirectory { folder in
      try FileManager.default.createDirectory(
        atPath: folder.path + "/home", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try await body(Place(folder: folder))
    }
  }

  private static let url = "https://abc.supabase.co"

  @Test(
    "writes a pasted URL of a Supabase service without its path, with a note",
    arguments: ["/auth/v1", "/auth/v1/", "//", "/Auth/V1//", "/rest/v1/", ""])
  func stripsPaths(path: String) async throws {
    try await withPlace { place in
      let output = try await place.initialize("--project-url", Self.url + path, "--anon-key", "k")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(place.text == "[projects.default]\nurl = \"\(Self.url)\"\nanon_key = \"k\"\n")
      #expect(output.stderr.contains("the project URL was saved as \(Self.url)") == !path.isEmpty, "\(output.stderr)")
      let check = try await place.check()
      #expect(check.status == 0 && check.stdout == "OK\n", "\(check.stderr)")
    }
  }

  @Test("takes a project's ID, as the dialog does")
  func takesAnID() async throws {
    try await withPlace { place in
      let output = try await place.initialize("--project-url", "abcdefghijklmnopqrst", "--anon-key", "k")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(place.text?.contains("url = \"https://abcdefghijklmnopqrst.supabase.co\"\n") == true)
      #expect(!output.stderr.contains("was saved as"), "\(output.stderr)")
    }
  }

  @Test(
    "repeating the same values reports that nothing changed; other values are refused, with the remedy")
  func repeats() async throws {
    try await withPlace { place in
      #expect(try await place.initialize("--project-url", Self.url, "--anon-key", "k").status == 0)
      let (text, node) = (
        place.text, try FileManager.default.attributesOfItem(atPath: place.file)[.systemFileNumber] as? Int
      )
      for url in [Self.url, Self.url + "/", Self.url + "/auth/v1", "https://ABC.supabase.co:443"] {
        let again = try await place.initialize("--project-url", url, "--anon-key", "k")
        #expect(again.status == 0 && again.stdout.contains("already configured"), "\(again)")
        #expect(again.stdout.contains("nothing was changed"))
      }
      let json = try await place.initialize("--project-url", Self.url, "--anon-key", "k", "--json")
      #expect(try json.json()["change"] as? String == "none")
      let other = try await place.initialize("--project-url", Self.url, "--anon-key", "other")
      #expect(other.status == 1 && other.stderr.contains("--update"), "\(other.stderr)")
      #expect(other.stderr.contains("a different anon_key"))
      #expect(place.text == text)
      #expect(try FileManager.default.attributesOfItem(atPath: place.file)[.systemFileNumber] as? Int == node)
    }
  }

  @Test("--update changes values in place and keeps other text; it also repairs an invalid URL")
  func updates() async throws {
    try await withPlace { place in
      let mine =
        "# mine\r\n[sign_in]\r\ntimeout = 9\r\n\r\n[projects.default] # p\r\n  url = '\(Self.url)/auth/v1' # u\r\n  anon_key = 'k'"
      try place.write(mine)
      let output = try await place.initialize(
        "--update", "--project-url", Self.url, "--api-url", "https://api.example.org/")
      #expect(output.status == 0 && output.stdout.contains("project default updated in"), "\(output.stderr)")
      let new = mine.replacingOccurrences(
        of: "'\(Self.url)/auth/v1' # u", with: "\"\(Self.url)\" # u\r\n  api_url = \"https://api.example.org\"")
      #expect(place.text == new)
      #expect(try await place.check().status == 0)
      let again = try await place.initialize("--update", "--project-url", Self.url)
      #expect(again.status == 0 && again.stdout.contains("nothing was changed"), "\(again)")
      let missing = try await place.initialize("--update", "--project", "work", "--anon-key", "x")
      #expect(missing.status == 1 && missing.stderr.contains("no project work"), "\(missing.stderr)")
      #expect(try await place.initialize("--update").status == 64)
      #expect(try await place.initialize("--update", "--project-url", "http://example.org").status == 64)
      #expect(place.text == new)
    }
  }

  /// ConfigurationErrorTests have the values that are refused. The claims are {"alg":"HS256"}.{"role":"service_role"}.x
  private static let serviceToken = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.x"

  @Test(
    "a value that the agent would reject is wrong usage, as text and as one document, and nothing is written",
    arguments: [
      ["--project-url", "http://example.org"], ["--project-url", "https://x.co\n"], ["--anon-key", "k\u{7F}"],
      ["--anon-key", serviceToken], ["--api-url", "https://api.example.org/v1"], ["--project", "a]\n[x"],
    ])
  func refusesValues(bad: [String]) async throws {
    try await withPlace { place in
      let arguments = ["--project-url", Self.url, "--anon-key", "k"] + bad + ["--json"]
      let output = try await place.run([Programs.path("ritualctl"), "init"] + arguments)
      #expect(output.status == 64 && output.stdout.isEmpty, "\(output)")
      #expect(try JSONSerialization.jsonObject(with: Data(output.stderr.utf8)) is [String: Any], "\(output.stderr)")
      #expect(place.left == [])
      if bad[0] == "--anon-key", bad[1].count > 8 { #expect(!output.stderr.contains(bad[1])) }
    }
  }

  @Test(
    "leaves a file that the agent would reject unchanged, and names file, line and column",
    arguments: [
      ("[sing_in]\n", ":1:1: unknown key"), ("a = \n", ":1:5: "), ("[projects.b]\nurl = 3\n", ":2:7: "),
      ("x", ":1:2: "),
      ("[[policy.rules]]\naction = 'deny'\nexecutable = '/bin/sh'\n", ":3:14: "), ("projects = {}", ""),
    ])
  func leavesBrokenFiles(text: String, words: String) async throws {
    try await withPlace { place in
      try place.write(text)
      let output = try await place.initialize("--project-url", Self.url, "--anon-key", "k")
      #expect(output.status == 1 && output.stderr.contains("config.toml" + words), "\(output.stderr)")
      #expect(place.text == text && place.left.count == 3, "\(place.left)")
    }
  }

  @Test(
    "modes: init and agent both reject a file that others can write, and accept one that others can read",
    arguments: [0o644, 0o400, 0o620, 0o666])
  func keepsToTheRuleForModes(mode: Int) async throws {
    try await withPlace { place in
      try place.write("[sign_in]\ntimeout = 9\n", mode: mode)
      let isTaken = mode & 0o022 == 0
      #expect(try await place.check().status == (isTaken ? 0 : 1))
      let output = try await place.initialize("--project-url", Self.url, "--anon-key", "k")
      #expect(output.status == (isTaken ? 0 : 1), "\(output.stderr)")
      #expect(output.stderr.contains("chmod go-w") == !isTaken)
      #expect(place.text?.contains("[projects.default]") == isTaken)
    }
  }

  @Test("a full disk and a directory that cannot be created leave everything unchanged")
  func leavesNothingBehind() async throws {
    try await withPlace { place in
      // Limits files to one block: the output fits, the configuration does not (EFBIG instead of
      // ENOSPC).
      let noRoom = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]
      let key = String(repeating: "k", count: 8000)
      let fresh = try await place.initialize("--project-url", Self.url, "--anon-key", key, "--json", through: noRoom)
      #expect(fresh.status == 1 && place.left == [], "\(fresh) \(place.left)")
      #expect(try JSONSerialization.jsonObject(with: Data(fresh.stderr.utf8)) is [String: Any], "\(fresh.stderr)")
      let old = "# " + String(repeating: "x", count: 8000) + "\n"
      try place.write(old)
      let full = try await place.initialize("--project-url", Self.url, "--anon-key", "k", through: noRoom)
      #expect(full.status == 1 && full.stderr.contains("cannot be written"), "\(full)")
      #expect(place.text == old && place.left.count == 3, "\(place.left)")
    }
    try await withPlace { place in
      try "".write(toFile: place.folder.path + "/home/.config", atomically: false, encoding: .utf8)
      let output = try await place.initialize("--project-url", Self.url, "--anon-key", "k")
      #expect(output.status == 1 && output.stderr.contains("cannot be created"), "\(output)")
      #expect(place.left == [".config"])
    }
  }

  @Test("leaves a symbolic link alone, wherever it points")
  func leavesLinks() async throws {
    try await withPlace { place in
      try place.write("[sign_in]\n")
      let target = place.folder.path + "/target.toml"
      #expect(rename(place.file, target) == 0 && symlink(target, place.file) == 0)
      for arguments in [["--project-url", Self.url, "--anon-key", "k"], ["--update", "--anon-key", "k"]] {
        let output = try await place.run([Programs.path("ritualctl"), "init"] + arguments)
        #expect(output.status == 1 && output.stderr.contains("symbolic link"), "\(output.stderr)")
      }
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "[sign_in]\n")
    }
  }

  @Test("concurrent commands add the same project once, and keep the others")
  func keepsConcurrentChanges() async throws {
    try await withPlace { place in
      try await withThrowingTaskGroup(of: Output.self) { group in
        for number in 0..<12 {
          group.addTask {
            try await place.initialize(
              "--project-url", Self.url, "--anon-key", "k", "--project", number < 6 ? "same" : "p\(number)")
          }
        }
        for try await output in group { #expect(output.status == 0, "\(output.stderr)") }
      }
      let text = try #require(place.text)
      #expect(text.components(separatedBy: "[projects.same]").count == 2)
      for number in 6..<12 { #expect(text.contains("[projects.p\(number)]\n")) }
      #expect(try await place.check().status == 0)
      #expect(place.left.count == 3, "\(place.left)")
    }
  }
}
