@testable import AuthSandbox

/// The settings under which codes were recorded: addresses need a confirmation.
private let byMail: @Sendable (inout SandboxSettings) -> Void = { $0.autoconfirm = false }

extension Claims {
  /// A claim with confirmation by email.
  private static func mailed(
    _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    _ prepare: @escaping @Sendable (Stage) async throws -> Sending
  ) -> Claim {
    Claim(
      settings: {
        byMail(&$0)
        settings(&$0)
      }, prepare: prepare)
  }

  private static let callback = "http://127.0.0.1:43117/cb"
  private static let callbackWithState = "http://127.0.0.1:43117/cb?attempt=a1"
  private static let ann = "ann@lab.test"

  static let emailCodes: [String: Claim] = [
    "new address": mailed { _ in Sending() },
    "right code": mailed { stage in
      let body: JSON = ["email": .string(ann), "data": ["display_name": "Ann"]]
      return Sending(members: ["token": .string(try await stage.message("POST", "/otp", body).code)])
    },
    "by token_hash (what a link carries)": mailed { stage in
      Sending(members: ["token_hash": .optional(try await stage.askForCode(ann).tokenHash)])
    },
    "sign-up, confirmation needed": mailed { _ in Sending() },
    "address change": mailed { stage in Sending(token: try await stage.codeSession("rec@lab.test").access) },
    "address change: code of the new address": mailed { stage in
      let code = try await stage.addressChange().new.code
      return Sending(members: ["token": .string(code)])
    },
    "address change: code of the old address": mailed { stage in
      let mails = try await stage.addressChange()
      _ = try await stage.verify("email_change", "new@lab.test", mails.new.code)
      return Sending(members: ["token": .string(mails.old.code)])
    },
  ]

  static let emailLinks: [String: Claim] = [
    "PKCE: request": mailed { _ in Sending() },
    "PKCE: the link": mailed { stage in
      Sending(
        path: stage.path(of: try await stage.askForCode("cleo@lab.test", redirect: callbackWithState, pkce: true)))
    },
    "PKCE: the link again": mailed { stage in
      let mail = try await stage.askForCode("cleo@lab.test", redirect: callbackWithState, pkce: true)
      _ = try await stage.open(mail)
      return Sending(path: stage.path(of: mail))
    },
    "PKCE link, expired": mailed { stage in
      let mail = try await stage.askForCode("cleo@lab.test", redirect: callbackWithState, pkce: true)
      stage.sandbox.advanceClock(by: .seconds(86401))
      return Sending(path: stage.path(of: mail))
    },
    "implicit: the link": mailed({ $0.tokenLifetime = 3600 }) { stage in
      _ = try await stage.codeSession(ann)
      return Sending(path: stage.path(of: try await stage.askForCode(ann, redirect: "dailyritual://auth")))
    },
    "address change by PKCE links: the first": mailed { stage in
      Sending(path: stage.path(of: try await stage.addressChange(pkce: true).new))
    },
    "and the second": mailed { stage in
      let mails = try await stage.addressChange(pkce: true)
      _ = try await stage.open(mails.new)
      return Sending(path: stage.path(of: mails.old))
    },
    "link without token (GET /verify?type=magiclink)": .asIs,
    "link with a wrong token": .asIs,
    "PKCE link with a wrong token": .asIs,
    "PKCE sign-up link, 6 min after the request (POST /token)": mailed { stage in
      let mail = try await stage.askForCode("cleo@lab.test", redirect: callback, pkce: true)
      stage.sandbox.advanceClock(by: .seconds(360))
      return .exchange(Browser(stage: stage).parameter("code", of: try await stage.open(mail)) ?? "")
    },
    "PKCE recovery link, 6 min after the request (POST /token)": mailed { stage in
      _ = try await stage.codeSession(ann)
      let body: JSON = [
        "email": .string(ann), "code_challenge": .string(Browser.challenge), "code_challenge_method": "s256",
      ]
      let mail = try await stage.message("POST", "/recover?redirect_to=\(callback)", body)
      stage.sandbox.advanceClock(by: .seconds(360))
      return .exchange(Browser(stage: stage).parameter("code", of: try await stage.open(mail)) ?? "")
    },
  ]

  /// Sends a code for a new user, then a wrong verification that `change` makes of the right one.
  private static func refused(
    known: Bool = false, _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    _ change: @escaping @Sendable (Stage, SandboxMail) async throws -> [String: JSON]
  ) -> Claim {
    mailed(settings) { stage in
      if known { _ = try await stage.codeSession(ann) }
      let mail = try await stage.askForCode(ann)
      let right: [String: JSON] = ["type": "email", "email": .string(ann), "token": .string(mail.code)]
      return Sending(members: right.merging(try await change(stage, mail)) { $1 })
    }
  }

