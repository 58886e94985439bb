import AuthSandbox
import Foundation
import SessionVault
import TestKit
import Testing

/// A request with a secret that hangs at the server while the vault is locked.
enum HangingRequest: String, CaseIterable, CustomTestStringConvertible {
  case emailSignIn, emailSignUp, identityToken, sessionImport, codeExchange, linkRequest, unlinkRequest, profile, api

  var testDescription: String { rawValue }

  /// The endpoint at which the request hangs.
  var endpoint: SandboxEndpoint {
    switch self {
    case .emailSignIn: .password
    case .emailSignUp: .signUp
    case .identityToken: .idToken
    case .sessionImport: .refresh
    case .codeExchange: .pkce
    case .linkRequest: .identities
    case .unlinkRequest: .user
    case .profile, .api: .api
    }
  }

  /// Starts the command whose request hangs, and records the request's secret.
  func start(in home: TestHome, _ known: inout KnownSecrets) async throws -> RunningProgram {
    switch self {
    case .emailSignIn:
      known.add(password: TestHome.password)
      let arguments = ["sign-in", "email", "--account", "new", "--email", TestHome.email, "--password-stdin"]
      return try home.start(arguments, input: TestHome.password + "\n")
    case .emailSignUp:
      let password = "Brand-new: \"pass\" 77"
      known.add(password: password)
      let arguments = [
        "sign-in", "email", "--account", "new", "--email", "b@example.org", "--sign-up", "--password-stdin",
      ]
      return try home.start(arguments, input: password + "\n")
    case .identityToken:
      var request = IDTokenRequest(provider: .apple, email: TestHome.email)
      request.nonce = try await home.sha256("raw-nonce-1")
      let token = try await home.sandbox.mintIDToken(request)
      known.add(accessToken: token)
      return try home.start(
        ["sign-in", "apple", "--account", "new", "--id-token-stdin", "--nonce", "raw-nonce-1"], input: token + "\n")
    case .sessionImport:
      let token = try await home.foreignRefreshToken()
      known.add(password: token)
      return try home.start(["sign-in", "--account", "new", "--session-stdin"], input: token + "\n")
    case .codeExchange: return try home.start(["sign-in", "google", "--account", "new"])
    case .linkRequest: return try home.start(["link", "google"])
    case .unlinkRequest: return try home.start(["unlink", "00000000-0000-0000-0000-000000000000"])
    case .profile: return try home.start(["profile"])
    case .api: return try home.start(["api", "/api/v1/echo"])
    }
  }
}

/// A lock ends every request that carries a secret, and removes the secret from memory.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .disabled(if: CoreImage.obstacle != nil, "\(CoreImage.obstacle ?? "")"),
  .disabled(
    if: Sanitizer.isOn, "a sanitizer brings its own free(), which keeps what was freed to look at it")
)
struct LockDuringRequestEndToEndTests {
  private static let settings = SandboxSettings.with {
    $0.autoConsentGoogle = TestHome.email
    $0.manualLinking = true
  }

  @Test(
    "a lock ends a request that hangs, and its caller is informed", .home(settings), arguments: HangingRequest.allCases)
  func endsTheRequest(_ request: HangingRequest) async throws {
    home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
    try await home.signIn()
    var known = KnownSecrets()
    known.add(accessToken: try await home.token())
    try known.add(keyFile: home.keyFile)
    try known.add(keysOf: VaultCopy(of: home), by: .keyFile(path: home.keyFile, createIfMissing: false))
    // The profile of a new account is read in the background.
    try await eventually("nothing else is sent") { home.sandbox.hangingRequests == 0 }

    home.sandbox.inject(.hangBeforeCommit, at: request.endpoint, count: nil)
    let command = try await request.start(in: home, &known)
    let browser = try await browser(request, command, home)
    try await eventually("the request is on its way: \(command.stderr)") { home.sandbox.hangingRequests > 0 }
    #expect(try await !home.findings(known).isEmpty, "the search finds the secrets while they are in use")

    let locked = try await home.ctl("lock")
    #expect(locked.status == 0, "\(locked.stderr)")
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
    // 7 would be the timeout of a request that was not cancelled.
    let status = try await command.end().status
    #expect(status == 5 || status == 2, "vaultLocked or cancelled: \(command.stderr)")
    home.sandbox.releaseHangs()
    browser?.cancel()
  }

  /// Takes the code of a browser sign-in to the agent.
  private func browser(
    _ request: HangingRequest, _ command: RunningProgram, _ home: TestHome
  ) async throws -> Task<Void, Never>? {
    guard request == .codeExchange else { return nil }
    let url = try await home.printedURL(of: command)
    return Task { _ = try? await home.browse(url) }
  }
}

extension LockDuringRequestEndToEndTests {
  @Test("a lock removes unread responses from memory", .home)
  func dropsUnreadAnswers() async throws {
    try await home.signIn()
    var known = KnownSecrets()
    known.add(accessToken: try await home.token())
    let tool = try SocketTool(home.socket)
    // The responses exceed the kernel's buffers, but not the agent's limit.
    for number in 0..<400 { try tool.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"session.token"}"#) }
    try await eventually("answers wait in the agent") { try await home.findings(known).count > 50 }
    #expect(try await home.ctl("lock").status == 0)
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.count) findings: \(left.first?.description ?? "")")
    withExtendedLifetime(tool) {}
  }

  @Test("OP-8: a stop ends while a lock waits for a hanging server", .home)
  func stopsDuringALock() async throws {
    try await home.signIn()
    home.sandbox.inject(.hangBeforeCommit, at: .password, count: nil)
    let signIn = try home.start(
      ["sign-in", "email", "--account", "new", "--email", TestHome.email, "--password-stdin"],
      input: TestHome.password + "\n")
    try await eventually("the request is on its way") { home.sandbox.hangingRequests > 0 }
    let lock = try home.start(["lock"])
    try await eventually("the lock has begun") { FileManager.default.fileExists(atPath: home.manualLockFile) }
    #expect(try await home.endAgent() == 0)
    let locked = try await lock.end()
    #expect(locked.status == 0, "\(locked.stderr)")
    #expect(try await [2, 5].contains(signIn.end().status))
    home.sandbox.releaseHangs()
  }
}
