import AuthSandbox
import Foundation
import TestKit
import Testing

/// The account for a directory, with the built programs.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct DirectoryEndToEndTests {
  /// Runs ritualctl in a directory below the test's.
  private func ctl(_ directory: String, _ arguments: String..., more: [String: String] = [:]) async throws -> Output {
    let script = "cd \"$1\" && shift && exec \"$@\""
    return try await home.run(
      "/bin/sh", ["-c", script, "sh", directory, Programs.path("ritualctl")] + arguments, more: more)
  }

  private var work: String { get throws { try #require(home.folder.path.realpath) + "/acme" } }

  private func prepare() async throws -> (String, String) {
    for name in ["acme/deep", "acme2"] {
      try FileManager.default.createDirectory(
        atPath: home.folder.path + "/" + name, withIntermediateDirectories: true)
    }
    try await home.signIn()
    try await home.signIn("--account", "work")
    let set = try await home.ctl("use", "work", "--in", home.folder.path + "/acme2/../acme/")
    #expect(set.status == 0, "\(set)")
    return (try await home.token("--account", "default"), try await home.token("--account", "work"))
  }

  @Test("it decides below that directory, after --account and RITUAL_ACCOUNT, and for every command")
  func decides() async throws {
    let (usual, bound) = try await prepare()
    #expect(usual != bound)
    let link = home.folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try work + "/deep")
    for directory in [try work, try work + "/deep", link] {
      #expect(try await ctl(directory, "token").stdout == bound + "\n", "\(directory)")
    }
    for directory in [home.folder.path, home.folder.path + "/acme2", "/"] {
      #expect(try await ctl(directory, "token").stdout == usual + "\n", "\(directory)")
    }
    let deep = try work + "/deep"
    #expect(try await ctl(deep, "token", "--account", "default").stdout == usual + "\n")
    #expect(try await ctl(deep, "token", more: ["RITUAL_ACCOUNT": "default"]).stdout == usual + "\n")
    #expect(try await ctl(deep, "exec", "--", "printenv", "RITUAL_ACCESS_TOKEN").stdout == bound + "\n")
    #expect(try await ctl(deep, "grant", "--json").json()["account"] as? String == "work")
    #expect(try await ctl(deep, "api", "/api/v1/profile").status == 0)
    #expect(try await ctl(deep, "sign-out").stdout == "work: signed out\n")
    let out = try await ctl(deep, "token")
    #expect(out.status == 4 && out.stderr.contains("ritualctl sign-in --account work"), "\(out)")
    #expect(try await ctl(deep, "api", "/api/v1/profile").status == 4)
  }

  @Test("whoami and status say which account it is and why, also while locked")
  func shows() async throws {
    _ = try await prepare()
    let deep = try work + "/deep"
    let who = "\(TestHome.email) (email), account"
    #expect(try await ctl(deep, "whoami").stdout == "\(who) work, set for \(try work)\n")
    #expect(try await ctl("/", "whoami").stdout == "\(who) default, the default account\n")
    #expect(try await ctl(deep, "whoami", "--account", "default").stdout == "\(who) default\n")
    #expect(
      try await ctl(deep, "whoami", more: ["RITUAL_ACCOUNT": "default"]).stdout
        == "\(who) default, from RITUAL_ACCOUNT\n")
    #expect(try await ctl(deep, "whoami", "--json").json()["directory"] as? String == work)
    let line = "\naccount here: work, set for \(try work)\n"
    #expect(try await ctl(deep, "status").stdout.contains(line))
    #expect(try await !ctl("/", "status").stdout.contains("account here"))
    #expect(try await ctl(deep, "status", "--short").stdout == "work\n")
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await (ctl(deep, "status").stdout + "\n").contains(line))
    #expect(try await ctl(deep, "status", "--short").stdout == "work:locked\n")
    #expect(try await ctl(deep, "token").status == 5)
    #expect(try await home.ctl("use", "--list").stdout == "work  \(try work)\n")
    #expect(try await home.ctl("use", "--forget", try work).status == 5)
  }

  @Test("on a terminal, exec and grant say which account the directory selected")
  func tells() async throws {
    _ = try await prepare()
    let deep = try work + "/deep"
    #expect(try await ctl(deep, "exec", "--", "true").stderr == "", "not without a terminal")
    let said = "account work, set for \(try work)"
    for (words, isSaid) in [
      (["exec", "--", "true"], true), (["exec", "--egress", "--", "true"], true), (["grant"], true),
      (["exec", "--account", "work", "--", "true"], false), (["exec", "-q", "--", "true"], false),
    ] {
      let file = home.folder.path + "/run.sh"
      try "cd '\(deep)' && exec '\(Programs.path("ritualctl"))' \(words.joined(separator: " "))\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let output = try await home.run("/usr/bin/script", ["-qec", "sh \(file)", "/dev/null"])
      let text = output.stdout.replacing(#/\s+/#, with: " ")
      #expect(output.status == 0 && text.contains(said) == isSaid, "\(words): \(output)")
    }
  }

  @Test("it is listed and forgotten, follows a rename, and never gives another account's token after a removal")
  func changes() async throws {
    let (usual, _) = try await prepare()
    #expect(try await home.ctl("use", "--list").stdout == "work  \(try work)\n")
    #expect(try await home.ctl("accounts", "rename", "work", "job").status == 0)
    #expect(try await ctl(work, "status", "--short").stdout == "job\n")
    let removed = try await home.ctl("accounts", "remove", "job", "--yes")
    #expect(removed.stderr.contains("ritualctl use --forget \(try work)"), "\(removed)")
    for words in [["token"], ["whoami"], ["grant"], ["api", "/api/v1/profile"], ["exec", "--", "true"]] {
      let gone = try await home.run(
        "/bin/sh", ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", try work, Programs.path("ritualctl")] + words)
      #expect(gone.status != 0 && !gone.stdout.contains(usual), "\(words): \(gone)")
      #expect(gone.stderr.contains("job"), "\(words): \(gone)")
    }
    try FileManager.default.removeItem(atPath: try work)
    #expect(try await home.ctl("use", "--forget", try work).status == 0)
    #expect(try await home.ctl("use", "--list").stdout == "")
    for words in [
      ["use"], ["use", "default", "--list"], ["use", "--in", "/"], ["use", "default", "--forget", "/"],
      ["use", "default", "--in", "/no/such"], ["use", "default", "--in", "/etc/passwd"], ["use", "--forget", "/"],
      ["use", "--forget", "no/such"],
    ] {
      let refused = try await home.start(words).end()
      #expect([1, 64].contains(refused.status), "\(words): \(refused)")
    }
  }

  @Test("token and grant print the headers for a helper command as one JSON object")
  func headers() async throws {
    try await home.signIn()
    let token = try await home.token()
    func object(_ output: Output) throws -> [String: String]? {
      #expect(output.stdout.filter { $0 == "\n" }.count == 1, "\(output)")
      return try JSONSerialization.jsonObject(with: Data(output.stdout.utf8)) as? [String: String]
    }
    let expected = ["Authorization": "Bearer \(token)", "apikey": home.sandbox.anonKey]
    #expect(try object(try await home.ctl("token", "--format", "headers")) == expected)
    let grant = try await home.ctl("grant", "--format", "headers")
    let given = try #require(try object(grant))
    #expect(given["apikey"]?.hasPrefix("sb_publishable_ritual_") == true)
    #expect(given == ["Authorization": "Bearer \(given["apikey"] ?? "")", "apikey": given["apikey"] ?? ""])
    #expect(grant.stderr.contains("http://127.0.0.1:"), "\(grant)")
    #expect(try await home.ctl("grant", "--format", "json").json()["url"] != nil)
    #expect(try await home.ctl("grant", "--json", "--format", "headers").status == 64)
  }
}

extension String {
  /// The path without symbolic links.
  fileprivate var realpath: String? {
    guard let path = Glibc.realpath(self, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
