import AuthSandbox
import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct InitReloadEndToEndTests {
  private static func text(_ home: TestHome) throws -> String {
    try String(contentsOfFile: home.folder.path + "/config/ritual-agent/config.toml", encoding: .utf8)
  }

  @Test("the running agent applies --update without a restart", .home)
  func updates() async throws {
    try await home.signIn()
    var (key, warning) = ("", "")
    // On a busy machine the sandbox may need longer than the check waits.
    try await eventually("the project answers in time: \(warning)") {
      key += "another-key"
      let output = try await home.ctl("init", "--update", "--anon-key", key, "--json")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(try output.json()["change"] as? String == "updated")
      warning = try output.json()["warning"] as? String ?? ""
      return warning != "the project does not answer"
    }
    #expect(warning.contains("The project's URL or key may be wrong."), "\(warning)")
    #expect(try Self.text(home).contains("anon_key = \"\(key)\""))
    let report = try await home.doctor()
    #expect(report.outcome("key") == "fail", "the project does not know this key")
    #expect(report.outcome("configuration") == "ok", "\(report.words("configuration"))")
    #expect(try await home.ctl("init", "--update", "--anon-key", home.sandbox.anonKey).status == 0)
    #expect(try await home.doctor().outcome("key") == "ok")
  }

  @Test("a file that the running agent rejects is restored", .home)
  func takesBack() async throws {
    await home.stopAgent()
    let inside = ["/usr/bin/unshare", "--user", "--map-current-user"]
    try await home.startAgent(through: inside)
    // A rule that only an agent in a user namespace rejects.
    try home.append("\n[[policy.rules]]\naction = \"deny\"\nexecutable = \"/opt/tool\"\n")
    let before = try Self.text(home)
    let output = try await home.ctl(
      "init", "--project", "work", "--project-url", home.sandbox.url, "--anon-key", "k", "--json")
    #expect(output.status == 1 && output.stdout.isEmpty, "\(output)")
    let error = try JSONSerialization.jsonObject(with: Data(output.stderr.utf8)) as? [String: Any]
    let message = (error?["error"] as? [String: Any])?["message"] as? String ?? ""
    #expect(message.contains("nothing was changed") && message.contains("config.toml:"), "\(output.stderr)")
    #expect(try Self.text(home) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/config/ritual-agent")
    #expect(names == ["config.toml"])
  }

  @Test("an agent that reads another file does not check this one", .home)
  func namesTheOtherFile() async throws {
    let file = home.folder.path + "/other.toml"
    let output = try await home.ctl(
      "init", "--config", file, "--project", "work", "--project-url", home.sandbox.url, "--anon-key", "k")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stderr.contains("reads another file"), "\(output.stderr)")
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("doctor reports that the file has changed since the agent read it", .doctor)
  func noticesChanges() async throws {
    try home.append("\n[sign_in]\ntimeout = 9\n")
    let report = try await home.doctor()
    #expect(report.outcome("configuration") == "warn")
    #expect(report.words("configuration").contains("ritualctl reload"))
    #expect(try await home.ctl("reload").status == 0)
    #expect(try await home.doctor().outcome("configuration") == "ok")
  }
}
