import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// SI-7b: the desktop's own tools pass dailyritual:// URLs to the running agent.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SchemeEndToEndTests {
  /// The tools require a desktop: xdg-open(1) needs a display, gio the session's applications.
  private static func desktop(_ home: TestHome) -> [String: String] {
    var environment = home.environment
    environment["DISPLAY"] = ":99"
    environment["XDG_CURRENT_DESKTOP"] = "X-Generic"
    environment["XDG_DATA_DIRS"] = "/usr/share"
    environment["XDG_CONFIG_DIRS"] = "/etc/xdg"
    return environment
  }

  private static func run(_ home: TestHome, _ program: String, _ arguments: String...) async throws -> Output {
    try await RunningProgram(program, arguments, environment: desktop(home), folder: home.folder).end()
  }

  /// A test home with redirects to the scheme and a registered handler.
  private func withScheme(_ body: (TestHome) async throws -> Void) async throws {
    try await withTestHome { home in
      await home.stopAgent()
      try home.append("\n[sign_in]\nredirect = \"scheme\"\n")
      home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
      try await home.startAgent()
      let register = try await Self.run(home, Programs.path("ritualctl"), "register-handler")
      #expect(register.status == 0, "\(register.stderr)")
      #expect(register.stderr == "", "nothing is missing")
      try await body(home)
    }
  }

  @Test("xdg-open and gio pass the URL to the agent, and the sign-in completes", arguments: ["xdg-open", "gio"])
  func signsIn(by tool: String) async throws {
    try await withScheme { home in
      let command = try home.start(["sign-in", "google"])
      let callback = try await home.finalAddress(of: home.printedURL(of: command))
      #expect(callback.hasPrefix("dailyritual://auth-callback"))
      let words = tool == "gio" ? ["open", callback] : [callback]
      let opened = try await RunningProgram(
        "/usr/bin/" + tool, words, environment: Self.desktop(home), folder: home.folder
      ).end()
      #expect(opened.status == 0, "\(opened.stderr)")
      let output = try await command.end()
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout.contains("signed in to default"))
      #expect(try await home.ctl("token").status == 0)
    }
  }

  @Test("prints the entry for a package, and writes nothing", .home)
  func prints() async throws {
    let output = try await home.ctl("register-handler", "--print", "--program", "/usr/bin/ritualctl")
    #expect(output.status == 0)
    #expect(output.stdout.contains("\nExec=/usr/bin/ritualctl complete-sign-in --quiet %u\n"))
    #expect(output.stdout.contains("\nMimeType=x-scheme-handler/dailyritual;\n"))
    #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/data/applications"))
    #expect(try await home.ctl("register-handler", "--print", "--program", "ritualctl").status == 64)
    #expect(try await home.ctl("register-handler", "--print", "--remove").status == 64)
  }

  @Test("a wrong URL from the desktop does no harm; the entry is valid and can be removed")
  func refuses() async throws {
    try await withScheme { home in
      let entry = home.folder.path + "/data/applications/ritual-agent-dailyritual.desktop"
      let valid = try await Self.run(home, "/usr/bin/desktop-file-validate", entry)
      #expect(valid.status == 0 && valid.stdout == "", "\(valid.stdout)")
      let command = try home.start(["sign-in", "google"])
      let callback = try await home.finalAddress(of: home.printedURL(of: command))
      for wrong in [
        callback.replacingOccurrences(of: "attempt=", with: "attempt=x"), "dailyritual://other?code=1",
        callback + "#access_token=1",
      ] {
        _ = try await Self.run(home, "/usr/bin/gio", "open", wrong)
      }
      _ = try await Self.run(home, "/usr/bin/gio", "open", callback)
      #expect(try await command.end().status == 0, "the flow was left alone")
      #expect(try await Self.run(home, Programs.path("ritualctl"), "register-handler", "--remove").status == 0)
      #expect(!FileManager.default.fileExists(atPath: entry))
      let defaults = try? String(contentsOfFile: home.folder.path + "/config/mimeapps.list", encoding: .utf8)
      #expect(defaults?.contains("dailyritual") != true, "the desktop's note of it is gone, too")
      #expect(
        try await Self.run(home, Programs.path("ritualctl"), "register-handler", "--scheme", "https").status == 64)
    }
  }
}
