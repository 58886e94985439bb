import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing
import WebURLs

@testable import AgentConfiguration

@Suite struct ConfigurationFileTests {
  private func withFile(
    _ content: [UInt8] = Array("[sign_in]\ntimeout = 9\n".utf8), mode: mode_t = 0o600,
    _ body: (String) throws -> Void
  ) async throws {
    try await withScratchDirectory { folder async throws in
      let path = folder.path + "/config.toml"
      try Data(content).write(to: URL(filePath: path))
      #expect(chmod(path, mode) == 0)
      try body(path)
    }
  }

  private func error(_ path: String) throws -> ConfigurationError {
    try #require(throws: ConfigurationError.self) { try Configuration.load(path: path) }
  }

  @Test("reads the user's own file, also through a symbolic link", arguments: [0o600, 0o644, 0o400] as [mode_t])
  func reads(mode: mode_t) async throws {
    try await withFile(mode: mode) { path throws in
      #expect(try Configuration.load(path: path).signIn.timeoutSeconds == 9)
      #expect(symlink(path, path + ".link") == 0)
      #expect(try Configuration.load(path: path + ".link").signIn.timeoutSeconds == 9)
    }
  }

  private func secrets(
    _ file: String, _ content: String, mode: mode_t = 0o600, _ body: (() throws -> ProjectConfiguration?) throws -> Void
  ) async throws {
    let text =
      "[projects.a]\nurl = 'https://x.co'\nanon_key = 'k'\nproxy = 'http://p:1'\n\(file)_file = 'secret'\n"
    try await withFile(Array(text.utf8)) { path throws in
      let secret = String(path.dropLast("config.toml".utf8.count)) + "secret"
      try Data(content.utf8).write(to: URL(filePath: secret))
      #expect(chmod(secret, mode) == 0)
      try body { try Configuration.loadWithSecrets(path: path).projects["a"] }
    }
  }

  @Test("reads the secrets of a project from files beside the configuration")
  func readsSecrets() async throws {
    try await secrets("headers", "# a gate\n\nCF-Access-Client-Id:  a b \r\nx-y: z\n") { load throws in
      let headers = try #require(try load()).headers
      #expect(headers.map(\.name) == ["CF-Access-Client-Id", "x-y"] && headers.map(\.value) == ["a b", "z"])
      #expect("\(headers)" == "[<ConstantHeader redacted>, <ConstantHeader redacted>]")
    }
    try await secrets("proxy_password", "user:p:w\n") { load throws in
      let password = try #require(try load()?.proxyPassword)
      #expect(password.user == "user" && password.password == "p:w")
    }
  }

  @Test(
    "rejects a file of secrets that others can read, and one that is no such file",
    arguments: [
      ("headers", "a: b", 0o640, "chmod 600"), ("proxy_password", "a:b", 0o604, "chmod 600"),
      ("headers", "a: b\nc", 0o600, "secret:2:1: expected Name: value"), ("headers", "a b: c", 0o600, "secret:1:1"),
      ("headers", "Authorization: c", 0o600, "secret:1:1"), ("headers", "CF-Ray: c", 0o600, "secret:1:1"),
      ("headers", "a: b\u{7F}", 0o600, "secret:1:1"), ("headers", "a:", 0o600, "secret:1:1"),
      ("headers", String(repeating: "a: b\n", count: 17), 0o600, "limit: 16"),
      ("headers", String(repeating: "#\n", count: 9000), 0o600, "larger than 16 KiB"),
      ("proxy_password", "", 0o600, "USER:PASSWORD"), ("proxy_password", ":b", 0o600, "USER:PASSWORD"),
      ("proxy_password", "a:b\nc", 0o600, "USER:PASSWORD"), ("proxy_password", "ab", 0o600, "USER:PASSWORD"),
    ] as [(String, String, mode_t, String)])
  func refusesSecrets(file: String, content: String, mode: mode_t, words: String) async throws {
    try await secrets(file, content, mode: mode) { load throws in
      let error = try #require(throws: ConfigurationError.self) { _ = try load() }
      #expect("\(error)".contains(words), "\(error)")
      #expect(!error.message.contains("b\nc"))
    }
  }

  @Test("a file of secrets is in the directory of the configuration")
  func refusesSecretsElsewhere() async throws {
    for name in ["/etc/hostname", "../secret", "none"] {
      let text = "[projects.a]\nurl = 'https://x.co'\nanon_key = 'k'\nheaders_file = '\(name)'\n"
      try await withFile(Array(text.utf8)) { path throws in
        let error = try #require(throws: ConfigurationError.self) { try Configuration.loadWithSecrets(path: path) }
        #expect(error.message.contains(name == "none" ? "does not exist" : "must be in the directory"), "\(error)")
      }
    }
  }

  @Test("a missing file is an empty configuration; a dangling link is an error")
  func readsNothing() async throws {
    try await withFile { path throws in
      #expect(try Configuration.load(path: path + ".none") == Configuration())
      #expect(symlink(path + ".none", path + ".link") == 0)
      #expect(try error(path + ".link").code == .unreadable)
      #expect(try error(path + "/below-a-file").code == .unreadable)
    }
  }

  @Test("rejects a file that other users can change", arguments: [0o620, 0o602, 0o666] as [mode_t])
  func refusesLooseFiles(mode: mode_t) async throws {
    try await withFile(mode: mode) { path throws in
      let error = try error(path)
      #expect(error.code == .insecure)
      #expect(error.description == "\(path): is writable by other users: chmod go-w \(path)")
    }
  }

  @Test("rejects a file owned by another user", .enabled(if: geteuid() == 0, "only root can give files away"))
  func refusesForeignFiles() async throws {
    try await withFile { path throws in
      #expect(chown(path, 12345, 12345) == 0)
      let error = try error(path)
      #expect(error.code == .insecure)
      #expect(error.message.contains("uid 12345"))
    }
  }

  @Test("rejects anything but a regular file immediately, including a FIFO without a writer")
  func refusesOtherKinds() async throws {
    try await withScratchDirectory { folder async throws in
      #expect(try error(folder.path).code == .insecure)
      #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
      #expect(try error(folder.path + "/fifo").code == .insecure)
      #expect(try error("/dev/null").code == .insecure)
    }
  }

  @Test("reads 1 MiB, and rejects one byte more")
  func isBounded() async throws {
    let mebibyte = Array("[sign_in]\ntimeout = 9\n#".utf8)
    let filled = mebibyte + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20 - mebibyte.count)
    try await withFile(filled) { path throws in
      #expect(try Configuration.load(path: path).signIn.timeoutSeconds == 9)
    }
    try await withFile(filled + [UInt8(ascii: "x")]) { path throws in
      let error = try error(path)
      #expect(error.code == .unreadable)
      #expect(error.message.contains("1 MiB"))
    }
  }

  @Test(
    "reports the position of bytes that are not UTF-8",
    arguments: [
      ([0xFF], 1, 1), (Array("ok = 1\nü = ".utf8) + [0xC3, 0x28], 2, 5), (Array("# ".utf8) + [0xEF, 0xBF], 1, 3),
    ] as [([UInt8], Int, Int)])
  func findsInvalidBytes(content: [UInt8], line: Int, column: Int) async throws {
    try await withFile(content) { path throws in
      let error = try error(path)
      #expect(error.code == .syntax)
      #expect((error.line, error.column) == (line, column))
    }
  }
}
