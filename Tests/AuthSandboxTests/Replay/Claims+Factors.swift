@testable import AuthSandbox

private let phones: @Sendable (inout SandboxSettings) -> Void = {
  ($0.mfaPhoneEnroll, $0.mfaPhoneVerify) = (true, true)
}

extension Claims {
  private static let someID = "7376fd7d-93b2-4e5e-8a38-0f4c1f3f1b11"
  private static let number = "+49 151 12345699"
  private static let digits = "4915112345699"

  static let factors: [String: Claim] = [
    "enrol": .after { stage in Sending(token: try await stage.session("mia@lab.test").access) },
    "challenge": withFactor { _, factor, token in Sending(token: token, path: "/factors/\(factor)/challenge") },
    "verify": verification(),
    "another session of the user, afterwards": withFactor { stage, factor, token in
      let other = try TestSession(await stage.signIn())
      _ = try await stage.lift(factor, token)
      return .refresh(other.refresh)
    },
    "delete, at aal2": .after { stage in
      let (factor, session) = try await stage.lifted()
      return Sending(token: session.access, path: "/factors/\(factor)")
    },
    "enrol a phone": Claim(settings: phones) { stage in Sending(token: try await stage.session().access) },
    "its challenge": withPhone { _, factor, token in Sending(token: token, path: "/factors/\(factor)/challenge") },
    "user.factors, verified": .after { stage in Sending(token: try await stage.lifted().session.access) },
    "user.factors, never challenged": .after { stage in
      let token = try await stage.session().access
      _ = try await stage.enroll(token)
      return Sending(token: token)
    },
    "refresh after DELETE": .after { stage in .refresh(try await stage.removed().refresh) },
    "aal2 access token after DELETE": .after { stage in Sending(token: try await stage.removed().access) },
  ]

  static let factorErrors: [String: Claim] = [
    "name taken (POST /factors)": .after { stage in
      Sending(token: try await stage.lifted().session.access, members: totp())
    },
    "unknown type (POST /factors)": enrollment(["factor_type": "sms"]),
    "phone off (POST /factors)": enrollment(["factor_type": "phone", "phone": .string(number)]),
    "WebAuthn off (POST /factors)": enrollment(["factor_type": "webauthn"]),
    "TOTP enrolment off (POST /factors)": enrollment(totp()) { $0.mfaTOTPEnroll = false },
    "TOTP verification off (POST /factors/{id}/challenge)": withFactor({ $0.mfaTOTPVerify = false }) {
      _, factor, token in Sending(token: token, path: "/factors/\(factor)/challenge")
    },
    "too many factors (POST /factors)": Claim(settings: { $0.maximumFactors = 1 }) { stage in
      Sending(token: try await stage.lifted().session.access, members: totp("another"))
    },
    "number already a factor (POST /factors)": withPhone { _, _, token in
      Sending(token: token, members: ["factor_type": "phone", "phone": .string(number)])
    },
    "unknown factor (POST /factors/{id}/challenge)": .after { stage in
      Sending(token: try await stage.session().access, path: "/factors/\(someID)/challenge")
    },
    "another user’s factor (POST /factors/{id}/challenge)": .after { stage in
      let (factor, _) = try await stage.withFactor("other@lab.test")
      return Sending(token: try await stage.session().access, path: "/factors/\(factor)/challenge")
    },
    "id no UUID (POST /factors/{id}/challenge)": .after { stage in
      Sending(token: try await stage.session().access, path: "/factors/nope/challenge")
    },
    "wrong code (POST /factors/{id}/verify)": verification(code: "12345"),
    "wrong code, phone (POST /factors/{id}/verify)": withPhone { stage, factor, token in
      let challenge = try await stage.challenge(factor, token)
      return .verify(factor, challenge, "12345", token)
    },
    "no code (POST /factors/{id}/verify)": verification(code: ""),
    "unknown challenge (POST /factors/{id}/verify)": withFactor { stage, factor, token in
      .verify(factor, someID, stage.sandbox.totpCode(of: factor) ?? "", token)
    },
    "other IP address (POST /factors/{id}/verify)": verification(then: { sandbox in
      sandbox.configure { $0.clientAddress = "203.0.113.7" }
    }),
    "challenge used twice (POST /factors/{id}/verify)": withFactor { stage, factor, token in
      let challenge = try await stage.challenge(factor, token)
      _ = try TestSession(await stage.verify(factor: factor, challenge: challenge, token))
      return .verify(factor, challenge, stage.sandbox.totpCode(of: factor) ?? "", token)
    },
    "challenge expired (POST /factors/{id}/verify)": verification(
      { $0.tokenLifetime = 3600 },
      then: { sandbox in
        sandbox.advanceClock(by: .seconds(301))
      }),
    "SMS again at once (POST /factors/{id}/challenge)": withPhone { stage, factor, token in
      _ = try await stage.challenge(factor, token)
      // The message counts down whole seconds.
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending(token: token, members: ["channel": "sms"], path: "/factors/\(factor)/challenge")
    },
    "hook rejects (POST /factors/{id}/verify)": verification({ $0.mfaHookRejection = "Too many wrong codes." }),
    "aal1: change password (PUT /user)": withFactor { _, _, token in
      Sending(token: token, members: ["password": "another horse 10"])
    },
    "recovery session sets a password (PUT /user)": withFactor { stage, _, _ in
      let code = try await stage.message("POST", "/recover", ["email": "gina@lab.test"]).code
      let session = try TestSession(await stage.verify("recovery", "gina@lab.test", code))
      return Sending(token: session.access, members: ["password": "another horse 10"])
    },
    "aal1: enrol another (POST /factors)": withFactor { _, _, token in
      Sending(token: token, members: totp("another"))
    },
    "aal1: delete the factor (DELETE /factors/{id})": withFactor { _, factor, token in
      Sending(token: token, path: "/factors/\(factor)")
    },
    "passkeys off (POST /passkeys/authentication/options)": .asIs,
  ]

