import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// Calls methods in one user's session, on a test home of its own. A method that needs a session or
/// params with a meaning to succeed has a step here, or a test of its own.
struct EveryMethod {
  let home: TestHome
  let caller: CheckedCaller

  func run() async throws {
    try await agent()
    try await directSignIns()
    try await browserSignIn()
    try await sessions()
    try await grants()
    try await person()
    try await secondFactors()
    try await approvals()
    try await records()
    try await vault()
    try await endings()
    try await codes()
  }

  private func agent() async throws {
    let hello = try await caller.call("agent.hello", ["client": "test 1", "protocol": 1])
    #expect(hello["protocol"] == 1)
    #expect(try await caller.refusal("agent.hello", ["client": "test 1", "protocol": 2]) == "unsupportedVersion")
    try await caller.call("agent.status")
    #expect(try await caller.call("agent.diagnose")["checks"]?.array.isEmpty == false)
    let reload = try await caller.call("agent.reload", ["check": "default"])
    #expect(reload["projects"] == ["default"])
    try await caller.call("rpc.discover")
    try await caller.call("signIn.methods")
    #expect(try await caller.refusal("events.subscribe", ["tokens": true]) == "invalidParams")
    try await caller.call("events.subscribe")
  }

  private func directSignIns() async throws {
    let who: JSON = ["email": .string(TestHome.email), "password": .string(TestHome.password)]
    #expect(try await caller.call("signIn.password", who)["outcome"] == "signedIn")
    try await caller.call("events.subscribe", ["tokens": true, "accounts": ["default"]])
    let wrong: JSON = ["email": .string(TestHome.email), "password": "no", "account": "other"]
    #expect(try await caller.refusal("signIn.password", wrong) == "invalidCredentials")
    try await caller.call(
      "signIn.signUp", ["account": "two", "email": "new@example.org", "password": "long enough 1"])
    let nonce = try await caller.call("signIn.nonce")
    var request = IDTokenRequest(provider: .apple, email: "three@example.org")
    request.nonce = nonce["hashed"]?.text
    let token = try await home.sandbox.mintIDToken(request)
    try await caller.call(
      "signIn.idToken",
      ["account": "three", "provider": "apple", "idToken": .string(token), "nonce": try #require(nonce["nonce"])])
    let refreshToken = try await home.foreignRefreshToken()
    try await caller.call("signIn.importSession", ["account": "four", "refreshToken": .string(refreshToken)])
  }

  private func browserSignIn() async throws {
    home.sandbox.configure { $0.autoConsentGoogle = "five@example.org" }
    let params: JSON = ["account": "five", "provider": "google", "redirect": "manual", "detach": true]
    let started = try await caller.call("signIn.start", params)
    let flow = try #require(started["flow"])
    let landing = try await home.finalAddress(of: try #require(started["url"]?.text))
    let complete = try await caller.call("signIn.complete", ["callback": .string(landing)])
    #expect(complete["outcome"] == "decisionNeeded")
    #expect(try await caller.call("identity.decide", ["flow": flow, "accept": true])["outcome"] == "signedIn")
    #expect(try await caller.call("signIn.wait", ["flow": flow])["outcome"] == "signedIn")
    let second = try await caller.call("signIn.start", ["account": "six", "provider": "google"])
    try await caller.call("signIn.cancel", ["flow": try #require(second["flow"])])
    #expect(try await caller.refusal("signIn.wait", ["flow": "nothing"]) == "flowUnknown")
  }

  private func codes() async throws {
    home.sandbox.configure { $0.anonymousEnabled = true }
    let guest = try await caller.call("signIn.anonymous", ["account": "guest"])
    #expect(guest["user"]?["isAnonymous"] == true)
    #expect(try await caller.refusal("session.signOut", ["account": "guest"]) == "invalidParams")
    try await caller.call("session.signOut", ["account": "guest", "discard": true])
    let request: JSON = ["account": "seven", "email": "seven@example.org", "createUser": true]
    let sent = try await caller.call("signIn.sendCode", request)
    let flow = try #require(sent["flow"])
    #expect(try await caller.refusal("signIn.verifyCode", ["flow": flow, "code": "000000"]) == "codeInvalid")
    let code = try #require(home.sandbox.mails.last?.code)
    #expect(
      try await caller.call("signIn.verifyCode", ["flow": flow, "code": .string(code)])["state"] == "authenticated")
  }

  private func sessions() async throws {
    #expect(try await caller.call("session.list")["accounts"]?.array.count == 5)
    try await caller.call("session.status", ["account": "two"])
    #expect(try await caller.refusal("session.status", ["account": "nobody"]) == "unknownAccount")
    try await caller.call("session.token")
    try await caller.call("session.token", ["account": "two", "minTTL": 30, "reason": "a test"])
    let endpoints = try await caller.call("session.token", ["endpoints": true])["endpoints"]
    #expect(endpoints?["projectURL"]?.text == home.sandbox.url && endpoints?["apiURL"]?.text == home.sandbox.url)
    try await caller.call("session.refresh")
    try await caller.call("session.explain")
    try await caller.call("session.use", ["account": "default"])
    try await caller.call("session.useAPI", ["account": "default"])
  }

  private func grants() async throws {
    let terms: JSON = ["account": "default", "for": 60, "methods": ["GET"], "paths": ["/api/v1"], "process": true]
    let made = try await caller.call("egress.grant", terms)
    #expect(made["url"]?.text?.hasPrefix("http://127.0.0.1:") == true)
    #expect(made["token"]?.text?.hasPrefix("sb_publishable_ritual_") == true)
    let listed = try await caller.call("egress.list")["grants"]?.array ?? []
    #expect(listed.map { $0["id"] } == [made["id"]] && listed.first?["process"] == true)
    try await caller.call("egress.revoke", ["id": try #require(made["id"])])
    #expect(try await caller.call("egress.list")["grants"]?.array.isEmpty == true)
    #expect(try await caller.refusal("egress.grant", ["account": "nobody"]) == "unknownAccount")
  }

  private func person() async throws {
    try await caller.call("profile.get")
    let set: JSON = ["set": ["displayName": "Anna"]]
    try await caller.call("profile.update", set)
    let listed = try await caller.call("identity.list")
    let only = try #require(listed["identities"]?.array.first?["identityID"])
    #expect(try await caller.refusal("identity.unlink", ["identityID": only]) == "lastIdentity")
    home.sandbox.configure {
      $0.manualLinking = true
      $0.autoConsentGoogle = TestHome.email
    }
    let link: JSON = ["provider": "google", "redirect": "manual", "detach": true]
    let started = try await caller.call("identity.link", link)
    let landing = try await home.finalAddress(of: try #require(started["url"]?.text))
    #expect(try await caller.call("signIn.complete", ["callback": .string(landing)])["outcome"] == "signedIn")
    let both = try await caller.call("identity.list")["identities"]?.array ?? []
    let google = try #require(both.first { $0["provider"] == "google" }?["identityID"])
    #expect(try await caller.call("identity.unlink", ["identityID": google])["identities"]?.array.count == 1)
  }

  /// A phone factor of account `two`, then an authenticator app of account `three`.
  private func secondFactors() async throws {
    home.sandbox.configure {
      $0.mfaPhoneEnroll = true
      $0.mfaPhoneVerify = true
    }
    #expect(try await caller.call("mfa.list", ["account": "three"])["factors"] == [])
    #expect(try await caller.refusal("session.token", ["account": "three", "assurance": "aal2"]) == "mfaNeeded")
    let phone: JSON = ["account": "two", "type": "phone", "phone": "+4915112345678"]
    let texted = try #require(try await caller.call("mfa.enroll", phone)["factor"])
    try await caller.call("mfa.challenge", ["account": "two", "factor": texted])
    let code = try #require(home.sandbox.mails.last?.code)
    try await caller.call("mfa.verify", ["account": "two", "factor": texted, "code": .string(code)])
    let app = try await caller.call("mfa.enroll", ["account": "three", "type": "totp", "name": "app"])
    let factor = try #require(app["factor"])
    #expect(app["secret"]?.text?.isEmpty == false && app["uri"]?.text?.hasPrefix("otpauth://") == true)
    #expect(
      try await caller.refusal("mfa.verify", ["account": "three", "factor": factor, "code": "000000"]) == "codeInvalid")
    let right = try #require(home.sandbox.totpCode(of: factor.text ?? ""))
    let verified = try await caller.call("mfa.verify", ["account": "three", "factor": factor, "code": .string(right)])
    #expect(verified["assurance"] == ["current": "aal2", "possible": "aal2"])
    try await caller.call("session.token", ["account": "three", "assurance": "aal2"])
    let page = try await caller.call("mfa.start", ["account": "three"])
    #expect(page["url"]?.text?.hasPrefix("http://127.0.0.1:") == true)
    try await caller.call("mfa.remove", ["account": "three", "factor": factor])
  }

  private func approvals() async throws {
    try home.append("\n[[policy.rules]]\naccount = \"five\"\naction = \"ask\"\n")
    try await caller.call("agent.reload")
    #expect(try await caller.refusal("session.token", ["account": "five"]) == "approvalNeeded", "this process asks")
    #expect(try await home.ctl("token", "--account", "five").status == 6, "and another one")
    let waiting = try await caller.call("approval.list")["approvals"]?.array ?? []
    let (own, other) = (
      waiting.first { $0["pid"] == .number(Double(getpid())) }, waiting.first { $0["pid"] != .number(Double(getpid())) }
    )
    let mine = try #require(own?["id"])
    #expect(try await caller.refusal("approval.answer", ["id": mine, "allow": true]) == "denied", "it is its own")
    let id = try #require(other?["id"])
    #expect(try await caller.call("approval.answer", ["id": id, "allow": true, "for": 60])["state"] == "allowed")
    #expect(try await caller.call("approval.wait", ["id": id])["state"] == "allowed")
    try await caller.call("approval.revoke", ["id": id])
  }

  private func records() async throws {
    #expect(try await caller.call("audit.list", ["limit": 50])["entries"]?.array.isEmpty == false)
    #expect(try await caller.call("audit.verify")["isWhole"] == true)
    #expect(try await caller.call("telemetry.snapshot")["families"]?.array.isEmpty == false)
  }

  private func vault() async throws {
    try await caller.call("vault.status")
    #expect(try await caller.call("vault.verify")["isWhole"] == true)
    let keyFile: JSON = ["keyFile": true]
    let added = try await caller.call(
      "vault.addKey",
      ["kind": "passphrase", "passphrase": "correct horse 9", "keepKeyFile": true, "present": keyFile])
    try await caller.call("vault.removeKey", ["id": try #require(added["key"]?["id"]), "present": keyFile])
    try await caller.call("vault.rekey", ["present": keyFile])
    #expect(try await caller.call("vault.lock")["opensByFile"] == true)
    #expect(try await caller.refusal("session.token") == "vaultLocked")
    #expect(try await caller.call("vault.unlock")["key"]?["kind"] == "keyFile")
    try await caller.call("vault.adopt")
  }

  private func endings() async throws {
    let ended = try await caller.call("session.signOut", ["account": "two"])
    #expect(ended["accounts"] == ["two"])
    #expect(try await caller.event("SIGNED_OUT")["account"] == "two")
    #expect(try await caller.event("SIGNED_IN")["status"] != nil)
    #expect(try await caller.event("INITIAL_SESSION")["token"]?["accessToken"] != nil)
    let renamed = try await caller.call("session.rename", ["account": "two", "name": "renamed"])
    #expect(renamed["name"] == "renamed")
    let removed = try await caller.call("session.remove", ["account": "renamed"])
    #expect(removed["account"] == "renamed")
  }
}
