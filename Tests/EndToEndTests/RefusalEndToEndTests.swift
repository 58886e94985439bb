import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct RefusalEndToEndTests {
  @Test(
    "PR-2: kernel credentials refuse another uid, whatever the file modes are",
    .enabled(if: geteuid() == 0, "only root can run a program as another user"))
  func refusesAnotherUser() async throws {
    try await home.signIn()
    for path in [home.folder.path, home.folder.path + "/run", home.folder.path + "/run/ritual-agent"] {
      #expect(chmod(path, 0o755) == 0)
    }
    #expect(chmod(home.socket, 0o666) == 0)
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.settimeout(60); s.connect(sys.argv[1])
      try:
          s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"session.token"}\\n')
      except BrokenPipeError:
          pass
      data = b''
      try:
          while True:
              part = s.recv(65536)
              if not part: break
              data += part
      except ConnectionResetError:
          pass
      print(data.decode())
      """
    let output = try await RunningProgram(
      "/usr/bin/setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, home.socket],
      environment: ["PATH": "/usr/bin:/bin"], folder: home.folder
    ).end()
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stdout.contains("denied"))
    #expect(!output.stdout.contains("accessToken"))
  }

  @Test("a second agent on the same socket fails with the reason, and does not disturb the first one")
  func refusesASecondAgent() async throws {
    try await home.signIn()
    let second = try await home.run(Programs.path("ritual-agentd"))
    #expect(second.status == 1)
    #expect(second.stderr.contains("another agent"))
    #expect(try await !home.token().isEmpty)
  }

  @Test("a second agent on the same state directory fails with the reason")
  func refusesASecondAgentOnTheVault() async throws {
    let second = try await home.run(
      Programs.path("ritual-agentd"), ["--socket", home.folder.path + "/run/ritual-agent/two.sock"])
    #expect(second.status == 1)
    #expect(second.stderr.contains("another"))
  }

  @Test("PR-6: escape sequences from the server reach neither the terminal nor the log")
  func escapesForeignText() async throws {
    let hostile = "evil\u{1B}]0;owned\u{07}\u{202E}@example.org"
    _ = home.sandbox.addProviderAccount(.google, email: hostile, firstName: "\u{1B}[31mEve", lastName: "\u{9B}2J")
    home.sandbox.configure { $0.autoConsentGoogle = hostile }
    let command = try home.start(["sign-in", "google"])
    try await home.browse(try await home.printedURL(of: command))
    #expect(try await command.end().status == 0)
    home.sandbox.inject(
      .error(status: 400, code: "bad\u{1B}[31m", message: "\u{1B}[2J\u{202E}gone"), at: .refresh, count: nil)
    var seen = ""
    for arguments in [["status"], ["accounts"], ["why"], ["refresh"], ["status", "--json"]] {
      let output = try await home.start(arguments).end()
      seen += output.stdout + output.stderr
    }
    seen += await home.agentLog
    #expect(seen.contains("example.org"), "the address is shown")
    for scalar in seen.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control, "U+\(String(scalar.value, radix: 16))")
      #expect(scalar.properties.generalCategory != .format, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(
    "VA-1: no plaintext token, password or email on disk, in the log or in the agent's environment",
    .enabled(if: geteuid() == 0, "only root can read the environment of an undumpable process"))
  func leavesNothingInTheClear() async throws {
    try await home.signIn()
    let token = try await home.token()
    #expect(try await home.ctl("refresh").status == 0)
    let pid = try #require(await home.agentPID)
    var places = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/environ"))
    places += try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline"))
    places += Data(await home.agentLog.utf8)
    for folder in ["state", "data", "config", "run"] {
      let files = FileManager.default.enumerator(atPath: home.folder.path + "/" + folder)
      while let name = files?.nextObject() as? String {
        places += (try? Data(contentsOf: URL(fileURLWithPath: home.folder.path + "/\(folder)/\(name)"))) ?? Data()
      }
    }
    for secret in [token, TestHome.password, TestHome.email] {
      #expect(places.range(of: Data(secret.utf8)) == nil, "found \(secret.prefix(8))…")
    }
    #expect(places.range(of: Data(home.sandbox.anonKey.utf8)) != nil, "the search finds what is there")
  }
}
