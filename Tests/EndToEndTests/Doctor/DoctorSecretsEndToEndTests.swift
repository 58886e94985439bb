import AuthSandbox
import Foundation
import TestKit
import Testing

/// The output of `doctor` is safe to publish, and `doctor --e2e` does not affect the user's own
/// agent.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DoctorSecretsEndToEndTests {
  @Test("prints no token, email address, key, project URL or name of the home directory, whatever is wrong")
  func printsNothingSecret() async throws {
    try await withDoctor { home in
      try await home.signIn("--account", "work")
      let secrets = [
        try await home.token(), TestHome.email, TestHome.password, home.sandbox.anonKey, home.sandbox.url,
        String(home.sandbox.url.dropFirst("http://".count)), home.folder.path, "example.org",
      ]
      func look(_ state: String) async throws {
        for arguments in [[], ["--json"]] {
          let output = try await RunningProgram(
            Programs.path("ritualctl"), ["doctor"] + arguments, environment: home.doctorEnvironment, folder: home.folder
          ).end()
          let text = output.stdout + output.stderr
          #expect(text.contains("socket"))
          for secret in secrets { #expect(!text.contains(secret), "\(state): \(secret) in \(text)") }
        }
      }
      try await look("all is well")
      home.sandbox.inject(
        .error(status: 400, code: "x", message: "\(TestHome.email) \(home.sandbox.anonKey)"), at: .any, count: 6)
      try await look("the server says too much")
      #expect(try await home.ctl("lock").status == 0)
      try await home.reconfigure { $0 += "\n[sign_in]\nredirect = \"scheme\"\n" }
      home.sandbox.configure { $0.redirectAllowList = [] }
      try await look("locked, and the redirect is refused")
      try home.editConfiguration { $0 += "\n[projects.default]\nurl = \"\(home.sandbox.url)\"\n" }
      try await look("a fault in the configuration")
      await home.stopAgent()
      try await look("no agent")
    }
  }

  @Test("--e2e goes through a session's life without touching the user's agent")
  func endToEnd() async throws {
    try await withDoctor { home in
      try await home.signIn()
      try await eventually("the sign-in and what follows it: the profile") { home.sandbox.requestCount() >= 2 }
      // A running agent would change its files by itself, and doctor must not start one.
      await home.stopAgent()
      func state() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for part in ["config", "state/ritual-agent/vault", "data"] {
          for name in try FileManager.default.subpathsOfDirectory(atPath: home.folder.path + "/" + part) {
            files[part + "/" + name] = FileManager.default.contents(atPath: "\(home.folder.path)/\(part)/\(name)")
          }
        }
        return files
      }
      let before = try state()
      let requests = home.sandbox.requestCount()
      let output = try await home.doctorOutput("--e2e", "--json")
      let report = try JSONDecoder().decode(DoctorReport.self, from: Data(output.stdout.utf8))
      #expect(output.status == 0, "\(output.stdout)")
      #expect(report.checks.map(\.name) == ["sign-in", "rotation", "expiry", "kill -9", "revocation"])
      #expect(report.checks.allSatisfy { $0.outcome == "ok" }, "\(output.stdout)")
      #expect(try state() == before)
      #expect(home.sandbox.requestCount() == requests)
      #expect(!(output.stdout + output.stderr).contains("eyJ"))
    }
  }

  @Test("--e2e names the missing package, or the step that fails")
  func endToEndFails() async throws {
    try await withDoctor { home in
      let tools = home.folder.path + "/tools"
      let copied = try await RunningProgram(
        "/bin/cp", [Programs.path("ritualctl"), Programs.path("ritual-agentd"), tools], environment: home.environment,
        folder: home.folder
      ).end()
      #expect(copied.status == 0, "\(copied.stderr)")
      var environment = home.environment
      environment["PATH"] = "/usr/bin:/bin"
      environment["TMPDIR"] = home.folder.path + "/run"
      func run() async throws -> Output {
        try await RunningProgram(
          tools + "/ritualctl", ["doctor", "--e2e"], environment: environment, folder: home.folder
        ).end()
      }
      let missing = try await run()
      #expect(missing.status == 1)
      #expect(missing.stdout.contains("install the package ritual-agent-sandbox"), "\(missing.stdout)")
      // A sandbox with another user than the one the agent will sign in.
      try await home.fake(
        "ritual-sandbox", "exec \(Programs.path("ritual-sandbox")) --user somebody@example.org:Aa1-else-long")
      let refused = try await run()
      #expect(refused.status == 1)
      #expect(refused.stdout.hasPrefix("FAIL  sign-in: Sign in failed."), "\(refused.stdout)")
      try await home.fake("ritual-agentd", "exit 1")
      #expect(try await run().stdout.contains("FAIL  start: ritual-agentd did not start"))
      let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/run")
      #expect(!left.contains { $0.hasPrefix("ritual-doctor-") })
    }
  }
}
