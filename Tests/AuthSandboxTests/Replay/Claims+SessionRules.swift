@testable import AuthSandbox

extension Claims {
  /// What ended the session of a recording: the preparation, which returns the session.
  private struct Ending: Sendable {
    var settings: @Sendable (inout SandboxSettings) -> Void = { _ in }
    var prepare: @Sendable (Stage) async throws -> TestSession
  }

  private static let endings: [String: Ending] = [
    "timebox": Ending(settings: { ($0.sessionTimebox, $0.tokenLifetime) = (5, 3600) }) { stage in
      var session = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(3))
      session = try await stage.rotate(session.refresh)
      stage.sandbox.advanceClock(by: .seconds(3))
      return session
    },
    "assertion’s end": Ending(settings: { ($0.ssoDomains, $0.tokenLifetime) = (["example.test"], 36000) }) { stage in
      let location = try await stage.ssoLocation(pkce: false)
      let fragment = FormCoding.decode(location.split(separator: "#").last ?? "")
      stage.sandbox.advanceClock(by: .seconds(28801))
      return try TestSession(fragment: fragment)
    },
    "inactivity": Ending(settings: { ($0.inactivityTimeout, $0.tokenLifetime) = (3, 3600) }) { stage in
      let session = try await stage.session()
      stage.sandbox.advanceClock(by: .milliseconds(3700))
      return session
    },
    "low AAL": Ending(settings: lowAssurance) { stage in
      let session = try await stage.withFactor().session
      // The access token was made before the factor; the next one has the limit.
      let next = try await stage.rotate(session.refresh)
      stage.sandbox.advanceClock(by: .seconds(4))
      return next
    },
    "one session per user": Ending(settings: { $0.singleSession = true }) { stage in
      try await stage.replaced().older
    },
    "verify of a factor elsewhere": Ending { stage in
      let (factor, session) = try await stage.withFactor()
      _ = try await stage.lift(factor, try TestSession(await stage.signIn()).access)
      return session
    },
    "password change": Ending { stage in
      let session = try await stage.session()
      let other = try TestSession(await stage.signIn()).access
      _ = try await stage.call("PUT", "/user", token: other, body: ["password": "another horse 10"])
      return session
    },
    "sign-out elsewhere": Ending { stage in
      let session = try await stage.session()
      _ = try await stage.call("POST", "/logout", token: try TestSession(await stage.signIn()).access)
      return session
    },
  ]

  private static let lowAssurance: @Sendable (inout SandboxSettings) -> Void = {
    ($0.lowAssuranceLimit, $0.tokenLifetime) = (3, 3600)
  }

  static let rules: [String: Claim] = {
    var claims = others
    for (name, ending) in endings {
      claims[name] = Claim(settings: ending.settings) { .refresh(try await ending.prepare($0).refresh) }
      let bearer = Claim(settings: ending.settings) { Sending(token: try await ending.prepare($0).access) }
      claims[name + ": access token then"] = bearer
      // Not recorded for SAML.
      if name != "assertion’s end" { claims[name + ": logout then"] = bearer }
    }
    return claims
  }()

  private static let others: [String: Claim] = [
    "timebox: refresh after the logout": Claim(settings: { ($0.sessionTimebox, $0.tokenLifetime) = (5, 3600) }) {
      stage in
      let session = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(6))
      _ = try await stage.call("POST", "/logout", token: session.access)
      return .refresh(session.refresh)
    },
    "low AAL of 3 s: sign-in": Claim(settings: lowAssurance) { stage in
      _ = try await stage.withFactor()
      return Sending(members: ["email": "gina@lab.test", "password": "correct horse 9"])
    },
    "low AAL of 3 s: refresh 1.2 s later": Claim(settings: lowAssurance) { stage in
      _ = try await stage.withFactor()
      stage.startSecond()
      let session = try TestSession(await stage.signIn())
      stage.sandbox.advanceClock(by: .milliseconds(1200))
      return .refresh(session.refresh)
    },
    "low AAL of 3 s: the aal2 session": Claim(settings: lowAssurance) { stage in
      .refresh(try await stage.lifted().session.refresh)
    },
    "newer login gone: the older session": Claim(settings: { $0.singleSession = true }) { stage in
      let (older, newer) = try await stage.replaced()
      _ = try await stage.refresh(older.refresh)
      _ = try await stage.call("POST", "/logout?scope=local", token: newer.access)
      return .refresh(older.refresh)
    },
    "password hook rejects": .after { stage in
      _ = try await stage.session()
      stage.sandbox.configure { $0.passwordHookRejection = "Too many attempts." }
      return Sending(members: ["email": "gina@lab.test", "password": "correct horse 9"])
    },
  ]

  static let hook: [String: Claim] = {
    var claims: [String: Claim] = [
      "exp shortened (POST /signup)": .with(shortened),
      "exp shortened (refresh)": Claim(settings: shortened) { .refresh(try await $0.session().refresh) },
      "the same refresh token without the hook": .after { stage in
        let session = try await stage.session()
        stage.sandbox.configure { $0.accessTokenHook = .refuses }
        if try await stage.refresh(session.refresh).status != 403 { throw NoSession(answer: "not refused") }
        stage.sandbox.configure { $0.accessTokenHook = .off }
        return .refresh(session.refresh)
      },
    ]
    for (name, failure) in failures {
      claims[name.replacing("WHERE", with: "refresh")] = failing(failure) { .refresh($0.refresh) }
      claims[name.replacing("WHERE", with: "sign-in")] = failing(failure) { _ in
        Sending(members: ["email": "gina@lab.test", "password": "correct horse 9"])
      }
    }
    return claims
  }()

  private static let shortened: @Sendable (inout SandboxSettings) -> Void = {
    ($0.hookTokenLifetime, $0.hookClaims, $0.tokenLifetime) = (90, ["plan": "pro"], 3600)
  }

  private static let failures: [String: AccessTokenHook] = [
    "returns an error with http_code 403 (WHERE)": .refuses, "claims missing (WHERE)": .invalidClaims,
    "raises (WHERE)": .raises, "raises (WHERE), 2024-01-01": .raises, "takes 4 s (WHERE)": .slow,
    "does not exist (WHERE)": .missing,
  ]

  private static func failing(
    _ hook: AccessTokenHook, _ sending: @escaping @Sendable (TestSession) -> Sending
  ) -> Claim {
    .after { stage in
      let session = try await stage.session()
      stage.sandbox.configure { $0.accessTokenHook = hook }
      return sending(session)
    }
  }
}

extension Stage {
  /// Two sessions of a user, the second begun later.
  fileprivate func replaced() async throws -> (older: TestSession, newer: TestSession) {
    let older = try await session()
    sandbox.advanceClock(by: .seconds(1))
    return (older, try TestSession(await signIn()))
  }

  /// Moves the clock to the start of a second: `exp` and `iat` are rounded down.
  fileprivate func startSecond() {
    let rest = sandbox.backend.now.nanoseconds % 1_000_000_000
    sandbox.advanceClock(by: .nanoseconds(1_000_000_000 - rest))
  }
}

extension TestSession {
  /// The session in the fragment of an implicit flow.
  fileprivate init(fragment: [(name: String, value: String)]) throws {
    func value(_ name: String) -> String { fragment.first { $0.name == name }?.value ?? "" }
    (access, refresh, json) = (value("access_token"), value("refresh_token"), [:])
  }
}
