import AuthSandbox
import Foundation
import SessionVault
import TestKit
import Testing

/// Codes, links and the secret of a second factor are in no memory after a lock, and
/// never in a log, the vault or another file.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .disabled(if: CoreImage.obstacle != nil, "\(CoreImage.obstacle ?? "")"),
  .disabled(if: Sanitizer.isOn, "a sanitizer brings its own free(), which keeps what was freed to look at it")
)
struct CodeMemoryEndToEndTests {
  private static let phone = "4915112345699"
  /// As long as a code can be, so that no other number in the agent's memory equals it.
  private static let code = "8302746159"

  private static let settings = SandboxSettings.with {
    ($0.mfaPhoneEnroll, $0.mfaPhoneVerify, $0.testPhones) = (true, true, [phone: code])
    $0.phoneEnabled = true
  }

  @Test("a lock leaves no code and no secret in memory", .home(settings))
  func nothingIsLeft() async throws {
    let factor = try home.sandbox.addFactor(to: TestHome.email, phone: Self.phone)
    try await home.signIn()
    var known = KnownSecrets()
    known.add(password: Self.code)
    try await verify(home, factor.id, known)

    let enrolled = try await home.result("mfa.enroll", #"{"type":"totp","name":"app"}"#)
    for member in ["secret", "uri"] { known.add(password: try #require(enrolled[member] as? String)) }

    let locked = try await home.ctl("lock")
    #expect(locked.status == 0, "\(locked.stderr)")
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
    try await checkFiles(home, known)
  }

  @Test("a lock leaves no code and no link of a sign-in in memory", .home(settings), arguments: [true, false])
  func nothingOfASignIn(isPhone: Bool) async throws {
    let address = isPhone ? #""phone":"\#(Self.phone)""# : #""email":"\#(TestHome.email)""#
    _ = try await home.result("signIn.sendCode", "{\(address),\"createUser\":true}")
    var known = KnownSecrets()
    var proof = #""code":"\#(Self.code)""#
    if isPhone {
      known.add(password: Self.code)
    } else {
      let mail = try await home.mail()
      known.add(password: try #require(mail.tokenHash))
      proof = #""link":"\#(try #require(mail.link))""#
    }
    home.sandbox.inject(.hangBeforeCommit, at: .verify)
    async let answer = home.result("signIn.verifyCode", "{\(address),\(proof)}")
    try await eventually("the code is on its way") { home.sandbox.hangingRequests > 0 }
    #expect(try await !home.findings(known).isEmpty, "the search finds the code while it is in use")
    home.sandbox.releaseHangs()
    _ = try await answer

    #expect(try await home.ctl("lock").status == 0)
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
    try await checkFiles(home, known)
  }

  @Test(
    "a lock ends a verification that hangs, and removes its code", .home(settings),
    arguments: [Fault.hangBeforeCommit, .hangAfterCommit])
  func endsAVerification(fault: Fault) async throws {
    let factor = try home.sandbox.addFactor(to: TestHome.email, phone: Self.phone)
    try await home.signIn()
    var known = KnownSecrets()
    known.add(password: Self.code)
    _ = try await home.result("mfa.challenge", #"{"factor":"\#(factor.id)"}"#)
    home.sandbox.inject(fault, at: .verifyFactor)
    async let answer = home.call("mfa.verify", #"{"factor":"\#(factor.id)","code":"\#(Self.code)"}"#)
    try await eventually("the code is on its way") { home.sandbox.hangingRequests > 0 }
    #expect(try await !home.findings(known).isEmpty, "the search finds the code while it is in use")
    #expect(try await home.ctl("lock").status == 0)
    let left = try await home.remaining(known)
    #expect(left.isEmpty, "\(left.map(\.description).joined(separator: "\n"))")
    #expect(try await answer?["error"] != nil)
    home.sandbox.releaseHangs()
    try await checkFiles(home, known)
  }

  /// Verifies the phone factor, and finds the code in memory while the server has the request.
  private func verify(_ home: TestHome, _ factor: String, _ known: KnownSecrets) async throws {
    _ = try await home.result("mfa.challenge", #"{"factor":"\#(factor)"}"#)
    home.sandbox.inject(.hangBeforeCommit, at: .verifyFactor)
    async let answer = home.result("mfa.verify", #"{"factor":"\#(factor)","code":"\#(Self.code)"}"#)
    try await eventually("the code is on its way") { home.sandbox.hangingRequests > 0 }
    #expect(try await !home.findings(known).isEmpty, "the search finds the code while it is in use")
    home.sandbox.releaseHangs()
    #expect(try await (answer["assurance"] as? [String: Any])?["current"] as? String == "aal2")
  }

  /// Neither the agent's log, nor its command line, nor a file of its home has a secret, nor has a
  /// record of the vault.
  private func checkFiles(_ home: TestHome, _ known: KnownSecrets) async throws {
    var places = [("the log", Array(await home.agentLog.utf8))]
    let pid = try #require(await home.agentPID)
    places.append(("the command line", [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline")))))
    for file in FileManager.default.subpaths(atPath: home.folder.path) ?? [] {
      let path = home.folder.path + "/" + file
      guard let content = FileManager.default.contents(atPath: path) else { continue }
      places.append((file, [UInt8](content)))
    }
    places += try VaultCopy(of: home).records(by: .keyFile(path: home.keyFile, createIfMissing: false))
    #expect(places.contains { $0.0.hasPrefix("record account/") }, "the vault was searched")
    for (place, bytes) in places {
      let found = bytes.withUnsafeBytes { known.search.findings(in: $0) { "offset \($0)" } }
      #expect(found.isEmpty, "\(place): \(found.map(\.description).joined(separator: "\n"))")
    }
  }
}
