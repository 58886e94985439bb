@testable import AuthSandbox

extension Claims {
  static let lostAnswersV1 = lostAnswers(.v1)
  static let lostAnswersV2 = lostAnswers(.v2)

  /// The answer to a verification is lost. R0 is the refresh token before it.
  private static let steps: [String: @Sendable (Lost) async throws -> Sending] = [
    "repeats the verify request": { lost in .verify(lost.factor, lost.challenge, lost.code, lost.before.access) },
    "refreshes with R0 inside the reuse interval": { lost in .refresh(lost.before.refresh, expecting: lost.token) },
    "refreshes with R0 later": { lost in
      lost.stage.wait()
      return .refresh(lost.before.refresh, expecting: lost.token)
    },
    "new challenge and verify with the old access token": { lost in
      lost.stage.wait()
      let challenge = try await lost.stage.challenge(lost.factor, lost.before.access)
      return .verify(lost.factor, challenge, lost.code, lost.before.access)
    },
    "refreshes with the token of the answer": { lost in .refresh(lost.token) },
    "refreshes with the token of the answer, then R0 later": { lost in
      _ = try await lost.stage.rotate(lost.token)
      lost.stage.wait()
      return .refresh(lost.before.refresh)
    },
  ]

  /// The same after R0 was refreshed to R1.
  private static let refreshedSteps: [String: @Sendable (Lost) async throws -> Sending] = [
    "R0 was refreshed to R1, refreshes with R1 later": { lost in
      lost.stage.wait()
      return .refresh(lost.before.refresh, expecting: lost.token)
    },
    "R0 was refreshed to R1, refreshes with R0 later": { lost in
      lost.stage.wait()
      return .refresh(lost.first)
    },
  ]

  private static let parallel = "4 parallel verifies, then refreshes with the first answer’s token"

  private static func lostAnswers(_ algorithm: RefreshAlgorithm) -> [String: Claim] {
    let settings: @Sendable (inout SandboxSettings) -> Void = { $0.refreshAlgorithm = algorithm }
    var claims = steps.mapValues { step in
      Claim(settings: settings) { stage in
        let lost = try await stage.lost()
        return try await step(lost).with(lost.before.access)
      }
    }
    for (name, step) in refreshedSteps {
      claims[name] = Claim(settings: settings) { stage in
        let lost = try await stage.lost(refreshed: true)
        return try await step(lost).with(lost.before.access)
      }
    }
    claims[parallel] = Claim(settings: settings) { stage in
      let sending = try await stage.parallel()
      // Recorded inside the interval for v1, and later for v2.
      if algorithm == .v2 { stage.wait() }
      return sending
    }
    guard algorithm == .v2 else { return claims }
    for (name, claim) in deletions(claims) { claims[name] = claim }
    claims["refreshes with R0 later, then with the token of the answer"] = Claim(settings: settings) { stage in
      let lost = try await stage.lost()
      stage.wait()
      _ = try await stage.refresh(lost.before.refresh)
      return .refresh(lost.token)
    }
    return claims
  }

  /// The access token of a session that a refresh deleted.
  private static func deletions(_ claims: [String: Claim]) -> [(String, Claim)] {
    let names = [
      "refreshes with R0 later", "refreshes with the token of the answer, then R0 later",
      "R0 was refreshed to R1, refreshes with R1 later", "R0 was refreshed to R1, refreshes with R0 later", parallel,
    ]
    return names.compactMap { name in
      guard let claim = claims[name] else { return nil }
      let after = Claim(settings: claim.settings) { stage in
        let refresh = try await claim.prepare(stage)
        _ = try await stage.refresh(refresh.members["refresh_token"]?.string ?? "")
        return Sending(token: refresh.token)
      }
      return (name + ": the session is deleted", after)
    }
  }
}

/// A verification whose answer the client does not know.
private struct Lost: Sendable {
  var stage: Stage
  var factor: String
  var challenge: String
  var code: String
  /// The refresh token of the sign-in.
  var first: String
  var before: TestSession
  /// The refresh token of the lost answer.
  var token: String
}

extension Sending {
  fileprivate static func refresh(_ token: String, expecting: String) -> Sending {
    var sending = refresh(token)
    sending.expectedToken = expecting
    return sending
  }

  /// With an access token of the session, for what follows.
  fileprivate func with(_ token: String) -> Sending {
    var sending = self
    sending.token = token
    return sending
  }
}

extension Stage {
  fileprivate func lost(refreshed: Bool = false) async throws -> Lost {
    let (factor, first) = try await withFactor()
    let before = refreshed ? try await rotate(first.refresh) : first
    let challenge = try await challenge(factor, before.access)
    let code = sandbox.totpCode(of: factor) ?? ""
    let answer = try TestSession(await verify(factor: factor, challenge: challenge, before.access, code: code))
    return Lost(
      stage: self, factor: factor, challenge: challenge, code: code, first: first.refresh, before: before,
      token: answer.refresh)
  }

  /// Four verifications, as the server sees parallel ones; the next is a refresh with the first
  /// answer's token.
  fileprivate func parallel() async throws -> Sending {
    let (factor, session) = try await withFactor()
    var tokens: [String] = []
    for _ in 0..<4 { tokens.append(try await lift(factor, session.access).refresh) }
    return Sending.refresh(tokens[0]).with(session.access)
  }
}
