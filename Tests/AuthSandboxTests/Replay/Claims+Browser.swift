@testable import AuthSandbox

extension Claims {
  static let pkce: [String: Claim] = [
    "made-up code": .asIs,
    "made-up code, 2024-01-01": .asIs,
    "not a uuid": .asIs,
    "no code": .asIs,
    "no verifier": .asIs,
    "empty object": .asIs,
  ]

  static let google: [String: Claim] = [
    "google: /authorize": .asIs,
    "google: /callback": .after { stage in
      let browser = Browser(stage: stage)
      let address = try await browser.authorize("google", redirect: "dailyritual://auth/callback")
      let state = browser.parameter("state", of: address) ?? ""
      let page = try await browser.post(
        "/provider/google/consent", [("state", state), ("action", "allow"), ("account", "anna@example.org")])
      let path = page.header("location")?.dropFirst(stage.origin.count)
      return Sending(path: path.map(String.init))
    },
    "wrong verifier": wrongVerifier,
    "wrong verifier, 2024-01-01": wrongVerifier,
    "right verifier after that": .after { stage in
      let code = try await stage.code()
      let wrong = String(Browser.verifier.reversed())
      _ = try await Browser(stage: stage).exchange("?code=" + code, verifier: wrong)
      return .exchange(code)
    },
    "the same code a second time": .after { stage in
      let code = try await stage.code()
      _ = try await Browser(stage: stage).exchange("?code=" + code)
      return .exchange(code)
    },
    "refresh of that session": .after { stage in
      let session = try await Browser(stage: stage).session("google", [("account", "anna@example.org")])
      return .refresh(session.refresh)
    },
  ]

  private static let wrongVerifier = Claim.after { stage in
    .exchange(try await stage.code(), verifier: String(Browser.verifier.reversed()))
  }

  static let apple: [String: Claim] = [
    "apple: /authorize": .asIs,
    "apple: POST /callback (form_post)": .after { stage in
      let browser = Browser(stage: stage)
      let address = try await browser.authorize("apple", redirect: "dailyritual://auth/callback")
      let state = browser.parameter("state", of: address) ?? ""
      let fields = [("state", state), ("action", "allow"), ("account", "alex@example.org"), ("hide_my_email", "yes")]
      let page = try await browser.post("/provider/apple/consent", fields)
      return Sending(form: Browser.hiddenFields(page.text))
    },
    "code → session": .after { stage in
      let browser = Browser(stage: stage)
      let location = try await browser.signIn("apple", [("account", "alex@example.org")])
      return .exchange(browser.parameter("code", of: location) ?? "")
    },
  ]

  static let authorize: [String: Claim] = [
    "unknown provider": .asIs,
    "provider not enabled": .asIs,
    "no provider": .asIs,
    "challenge without method": .asIs,
    "challenge too short": .asIs,
    "unknown method": .asIs,
    "method S256 in capitals": .asIs,
    "callback, no state": .asIs,
    "callback, bad state": .asIs,
    "callback, unknown state": .asIs,
  ]

  static let expiredFlow: [String: Claim] = [
    "code redeemed 10 min after it was issued": late,
    "code redeemed 10 min after it was issued — same again": .after { stage in
      let code = try await stage.code()
      stage.sandbox.advanceClock(by: .seconds(600))
      _ = try await Browser(stage: stage).exchange("?code=" + code)
      return .exchange(code)
    },
    "code redeemed 10 min after it was issued — same, 2024-01-01": late,
    "callback 10 min after /authorize": .after { stage in
      let browser = Browser(stage: stage)
      let state = browser.parameter("state", of: try await browser.authorize("google")) ?? ""
      stage.sandbox.advanceClock(by: .seconds(600))
      return Sending(path: "/callback?code=x&state=\(state)")
    },
  ]

  private static let late = Claim.after { stage in
    let code = try await stage.code()
    stage.sandbox.advanceClock(by: .seconds(600))
    return .exchange(code)
  }

  static let idToken: [String: Claim] = [
    "Google, with nonce": minted(.google) { $0.nonce = hashedNonce },
    "Apple, bundle id as audience": minted(.apple) { $0.nonce = hashedNonce },
    "nonce mismatch": minted(.google) { $0.nonce = hashedNonce },
    "nonce only in the token": minted(.google) { $0.nonce = hashedNonce },
    "wrong audience": minted(.google) { $0.audience = "someone-else" },
    "expired id_token": minted(.google) { $0.expiresIn = -60 },
    "broken id_token": .asIs,
    "broken id_token, Apple": .asIs,
    "broken, 2024-01-01 (OAuth-style errors do not change)": .asIs,
    "bad signature": minted(.google) { $0.badSignature = true },
    "no id_token": .asIs,
    "no provider": minted(.google) { _ in },
    "provider not enabled": minted(.google) { _ in },
    "unknown provider": minted(.google) { _ in },
  ]

  /// The digest of "raw-nonce-1", the nonce of the recording.
  private static let hashedNonce = Text.sha256Hex("raw-nonce-1")

  private static func minted(
    _ provider: SandboxProvider, _ change: @escaping @Sendable (inout IDTokenRequest) -> Void
  ) -> Claim {
    .after { stage in
      var wanted = IDTokenRequest(provider: provider, email: "someone@gmail.test")
      change(&wanted)
      return Sending(members: ["id_token": .string(try await stage.sandbox.mintIDToken(wanted))])
    }
  }
}
