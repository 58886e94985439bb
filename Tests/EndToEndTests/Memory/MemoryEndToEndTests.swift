import AuthSandbox
import Foundation
import Glibc
import SessionVault
import TestKit
import Testing

/// The command that must remove the secrets from the agent's memory.
enum SecretsEnd: String, CaseIterable, CustomTestStringConvertible {
  case signOut = "sign-out"
  case lock

  var testDescription: String { rawValue }

  func happen(in home: TestHome) async throws {
    let output = try await home.ctl(rawValue)
    #expect(output.status == 0, "\(output.stderr)")
  }
}

/// VA-1, VA-4. Serialized, because each test writes cores of hundreds of megabytes.
@Suite(
  .serialized,
  .disabled(if: CoreImage.obstacle != nil, "\(CoreImage.obstacle ?? "")"),
  .disabled(
    if: Sanitizer.isOn, "a sanitizer brings its own free(), which keeps what was freed to look at it")
)
struct MemoryEndToEndTests {
  private static let rotations = 4
  /// Needs escapes in JSON, in a URL and outside ASCII, and is as short as people's passwords:
  /// Swift keeps up to 15 bytes inside the string value.
  private static let password = "a\"b\\c/d 1+é9"

  private static func settings(_ algorithm: RefreshAlgorithm) -> SandboxSettings {
    .with {
      $0.refreshAlgorithm = algorithm
      // The agent refreshes every second and a half, until `use` stops that.
      $0.tokenLifetime = 2
    }
  }

  @Test(
    "leaves no token and no password in memory", arguments: SecretsEnd.allCases,
    [RefreshAlgorithm.v1, .v2])
  func nothingIsLeft(end: SecretsEnd, algorithm: RefreshAlgorithm) async throws {
    try await withTestHome(Self.settings(algorithm), users: []) { home in
      _ = home.sandbox.addUser(email: TestHome.email, password: Self.password)
      var known = KnownSecrets()
      known.add(password: Self.password)
      try await signIn(home, known)
      try await use(home, &known)
      // A tool that stays connected, as editors do, so that the connection's buffers stay
      // allocated.
      let tool = try BlockingSocket(unix: home.socket)
      let served = try await home.askForToken(on: tool, rejected: nil).token
      #expect(served == known.accessTokens.last)

      let before = try await home.findings(known)
      let newest = ["access token \(known.accessTokens.count - 1)", "refresh token \(known.refreshTokens.count - 1)"]
      for name in newest { #expect(before.contains { $0.secret.hasPrefix(name) }, "the search finds what is there") }

      try known.add(keyFile: home.keyFile)
      try known.add(keysOf: VaultCopy(of: home), by: .keyFile(path: home.keyFile, createIfMissing: false))
      #expect(
        try await home.findings(known).contains { $0.secret == VaultCopy.sealingKey }, "the search finds the keys")
      try await end.happen(in: home)
      // A sign-out leaves the vault open.
      let left = try await home.remaining(end == .lock ? known : known.withoutKeys)
      #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
      #expect(await !home.agentLog.contains("not overwritten"))
      withExtendedLifetime(tool) {}
    }
  }

  /// Signs in, and finds the password in memory while the server has the request.
  private func signIn(_ home: TestHome, _ known: KnownSecrets) async throws {
    home.sandbox.inject(.hangBeforeCommit, at: .password)
    let command = try home.start(
      ["sign-in", "email", "--email", TestHome.email, "--password-stdin"], input: Self.password + "\n")
    try await eventually("the password is on its way") { home.sandbox.hangingRequests == 1 }
    let found = try await home.findings(known)
    #expect(found.contains { $0.encoding == "UTF-8" }, "the search finds the password while it is in use")
    #expect(found.contains { $0.encoding.hasPrefix("JSON") }, "and the request with it")
    home.sandbox.releaseHangs()
    let output = try await command.end()
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// Waits for several refreshes, collects the tokens, and calls the API with one.
  private func use(_ home: TestHome, _ known: inout KnownSecrets) async throws {
    for rotation in 1...Self.rotations {
      try await eventually("rotation \(rotation)") { home.sandbox.refreshRotations >= rotation }
      known.add(accessToken: try await home.token())
    }
    // One more refresh, and then none until the end.
    home.sandbox.configure { $0.tokenLifetime = 3600 }
    known.add(accessToken: try await home.token("--min-ttl", "600"))
    #expect(known.accessTokens.count > 2)
    _ = try await home.ctl("api", "/api/v1/profile")
    known.add(refreshTokensOf: home.sandbox)
    #expect(known.refreshTokens.count > Self.rotations)
  }
}
