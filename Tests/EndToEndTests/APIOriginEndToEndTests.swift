import AuthSandbox
import Foundation
import TestKit
import Testing

/// SE-2: a changed `api_url` gets no token that was issued while another one was configured.
@Suite(.serialized, .timeLimit(.minutes(5))) struct APIOriginEndToEndTests {
  private func setAPI(_ url: String?, _ home: Household) async throws {
    let file = home.environment["XDG_CONFIG_HOME", default: ""] + "/ritual-agent/config.toml"
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    lines.removeAll { $0.hasPrefix("api_url") }
    let index = try #require(lines.firstIndex { $0.hasPrefix("url = ") })
    if let url { lines.insert("api_url = \"\(url)\"", at: index + 1) }
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    try await home.reload()
  }

  @Test("a new api_url is asked for: nothing is sent there until use-api or a new sign-in; tokens for tools go on")
  func asksForAChange() async throws {
    try await withHousehold { home in
      try await withSandbox { other in
        let foreign = other.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        try await home.signIn()
        #expect(try await home.ctl("api", "/api/v1/profile").status == 0)
        try await setAPI(foreign, home)
        for round in 0..<2 {
          for command in [["api", "/api/v1/profile"], ["api", foreign + "/x"], ["profile"]] {
            let refused = try await home.start(command).end()
            #expect(refused.status == 1, "\(command): \(refused.stdout)\(refused.stderr)")
            #expect(refused.stderr.contains("ritualctl use-api --account default"), "\(refused.stderr)")
          }
          #expect(other.requestCount() == 0)
          #expect(try await home.ctl("token").status == 0)
          #expect(try await home.ctl("refresh").status == 0)
          #expect(try await home.ctl("api", "/rest/v1/x").stderr.contains("use-api") == false)
          #expect(try await home.ctl("status", "--json").stdout.contains("use-api"))
          guard round == 0 else { break }
          // It is durable.
          #expect(try await home.endAgent() == 0)
          try await home.startAgent()
        }
        #expect(try await home.ctl("use-api").status == 0)
        _ = try await home.ctl("api", "/api/v1/profile")
        #expect(other.requestCount() > 0)
        #expect(try await home.ctl("audit", "--json").stdout.contains("apiAccepted"))
        #expect(try await home.ctl("status", "--json").stdout.contains("use-api") == false)
        #expect(try await home.endAgent() == 0)
        try await home.startAgent()
        #expect(try await home.ctl("api", "/x").stderr.contains("use-api") == false)
        // Back to the project's own origin: it issued the session.
        try await setAPI(nil, home)
        #expect(try await home.ctl("api", "/api/v1/profile").status == 0)
        // A new sign-in takes what is configured.
        try await setAPI(other.url, home)
        #expect(try await home.ctl("api", "/x").stderr.contains("use-api"))
        try await home.signIn()
        #expect(try await home.ctl("api", "/x").stderr.contains("use-api") == false)
      }
    }
  }
}