  private typealias Preparation = @Sendable (Stage, _ factor: String, _ token: String) async throws -> Sending

  /// With a user who has a verified TOTP factor and a session at aal1.
  private static func withFactor(
    _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in }, _ prepare: @escaping Preparation
  ) -> Claim {
    Claim(settings: settings) { stage in
      let (factor, session) = try await stage.withFactor()
      return try await prepare(stage, factor, session.access)
    }
  }

  /// With a user who has a verified phone factor and a session at aal1.
  private static func withPhone(_ prepare: @escaping Preparation) -> Claim {
    Claim(settings: phones) { stage in
      let token = try await stage.session().access
      return try await prepare(stage, try stage.sandbox.addFactor(to: "gina@lab.test", phone: digits).id, token)
    }
  }

  /// A verification, with the right code unless there is another one. `then` happens between
  /// challenge and verification.
  private static func verification(
    code: String? = nil, _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    then: @escaping @Sendable (AuthSandbox) -> Void = { _ in }
  ) -> Claim {
    withFactor(settings) { stage, factor, token in
      let challenge = try await stage.challenge(factor, token)
      then(stage.sandbox)
      return .verify(factor, challenge, code ?? stage.sandbox.totpCode(of: factor) ?? "", token)
    }
  }

  private static func enrollment(
    _ members: [String: JSON], _ settings: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in }
  ) -> Claim {
    Claim(settings: settings) { stage in Sending(token: try await stage.session().access, members: members) }
  }

  private static func totp(_ name: String = "Phone app") -> [String: JSON] { Stage.totp(name).object ?? [:] }
}

extension Sending {
  static func verify(_ factor: String, _ challenge: String, _ code: String, _ token: String) -> Sending {
    Sending(
      token: token, members: ["challenge_id": .string(challenge), "code": .string(code)],
      path: "/factors/\(factor)/verify")
  }
}

extension Stage {
  /// A session at aal2 whose factor was removed afterwards.
  fileprivate func removed() async throws -> TestSession {
    let (factor, session) = try await lifted()
    let answer = try await call("DELETE", "/factors/\(factor)", token: session.access)
    if answer.status != 200 { throw NoSession(answer: answer.text) }
    return session
  }
}
