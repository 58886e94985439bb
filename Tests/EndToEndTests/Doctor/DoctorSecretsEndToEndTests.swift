import AuthSandbox
import Foundation
import TestKit
import Testing

/// The output of `doctor` is safe to publish.
@Suite(.doctor, .serialized, .timeLimit(.minutes(5))) struct DoctorSecretsEndToEndTests {
  @Test("prints no token, email address, key, project URL or name of the home directory, whatever is wrong")
  func printsNothingSecret() async throws {
    try await home.signIn("--account", "work")
    let secrets = [
      try await home.token(), TestHome.email, TestHome.password, home.sandbox.anonKey, home.sandbox.url,
      String(home.sandbox.url.dropFirst("http://".count)), home.folder.path, "example.org",
    ]
    func look(_ state: String) async throws {
      for arguments in [[], ["--json"]] {
        let output = try await home.run(
          Programs.path("ritualctl"), ["doctor"] + arguments, more: home.doctorEnvironment)
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
