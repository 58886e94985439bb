import TestKit
import Testing

@testable import AuthSandbox

/// Codes and links by email, and codes by text message, beyond single recorded exchanges.
struct CodeTests {
  private static let byMail: @Sendable (inout SandboxSettings) -> Void = {
    $0.autoconfirm = false
    $0.frozenClock = true
  }

  @Test("an email has a code and a link", .stage(byMail))
  func content() async throws {
    let mail = try await stage.askForCode("Ann@lab.test", redirect: "http://127.0.0.1:43117/callback?attempt=a")
    #expect(mail.to == "ann@lab.test")
    #expect(mail.type == "signup" && mail.subject == "Confirm your email address")
    #expect(mail.code.count == 6)
    #expect(mail.tokenHash?.count == 56)
    let browser = Browser(stage: stage)
    #expect(browser.parameter("redirect_to", of: mail.link ?? "") == "http://127.0.0.1:43117/callback?attempt=a")
    _ = try TestSession(await stage.verify("email", "ann@lab.test", mail.code))
    let second = try await stage.askForCode("ann@lab.test", pkce: true)
    #expect(second.type == "magiclink" && second.subject == "Your sign-in link")
    #expect(second.tokenHash?.hasPrefix("pkce_") == true)
    #expect(try await stage.api("GET", "/sandbox/mail").json.array?.count == 2)
    let newest = try await stage.api("GET", "/sandbox/mail").json.array?.last?.object
    #expect(newest?.keys.sorted() == ["at", "code", "link", "subject", "to", "type"])
  }

  @Test("a code is a string, stays valid after wrong attempts, and ends after a day", .stage(byMail))
  func attempts() async throws {
    let code = try await stage.askForCode("ann@lab.test").code
    let number = try await stage.call(
      "POST", "/verify", body: ["type": "email", "email": "ann@lab.test", "token": .int(Int(code) ?? 0)])
    #expect(number.code == "bad_json")
    for _ in 0..<40 { _ = try await stage.verify("email", "ann@lab.test", "x" + code) }
    stage.sandbox.advanceClock(by: .seconds(86_400))
    _ = try TestSession(await stage.verify("email", "ann@lab.test", code))
    let next = try await stage.askForCode("ann@lab.test").code
    stage.sandbox.advanceClock(by: .seconds(86_401))
    #expect(try await stage.verify("email", "ann@lab.test", next).code == "otp_expired")
  }

  @Test("with auto-confirmation a new user still needs a code", .stage { $0.frozenClock = true })
  func autoconfirm() async throws {
    let mail = try await stage.askForCode("ann@lab.test")
    #expect(mail.type == "magiclink")
    #expect(stage.sandbox.users.first?.isConfirmed == true)
    #expect(stage.sandbox.users.first?.sessions.isEmpty == true)
    let session = try TestSession(await stage.verify("email", "ann@lab.test", mail.code))
    #expect(try session.claims["amr"]?.array?.first?["method"] == "otp")
  }

  private static let callback = "http://127.0.0.1:43117/cb"

  @Test("a code is not guarded against parallel use, as on the real server", .stage(byMail))
  func parallelUse() async throws {
    let code = try await stage.askForCode("ann@lab.test").code
    stage.sandbox.inject(.hangBeforeCommit, at: .verify, count: 6)
    try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
      for _ in 0..<6 { group.addTask { try await stage.verify("email", "ann@lab.test", code) } }
      try await eventually("all requests hang") { stage.sandbox.hangingRequests == 6 }
      stage.sandbox.releaseHangs()
      for try await answer in group { _ = try TestSession(answer) }
    }
    #expect(stage.sandbox.users.first?.sessions.count == 6)
    #expect(try await stage.verify("email", "ann@lab.test", code).code == "otp_expired")
  }

  @Test("a resend repeats a pending confirmation, and reveals no address", .stage(byMail))
  func resend() async throws {
    _ = try await stage.signUp("ann@lab.test")
    stage.sandbox.advanceClock(by: .seconds(60))
    try await stage.message("POST", "/resend", ["type": "signup", "email": "ann@lab.test"])
    #expect(stage.sandbox.mails.count == 2)
    for email in ["ann@lab.test", "nobody@lab.test"] {
      if let code = stage.sandbox.mails.last?.code { _ = try await stage.verify("email", "ann@lab.test", code) }
      try await stage.message("POST", "/resend", ["type": "signup", "email": .string(email)])
    }
    #expect(stage.sandbox.mails.count == 2)
  }

  @Test("a text message has a code of 60 s; a test number's code is not used up")
  func textMessages() async throws {
    try await withStage({
      Self.byMail(&$0)
      $0.phoneEnabled = true
      $0.testPhones = ["4915112345601": "123456"]
    }) { stage in
      func verify(_ phone: JSON, _ code: String) async throws -> HTTPAnswer {
        try await stage.call("POST", "/verify", body: ["type": "sms", "phone": phone, "token": .string(code)])
      }
      let real: JSON = "+49 151 12345688"
      let message = try await stage.message("POST", "/otp", ["phone": real])
      #expect(message.to == "4915112345688" && message.link == nil && message.type == nil)
      let session = try TestSession(await verify("4915112345688", message.code))
      #expect(session.json["user"]?["phone"] == "4915112345688")
      #expect(try session.claims["phone"] == "4915112345688")
      #expect(session.json["user"]?["app_metadata"]?["provider"] == "phone")
      #expect(try await verify(real, message.code).code == "otp_expired")
      try await stage.message("POST", "/otp", ["phone": "+4915112345601"])
      for _ in 0..<2 { _ = try TestSession(await verify("+4915112345601", "123456")) }
    }
  }
}
