@testable import AuthSandbox

extension Claims {
  /// Exchanges with the same name for both algorithms. The preparation is the same, the responses
  /// differ.
  private static let rotations: [String: @Sendable (Stage) async throws -> Sending] = [
    "rotation: t0 → t1": { stage in .refresh(try await stage.session().refresh) },
    "t0 again at once (t0 is the parent of the active t1)": { stage in .refresh(try await stage.chain(1)[0]) },
    "t0 again 5.5 s later, still the parent of the active token": { stage in
      let tokens = try await stage.chain(1)
      stage.wait()
      return .refresh(tokens[0])
    },
    "t1→t2 just done; then t0 (grandparent, first used 5.5 s ago)": { stage in
      let tokens = try await stage.chain(1)
      stage.wait()
      _ = try await stage.rotate(tokens[1])
      return .refresh(tokens[0])
    },
    "fresh session, t0→t1→t2 at once, then t0 inside the interval": { stage in
      .refresh(try await stage.chain(2)[0])
    },
    "fresh session, t0→t1→t2, wait 5.5 s, then t0 = reuse detected": { stage in
      let tokens = try await stage.chain(2)
      stage.wait()
      return .refresh(tokens[0])
    },
    "then t2, the newest refresh token, 5.5 s later": { stage in
      let newest = try await stage.reused()
      stage.wait()
      return .refresh(newest)
    },
    // For v1, the revoked newest token; for v2, a token of a session that is gone.
    "reused token, 2024-01-01": { stage in
      let newest = try await stage.reused()
      stage.wait()
      return .refresh(newest)
    },
    "unknown token": { _ in Sending() },
    "unknown, 2024-01-01": { _ in Sending() },
    "empty": { _ in Sending() },
    "missing": { _ in Sending() },
    "form-encoded": { _ in Sending() },
  ]

  static let opaque = rotations.mapValues { Claim(prepare: $0) }

  static let counter = rotations.mapValues { Claim(settings: byCounter, prepare: $0) }
    .merging(["tampered": Claim(settings: byCounter) { stage in .refresh(try await stage.tampered()) }]) { $1 }

  private static let byCounter: @Sendable (inout SandboxSettings) -> Void = { $0.refreshAlgorithm = .v2 }

  static let upgrade: [String: Claim] = [
    "v1 token in, v2 token out": .after { stage in
      let session = try await stage.session()
      stage.sandbox.configure { $0.refreshAlgorithm = .v2 }
      return .refresh(session.refresh)
    },
    "the v1 token again": .after { stage in .refresh(try await stage.upgraded().old) },
    "the v2 token": .after { stage in
      let tokens = try await stage.upgraded()
      _ = try await stage.rotate(tokens.old)
      return .refresh(tokens.new)
    },
  ]

  static let sessions: [String: Claim] = [
    "really expired access token (exp 2 s)": Claim(settings: { $0.tokenLifetime = 2 }) { stage in
      let session = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(3))
      return Sending(token: session.access)
    },
    "refresh after 3.7 s idle (inactivity 3 s)": Claim(settings: { $0.inactivityTimeout = 3 }) { stage in
      let session = try await stage.session()
      stage.sandbox.advanceClock(by: .milliseconds(3700))
      return .refresh(session.refresh)
    },
    "refresh past the timebox (5 s)": Claim(settings: { $0.sessionTimebox = 5 }) { stage in
      var session = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(3))
      session = try await stage.rotate(session.refresh)
      stage.sandbox.advanceClock(by: .seconds(3))
      return .refresh(session.refresh)
    },
    "PKCE code used 2.5 s after it was issued (expiry 2 s)": .after { stage in
      let code = try await stage.code()
      stage.sandbox.advanceClock(by: .milliseconds(2500))
      return .exchange(code)
    },
    "PKCE code used 2.5 s after it was issued (expiry 2 s) — same, 2024-01-01": .after { stage in
      let code = try await stage.code()
      _ = try await Browser(stage: stage).exchange("?code=" + code)
      return .exchange(code)
    },
  ]
}

extension Stage {
  /// Refreshes a session `count` times and returns all of its refresh tokens, oldest first.
  func chain(_ count: Int) async throws -> [String] {
    var tokens = [try await session().refresh]
    for _ in 0..<count { tokens.append(try await rotate(tokens.last ?? "").refresh) }
    return tokens
  }

  /// Waits longer than the reuse interval of 4 s.
  func wait() { sandbox.advanceClock(by: .milliseconds(5500)) }

  /// Presents the grandparent token of a session too late, and returns the session's newest token.
  fileprivate func reused() async throws -> String {
    let tokens = try await chain(2)
    wait()
    _ = try await refresh(tokens[0])
    return tokens[2]
  }

  fileprivate func tampered() async throws -> String {
    let token = try await session().refresh
    return token.dropLast(2) + (token.hasSuffix("AA") ? "BB" : "AA")
  }

  /// Begins a session under v1, refreshes it under v2, and returns both tokens.
  fileprivate func upgraded() async throws -> (old: String, new: String) {
    let old = try await session().refresh
    sandbox.configure { $0.refreshAlgorithm = .v2 }
    return (old, try await rotate(old).refresh)
  }

  /// The code of a Google sign-in, not yet exchanged.
  func code() async throws -> String {
    let browser = Browser(stage: self)
    let location = try await browser.signIn("google", [("account", "anna@example.org")])
    return browser.parameter("code", of: location) ?? "no code in \(location)"
  }
}

extension Sending {
  static func exchange(_ code: String, verifier: String = Browser.verifier) -> Sending {
    Sending(members: ["auth_code": .string(code), "code_verifier": .string(verifier)])
  }
}