  /// Sends `members` as the body.
  private static func body(
    _ members: [String: JSON], _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in }
  ) -> Claim {
    mailed(settings) { _ in Sending(members: members) }
  }

  static let emailErrors: [String: Claim] = emailRefusals.merging(emailRules) { $1 }

  private static let emailRefusals: [String: Claim] = [
    "wrong code (POST /verify)": refused { _, mail in ["token": mail.code == "000000" ? "000001" : "000000"] },
    "new user’s code as magiclink (POST /verify)": refused { _, _ in ["type": "magiclink"] },
    "known user’s code as signup (POST /verify)": refused(known: true) { _, _ in ["type": "signup"] },
    "used twice (POST /verify)": refused { stage, mail in
      _ = try TestSession(await stage.verify("email", ann, mail.code))
      return [:]
    },
    "expired (2 s) (POST /verify)": refused({ $0.emailCodeLifetime = 2 }) { stage, _ in
      stage.sandbox.advanceClock(by: .seconds(3))
      return [:]
    },
    "code of an older mail (POST /verify)": refused { stage, _ in
      stage.sandbox.advanceClock(by: .seconds(61))
      try await stage.askForCode(ann)
      return [:]
    },
    "code after its link was opened (POST /verify)": refused { stage, mail in
      _ = try await stage.open(mail)
      return [:]
    },
    "unknown address (POST /verify)": refused { _, _ in ["email": "nobody@lab.test"] },
    "unknown type (POST /verify)": refused { _, _ in ["type": "banana"] },
    "wrong token_hash (POST /verify)": body(["type": "email", "token_hash": "00"]),
    "token_hash used twice (POST /verify)": mailed { stage in
      let hash = JSON.optional(try await stage.askForCode(ann).tokenHash)
      _ = try TestSession(await stage.call("POST", "/verify", body: ["type": "email", "token_hash": hash]))
      return Sending(members: ["type": "email", "token_hash": hash])
    },
    "token_hash with email (POST /verify)": body(["type": "email", "token_hash": "00", "email": "ann@lab.test"]),
    "token and token_hash (POST /verify)": body(["type": "email", "token_hash": "00", "token": "000000"]),
    "no type (POST /verify)": body(["email": "ann@lab.test", "token": "000000"]),
    "no address (POST /verify)": body(["type": "email", "token": "000000"]),
    "banned user, right code (POST /verify)": refused { stage, _ in
      try stage.sandbox.banUser(ann)
      return [:]
    },
  ]

  private static let emailRules: [String: Claim] = [
    "again within 60 s (POST /otp)": again,
    "resend at once (POST /resend)": Claim(settings: byMail) { stage in
      _ = try await stage.askForCode(ann)
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending(members: ["type": "signup", "email": .string(ann)])
    },
    "server-wide mail limit (POST /otp)": mailed({ $0.emailsPerHour = 1 }) { stage in
      try await stage.askForCode("other@lab.test")
      return Sending(members: ["email": .string(ann)])
    },
    "unknown, create_user false (POST /otp)": body(["email": "nobody@lab.test", "create_user": false]),
    "new address, sign-up off (POST /otp)": body(["email": "nobody@lab.test"]) { $0.signupDisabled = true },
    "email off (POST /otp)": body(["email": "ann@lab.test"]) { $0.emailEnabled = false },
    "email off (POST /resend)": body(["type": "signup", "email": "ann@lab.test"]) { $0.emailEnabled = false },
    "email off (POST /recover)": body(["email": "ann@lab.test"]) { $0.emailEnabled = false },
    "magic link off (POST /otp)": body(["email": "ann@lab.test"]) { $0.magicLinkEnabled = false },
    "mail server down (POST /otp)": Claim { stage in
      stage.sandbox.configure { $0.mailServerDown = true }
      _ = try await stage.session(ann)
      return Sending(members: ["email": .string(ann)])
    },
    "bad address (POST /otp)": body(["email": "no address"]),
    "challenge without method (POST /otp)": body([
      "email": "ann@lab.test", "code_challenge": .string(Browser.challenge),
    ]),
    "bad type (POST /resend)": body(["type": "banana", "email": "ann@lab.test"]),
    "no address (POST /recover)": body(["email": ""]),
    "recover again at once (POST /recover)": mailed({ $0.emailInterval = 1 }) { stage in
      _ = try await stage.codeSession(ann)
      try await stage.message("POST", "/recover", ["email": .string(ann)])
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending(members: ["email": .string(ann)])
    },
    "address of another user (PUT /user)": mailed { stage in
      _ = try await stage.codeSession(ann)
      return Sending(token: try await stage.codeSession("bea@lab.test").access, members: ["email": .string(ann)])
    },
  ]

  private static let again = mailed { stage in
    try await stage.askForCode(ann)
    stage.sandbox.advanceClock(by: .milliseconds(200))
    return Sending(members: ["email": .string(ann)])
  }

  /// The settings of the recording with phones: test numbers with codes.
  private static let phones: @Sendable (inout SandboxSettings) -> Void = {
    $0.phoneEnabled = true
    $0.testPhones = ["4915112345601": "123456", "4915112345604": "111333"]
  }

  private static func phoned(
    _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    _ prepare: @escaping @Sendable (Stage) async throws -> Sending
  ) -> Claim {
    mailed(
      {
        phones(&$0)
        settings(&$0)
      }, prepare)
  }

  private static let number: JSON = "+4915112345601"
  private static let realNumber: JSON = "+4915112345688"

  static let phone: [String: Claim] = [
    "new number": phoned { _ in Sending() },
    "known number": phoned { stage in
      _ = try await stage.phoneSession()
      stage.sandbox.advanceClock(by: .seconds(61))
      return Sending()
    },
    "right code": phoned { stage in
      try await stage.message("POST", "/otp", ["phone": number])
      return Sending()
    },
    "sign-up with phone and password": phoned { _ in Sending() },
    "again within 60 s (POST /otp)": phoned { stage in
      try await stage.message("POST", "/otp", ["phone": number])
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending(members: ["phone": number])
    },
    "wrong code (POST /verify)": phoned { stage in
      try await stage.message("POST", "/otp", ["phone": number])
      return Sending(members: ["type": "sms", "phone": number, "token": "654321"])
    },
    "real code, expired (POST /verify)": phoned { stage in
      let code = try await stage.message("POST", "/otp", ["phone": realNumber]).code
      stage.sandbox.advanceClock(by: .seconds(61))
      return Sending(members: ["type": "sms", "phone": realNumber, "token": .string(code)])
    },
    "unknown number (POST /verify)": phoned { _ in
      Sending(members: ["type": "sms", "phone": "+4915112345699", "token": "123456"])
    },
    "unknown number, create_user false (POST /otp)": phoned { _ in
      Sending(members: ["phone": "+4915112345699", "create_user": false])
    },
    "bad number (POST /otp)": phoned { _ in Sending(members: ["phone": "12x"]) },
    "bad channel (POST /otp)": phoned { _ in Sending(members: ["phone": number, "channel": "pigeon"]) },
    "SMS service refuses (POST /otp)": phoned({
      $0.smsFailure = #"Post "https://api.twilio.com/2010-04-01/Accounts/ACx/Messages.json": Forbidden"#
    }) { _ in Sending(members: ["phone": realNumber]) },
    "password before confirming (POST /token)": phoned { stage in
      _ = try await stage.call("POST", "/signup", body: ["phone": number, "password": "correct horse 9"])
      return Sending(members: ["phone": number, "password": "correct horse 9"])
    },
    "email and phone (POST /token)": phoned { _ in
      Sending(members: ["phone": number, "email": "ann@lab.test", "password": "correct horse 9"])
    },
    "number of another user (PUT /user)": phoned { stage in
      _ = try await stage.phoneSession()
      return Sending(token: try await stage.codeSession(ann).access, members: ["phone": number])
    },
    "phone off (POST /otp)": body(["phone": "+4915112345601"]),
    "token_hash with sms (POST /verify)": phoned { _ in Sending(members: ["type": "sms", "token_hash": "00"]) },
    "change of number": phoned { stage in Sending(token: try await stage.phoneSession().access) },
    "change of number: its code": phoned { stage in
      let token = try await stage.phoneSession().access
      try await stage.message("PUT", "/user", ["phone": "+4915112345604"], token: token)
      return Sending()
    },
    "settings": phoned { _ in Sending() },
  ]
}

extension Stage {
  /// Asks for an address change from rec@lab.test to new@lab.test, and returns both emails.
  fileprivate func addressChange(pkce: Bool = false) async throws -> (new: SandboxMail, old: SandboxMail) {
    let session = try await codeSession("rec@lab.test")
    var body: [String: JSON] = ["email": "new@lab.test"]
    if pkce {
      body["code_challenge"] = .string(Browser.challenge)
      body["code_challenge_method"] = "s256"
    }
    let path = "/user?redirect_to=http://127.0.0.1:43117/cb"
    _ = try await message("PUT", path, .object(body), token: session.access)
    let mails = sandbox.mails.filter { $0.type == "email_change" }
    guard mails.count == 2 else { throw NoSession(answer: "\(mails.count) emails") }
    return (mails[0], mails[1])
  }

  /// A session of the test number.
  fileprivate func phoneSession() async throws -> TestSession {
    try await message("POST", "/otp", ["phone": "+4915112345601"])
    return try TestSession(
      await call("POST", "/verify", body: ["type": "sms", "phone": "+4915112345601", "token": "123456"]))
  }
}
