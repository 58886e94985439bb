import AuthSandbox
import Foundation
import Glibc
import SessionVault
import TestKit
import Testing

/// How the secrets have to leave the agent's memory.
enum SecretsEnd: String, CaseIterable, CustomTestStringConvertible {
  case signOut = "sign-out"
  case lock

  var testDescription: String { rawValue }

  func happen(in home: Household) async throws {
    let output = try await home.ctl(rawValue)
    #expect(output.status == 0, "\(output.stderr)")
  }
}

/// VA-1, VA-4. One at a time: each writes cores of hundreds of megabytes.
@Suite(
  .serialized,
  .disabled(if: CoreImage.obstacle != nil, "\(CoreImage.obstacle ?? "")"),
  .disabled(
    if: Sanitizer.isOn, "a sanitizer brings its own free(), which keeps what was freed to look at it")
)
struct MemoryEndToEndTests {
  private static let rotations = 4
  /// Needs an escape in JSON, in a URL and beyond ASCII; as short as people's are: Swift keeps up to 15 bytes in the string itself.
  private static let password = "a\"b\\c/d 1+é9"

  private static func settings(_ algorithm: RefreshAlgorithm) -> SandboxSettings {
    .with {
      $0.refreshAlgorithm = algorithm
      // Refreshed by itself every second and a half, until `use` ends it.
      $0.tokenLifetime = 2
    }
  }

  @Test(
    "no token, no password is left in memory", arguments: SecretsEnd.allCases,
    [RefreshAlgorithm.v1, .v2])
  func nothingIsLeft(end: SecretsEnd, algorithm: RefreshAlgorithm) async throws {
    try await withHousehold(Self.settings(algorithm), users: []) { home in
      _ = home.sandbox.addUser(email: Household.email, password: Self.password)
      var known = KnownSecrets()
      known.add(password: Self.password)
      try await signIn(home, known)
      try await use(home, &known)
      // A tool that stays connected, as editors do: the connection's buffers live on.
      let tool = try LongLivedTool(home)
      let served = try tool.token()
      #expect(served == known.accessTokens.last)

      let before = try await home.findings(known)
      let newest = ["access token \(known.accessTokens.count - 1)", "refresh token \(known.refreshTokens.count - 1)"]
      for name in newest { #expect(before.contains { $0.secret.hasPrefix(name) }, "the search finds what is there") }

      try known.add(keyFile: home.keyFile)
      try known.add(keysOf: VaultCopy(of: home), by: .keyFile(path: home.keyFile, createIfMissing: false))
      #expect(
        try await home.findings(known).contains { $0.secret == VaultCopy.sealingKey }, "the search finds the keys")
      try await end.happen(in: home)
      // Whoever signs out goes on with an open vault.
      let left = try await home.remaining(end == .lock ? known : known.withoutKeys)
      #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
      #expect(await !home.agentLog.contains("not overwritten"))
      tool.close()
    }
  }

  /// Signs in, and looks for the password while the server has it.
  private func signIn(_ home: Household, _ known: KnownSecrets) async throws {
    home.sandbox.inject(.hangBeforeCommit, at: .password)
    let command = try home.start(
      ["sign-in", "email", "--email", Household.email, "--password-stdin"], input: Self.password + "\n")
    try await eventually("the password is on its way") { home.sandbox.hangingRequests == 1 }
    let found = try await home.findings(known)
    #expect(found.contains { $0.encoding == "UTF-8" }, "the search finds the password while it is in use")
    #expect(found.contains { $0.encoding.hasPrefix("JSON") }, "and the request with it")
    home.sandbox.releaseHangs()
    let output = try await command.end()
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// Has the session refreshed some times, takes the tokens, and calls the API with one.
  private func use(_ home: Household, _ known: inout KnownSecrets) async throws {
    for rotation in 1...Self.rotations {
      try await eventually("rotation \(rotation)") { home.sandbox.refreshRotations >= rotation }
      known.add(accessToken: try await home.token())
    }
    // A refresh now, and then none until the end.
    home.sandbox.configure { $0.tokenLifetime = 3600 }
    known.add(accessToken: try await home.token("--min-ttl", "600"))
    #expect(known.accessTokens.count > 2)
    _ = try await home.ctl("api", "/api/v1/profile")
    known.add(refreshTokensOf: home.sandbox)
    #expect(known.refreshTokens.count > Self.rotations)
  }
}
