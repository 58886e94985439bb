import AuthSandbox
import Foundation
import TestKit
import Testing

/// Kill -9 at any point of a link loses no session.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LinkCrashEndToEndTests {
  private static let settings = SandboxSettings.with {
    $0.autoConsentGoogle = TestHome.email
    $0.manualLinking = true
  }

  /// Starts `link google` and the browser, without waiting for either.
  private func startLink(_ home: TestHome) async throws -> [RunningProgram] {
    let command = try home.start(["link", "google"])
    let url = try await home.printedURL(of: command)
    let browser = try RunningProgram(
      "/usr/bin/curl", ["-sS", "-L", "--max-time", "20", url], environment: home.environment, folder: home.folder)
    return [command, browser]
  }

  private func requireWhole(_ home: TestHome, _ place: String) async throws {
    let token = try await home.token()
    #expect(try await home.serverTakes(token), "the server refuses the token: \(place)")
    let refreshed = try await home.ctl("refresh")
    #expect(refreshed.status == 0, "\(place): \(refreshed.stderr)")
    #expect(try await home.token() != token, "\(place)")
    #expect(home.sandbox.oldestAncestorPresented <= 1, "\(place)")
  }

  @Test("kill -9 while the code is exchanged: the old session survives", arguments: [false, true])
  func killedAtTheExchange(isCommitted: Bool) async throws {
    try await withTestHome(Self.settings) { home in
      home.sandbox.addProviderAccount(.google, email: TestHome.email)
      try await home.signIn()
      let before = try await home.token()
      home.sandbox.inject(isCommitted ? .hangAfterCommit : .hangBeforeCommit, at: .pkce)
      let programs = try await startLink(home)
      try await eventually("the exchange hangs") { home.sandbox.hangingRequests == 1 }
      try await home.killAgent()
      home.sandbox.releaseHangs()
      for program in programs { _ = try await program.end() }
      try await home.startAgent()
      #expect(try await home.token() == before, "the old session is there, byte for byte")
      try await requireWhole(home, "committed: \(isCommitted)")
    }
  }

  @Test("kill -9 between storing the new session and revoking the old one: the new one survives, the old one ends")
  func killedAfterTheStore() async throws {
    try await withTestHome(Self.settings) { home in
      home.sandbox.addProviderAccount(.google, email: TestHome.email)
      try await home.signIn()
      let before = try await home.token()
      home.sandbox.inject(.hangBeforeCommit, at: .logout)
      let programs = try await startLink(home)
      try await eventually("the end of the old session hangs") { home.sandbox.hangingRequests == 1 }
      try await home.killAgent()
      home.sandbox.releaseHangs()
      for program in programs { _ = try await program.end() }
      try await home.startAgent()
      #expect(try await home.token() != before)
      try await requireWhole(home, "after the store")
      try await eventually("the old session ends after all") { home.sandbox.users[0].sessions.count == 1 }
    }
  }

  @Test("kill -9 at random moments from the callback on: there is always a session that the server accepts")
  func killedAnywhere() async throws {
    try await withTestHome(Self.settings) { home in
      home.sandbox.addProviderAccount(.google, email: TestHome.email)
      try await home.signIn()
      // The response comes after 50 ms and is stored after that: the kill comes before, during or after.
      var (random, span) = (SeededGenerator(seed: CrashSettings.seed), KillSpan(.milliseconds(80)))
      var replaced = 0
      for round in 0..<20 {
        let before = try await home.token()
        let exchanges = home.sandbox.requestCount(.pkce)
        home.sandbox.inject(.delayAfterCommit(seconds: 0.05), at: .pkce)
        let programs = try await startLink(home)
        try await eventually("the exchange is asked for") { home.sandbox.requestCount(.pkce) > exchanges }
        let pid = try #require(await home.agentPID)
        await DelayedKill.kill(pid, after: span.moment(using: &random))
        try await home.killAgent()
        for program in programs { _ = try await program.end() }
        try await home.startAgent()
        let isReplaced = try await home.token() != before
        span.adapt(answered: isReplaced)
        if isReplaced { replaced += 1 }
        try await requireWhole(home, "round \(round)")
        try await unlinkGoogle(home)
      }
      print("link killed 20 times: the new session stood \(replaced) times")
      #expect(replaced > 0 && replaced < 20, "the kills were not spread: \(replaced)")
    }
  }

  private func unlinkGoogle(_ home: TestHome) async throws {
    let listed = try await home.ctl("identities", "--json").json()["identities"] as? [[String: Any]] ?? []
    for identity in listed where identity["provider"] as? String == "google" {
      let output = try await home.ctl("unlink", identity["identityID"] as? String ?? "")
      #expect(output.status == 0, "\(output.stderr)")
    }
  }
}
