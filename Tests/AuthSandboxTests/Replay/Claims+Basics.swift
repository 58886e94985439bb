@testable import AuthSandbox

extension Claims {
  static let facts: [String: Claim] = [
    "health": .asIs,
    "settings": .asIs,
    "jwks (HS256 secret, so no public keys)": .asIs,
    "unknown path": .asIs,
    "wrong method": .asIs,
  ]

  /// The recorded address is already taken.
  private static let known = Claim.after { stage in
    _ = try await stage.session("gina015390@lab.test")
    return Sending()
  }

  static let signUp: [String: Claim] = [
    "ok (autoconfirm)": .asIs,
    "ok (autoconfirm) — same e-mail again": known,
    "ok (autoconfirm) — same, API version 2024-01-01": known,
    "weak password": .asIs,
    "weak password, 2024-01-01": .asIs,
    "no password": .asIs,
    "bad e-mail": .asIs,
    "not JSON": .asIs,
    "empty object = anonymous sign-in (enabled here)": .asIs,
  ]

  static let password: [String: Claim] = [
    "ok": known,
    "wrong password": known,
    "wrong password, 2024-01-01": known,
    "unknown user": .asIs,
    "no password": known,
    "no identifier": .asIs,
    "unknown grant": .asIs,
    "no grant": .asIs,
    "no body": .asIs,
  ]

  static let unconfirmed: [String: Claim] = [
    "signup: a user, no session": .with(byMail),
    "password sign-in before confirming": waiting,
    "password sign-in before confirming — same, 2024-01-01": waiting,
    "signup again at once": Claim(settings: byMail) { stage in
      _ = try await stage.signUp(address)
      // The message counts down whole seconds; the recorded request came slightly after the first
      // one.
      stage.sandbox.advanceClock(by: .milliseconds(200))
      return Sending()
    },
    "GET the action_link as a browser would": Claim(settings: byMail) { stage in
      _ = try await stage.signUp(address)
      let hash = stage.sandbox.mails.last?.tokenHash ?? ""
      return Sending(path: "/verify?token=\(hash)&type=signup&redirect_to=dailyritual://cb")
    },
    "password sign-in after confirming": confirmed,
    "signup of a confirmed address: an obfuscated fake user": confirmed,
  ]

  private static let address = "unconf6cd3f0@lab.test"
  private static let byMail: @Sendable (inout SandboxSettings) -> Void = { $0.autoconfirm = false }
  private static let waiting = Claim(settings: byMail) { stage in
    _ = try await stage.signUp(address)
    return Sending()
  }
  private static let confirmed = Claim(settings: byMail) { stage in
    _ = try await stage.signUp(address)
    try stage.sandbox.confirmUser(address)
    return Sending()
  }

  static let limits: [String: Claim] = [
    "refresh, limited": limited,
    "refresh, limited, 2024-01-01": limited,
    "signup disabled": .with { $0.signupDisabled = true },
    "anonymous disabled": .with { $0.anonymousEnabled = false },
    "e-mail provider disabled": .with { $0.emailEnabled = false },
    "id_token grant of a new user while signup is disabled": Claim(settings: { $0.signupDisabled = true }) { stage in
      let wanted = IDTokenRequest(provider: .google, email: "new@gmail.test")
      return Sending(members: ["id_token": .string(try await stage.sandbox.mintIDToken(wanted))])
    },
  ]

  /// Recorded: "requests until the first 429: 31".
  private static let limited = Claim(settings: { $0.rateLimitBurst = 30 }) { stage in
    for _ in 0..<30 {
      let answer = try await stage.call(
        "POST", "/token?grant_type=refresh_token", body: ["refresh_token": "aaaaaaaaaaaa"],
        headers: [("X-Forwarded-For", "10.1.2.3")])
      if answer.status != 400 { throw NoSession(answer: "limited too early: \(answer.status)") }
    }
    return Sending()
  }

  static let outages: [String: Claim] = [
    "database down: refresh": refreshOutage,
    "database down: refresh, 2024-01-01": refreshOutage,
    "database down: password": .after { stage in
      stage.sandbox.inject(.databaseDown, at: .password)
      return Sending()
    },
  ]

  private static let refreshOutage = Claim.after { stage in
    let message = Recording.byID["outages/database down: refresh"]?.body["msg"]?.string ?? ""
    stage.sandbox.inject(.error(status: 500, code: "unexpected_failure", message: message), at: .refresh)
    return Sending()
  }
}
