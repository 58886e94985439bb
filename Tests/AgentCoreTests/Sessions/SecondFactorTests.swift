import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct SecondFactorTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  private let insufficient = AuthError(
    .server("insufficient_aal"), "refused", status: 422, serverCode: "insufficient_aal")

  @Test("MF-2: the level is the token's, and aal2 is possible if and only if a verified factor exists", .accounts)
  func showsLevels() async throws {
    let plain = try await fixture.signIn("plain", user: "user-2", token: "7")
    #expect(plain.assurance == AccountAssurance(current: "aal1", possible: "aal1"))
    let pending = Factor(id: "pending", type: "totp", isVerified: false)
    let status = try await fixture.signIn("default", with: [pending])
    #expect(status.assurance == AccountAssurance(current: "aal1", possible: "aal1"))
    #expect(try await fixture.signIn("default", with: [.app], token: "2").assurance?.possible == "aal2")
    _ = try await fixture.accounts.signOut(SessionSignOut.Params(account: "default"))
    #expect(try await fixture.accounts.status("default").assurance == nil)
  }

  @Test("MF-2: factor and level survive a restart, and a record without them is read", .restarts)
  func storesLevels() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn(with: [.app])
      try await fixture.completeVerification()
      try await fixture.signIn("old", user: "user-2", token: "5")
    }
    try await home.start { fixture async throws in
      let assurance = try await fixture.accounts.status(nil).assurance
      #expect(assurance == AccountAssurance(current: "aal2", possible: "aal2"))
      let token = try await fixture.accounts.token(SessionToken.Params(assurance: "aal2"))
      #expect(token.accessToken == "access-2")
      #expect(try await fixture.stored("old")?.assurance == nil)
      #expect(try await fixture.accounts.status("old").assurance?.current == "aal1")
    }
  }

  @Test("MF-2: a factor that was removed elsewhere lowers the next token, with STATE_CHANGED", .accounts)
  func tellsALowerLevel() async throws {
    try await fixture.signIn(with: [.app])
    try await fixture.completeVerification()
    let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params())
    // A token of the last 5 s would serve the refresh.
    fixture.clock.advance(by: .seconds(6))
    let second = Task { try await fixture.accounts.refresh(nil) }
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("3", assurance: "aal1")))
    #expect(try await second.value.assurance == AccountAssurance(current: "aal1", possible: "aal2"))
    let events = try await subscription.events(3)
    #expect(events.map(\.type) == [.initialSession, .tokenRefreshed, .stateChanged])
    #expect(events[2].status?.assurance?.current == "aal1")
    #expect(events[2].reason?.isEmpty == false)
  }

  @Test("MF-4: assurance is judged on the token that would be handed out; other values are refused", .accounts)
  func judgesTokens() async throws {
    try await fixture.signIn(with: [.app])
    let none = await errorOf { try await fixture.accounts.token(SessionToken.Params(assurance: "aal2")) }
    #expect(none?.kind == .mfaNeeded)
    #expect(none?.data.hint == "ritualctl mfa verify --account default")
    #expect(none?.data.account == "default")
    let low = try await fixture.accounts.token(SessionToken.Params(assurance: "aal1"))
    #expect(low.accessToken == "access-1")
    for wrong in ["aal3", "", "AAL2"] {
      let error = await errorOf { try await fixture.accounts.token(SessionToken.Params(assurance: wrong)) }
      #expect(error?.kind == .invalidParams)
    }
    try await fixture.completeVerification()
    let high = try await fixture.accounts.token(SessionToken.Params(assurance: "aal2"))
    #expect(high.accessToken == "access-2")
    // The factor was removed elsewhere: the token of the refresh is judged.
    fixture.clock.advance(by: .seconds(60))
    let rejected = SessionToken.Params(rejected: fingerprint("access-2"), assurance: "aal2")
    let lowered = Task { await errorOf { try await fixture.accounts.token(rejected) } }
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("3", assurance: "aal1")))
    #expect(await lowered.value?.kind == .mfaNeeded)
  }

  @Test("MF-4: a user without a factor is told how to add one", .accounts)
  func tellsHowToEnroll() async throws {
    try await fixture.signIn()
    let error = await errorOf { try await fixture.accounts.token(SessionToken.Params(assurance: "aal2")) }
    #expect(error?.kind == .mfaNeeded)
    #expect(error?.data.hint == "ritualctl mfa enroll totp --account default")
  }

  @Test("MF-3: a sign-in's result tells the need, the factors and the accounts that a verification ends", .accounts)
  func tellsTheNeed() async throws {
    let plain = try await fixture.signIn("plain", user: "user-2", token: "7")
    #expect(plain.mfa == SecondFactorNeed(needed: false, factors: []))
    let pending = Factor(id: "pending", type: "totp", isVerified: false)
    let first = try await fixture.signIn("a", with: [.app, pending])
    let app = AccountFactor(id: "app", type: "totp", name: "Phone app", status: "verified")
    #expect(first.mfa == SecondFactorNeed(needed: true, factors: [app]))
    let second = try await fixture.signIn("b", with: [.app], token: "2")
    #expect(second.mfa == SecondFactorNeed(needed: true, factors: [app], endsAccounts: ["a"]))
    #expect(try await fixture.accounts.status("b").mfa == nil)
  }

  @Test("MF-1: the list is the server's, or the last known one if the server cannot be reached", .accounts)
  func lists() async throws {
    try await fixture.signIn(with: [.app])
    let offline = try await fixture.accounts.factors(nil)
    #expect(offline.factors.map(\.id) == ["app"])
    #expect(!offline.isCurrent)
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: [.app, .phone])))
    let current = try await fixture.accounts.factors(nil)
    #expect(current.factors.map(\.id) == ["app", "phone"])
    #expect(current.isCurrent)
    #expect(current.assurance == AccountAssurance(current: "aal1", possible: "aal2"))
    #expect(try await fixture.stored()?.user.factors?.count == 2)
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [])))
    #expect(try await fixture.accounts.factors(nil).factors == [])
    #expect(try await fixture.accounts.status(nil).assurance?.possible == "aal1")
  }

  @Test("a verification chooses the named factor, else the only verified one", .accounts)
  func choosesAFactor() async throws {
    try await fixture.signIn(with: [.app, .phone])
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: [.app, .phone])))
    let several = try #require(await errorOf { try await fixture.verify().value })
    #expect(several.kind == .invalidParams)
    #expect(several.message.contains("app (Phone app), phone (mobile)"))
    #expect(await errorOf { try await fixture.verify(factor: "unknown").value }?.kind == .invalidParams)
    let pending = Factor(id: "pending", type: "totp", isVerified: false)
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: [.app, pending])))
    // An unverified factor has to be named, and the list is read again for it.
    let caller = fixture.verify(factor: "pending")
    let sent = try await fixture.factors.nextVerification()
    #expect(sent.text.hasPrefix("pending "))
    sent.answer(.success(.verified("2", factors: [.app, pending])))
    _ = try await caller.value
  }

  @Test(
    "without a second factor, or with one of another type only, nothing is sent", .accounts,
    arguments: [
      [], [Factor(id: "key", type: "webauthn", isVerified: true)],
    ])
  func hasNothingToVerify(factors: [Factor]) async throws {
    try await fixture.signIn(with: factors)
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: factors)))
    let error = await errorOf { try await fixture.verify().value }
    #expect(error?.kind == .invalidParams)
    #expect(error?.data.hint == "ritualctl mfa enroll totp --account default")
    #expect(fixture.factors.requests == [])
  }

  @Test("MF-1: an enrolment gives the secret once, and the factor is known as unverified", .accounts)
  func enrolls() async throws {
    try await fixture.signIn()
    let enrolled = try await fixture.accounts.enrollFactor(MFAEnroll.Params(type: "totp", name: "App"))
    #expect(enrolled.secret == "SECRET")
    #expect(enrolled.uri == "otpauth://totp/a?secret=SECRET")
    let stored = try #require(try await fixture.stored()?.user.factors)
    #expect(stored == [AccountFactor(id: "new", type: "totp", name: "App", status: "unverified")])
    #expect(try await fixture.accounts.status(nil).assurance?.possible == "aal1")
    let record = try WireCoding.encode(try await fixture.store.load("default"))
    #expect(!String(decoding: record, as: UTF8.self).contains("SECRET"))
    let caller = fixture.verify(factor: "new")
    let app = Factor(id: "new", type: "totp", name: "App", isVerified: true)
    try await fixture.factors.nextVerification().answer(.success(.verified("2", factors: [app])))
    #expect(try await caller.value.assurance == AccountAssurance(current: "aal2", possible: "aal2"))
  }

  @Test("MF-1: a list that was requested before an enrolment does not remove the factor", .accounts)
  func keepsAnEnrolledFactor() async throws {
    try await fixture.signIn(with: [.app])
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: [.app])))
    fixture.server.holdUsers()
    let list = Task { try await fixture.accounts.factors(nil) }
    try await eventually("the list is requested") { fixture.server.heldUsers == 1 }
    fixture.clock.advance(by: .seconds(1))
    _ = try await fixture.accounts.enrollFactor(MFAEnroll.Params(type: "totp"))
    fixture.server.stopHoldingUsers()
    #expect(try await list.value.factors.map(\.id) == ["app", "new"])
  }

  @Test(
    "an enrolment needs a known type, and a number for a phone", .accounts,
    arguments: [
      MFAEnroll.Params(type: "webauthn"), MFAEnroll.Params(type: "phone"),
      MFAEnroll.Params(type: "totp", phone: "+4915112345"),
    ])
  func refusesEnrolments(params: MFAEnroll.Params) async throws {
    try await fixture.signIn()
    #expect(await errorOf { try await fixture.accounts.enrollFactor(params) }?.kind == .invalidParams)
    #expect(fixture.factors.requests == [])
  }

  @Test("MF-1: after a removal, a refresh makes the token's level true", .accounts)
  func removes() async throws {
    try await fixture.signIn(with: [.app])
    try await fixture.completeVerification()
    let removal = Task { try await fixture.accounts.removeFactor(MFARemove.Params(factor: "app")) }
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("3", assurance: "aal1")))
    try await removal.value
    #expect(fixture.factors.requests.last == "remove app access-2")
    let assurance = try await fixture.accounts.status(nil).assurance
    #expect(assurance == AccountAssurance(current: "aal1", possible: "aal1"))
  }

  @Test("a change of factors that needs the second factor is mfaNeeded", .accounts)
  func needsTheFactor() async throws {
    try await fixture.signIn(with: [.app])
    fixture.factors.failOthers(with: insufficient)
    let enrolment = await errorOf { try await fixture.accounts.enrollFactor(MFAEnroll.Params(type: "totp")) }
    let removal = await errorOf { try await fixture.accounts.removeFactor(MFARemove.Params(factor: "app")) }
    #expect([enrolment?.kind, removal?.kind] == [.mfaNeeded, .mfaNeeded])
    #expect(removal?.data.hint == "ritualctl mfa verify --account default")
    #expect(fixture.server.refreshes == [])
  }
  @Test("a factor that was added elsewhere is not denied, and is known from the next look at the user on", .accounts)
  func believesTheServer() async throws {
    try await fixture.signIn(with: [])
    fixture.server.answerUser(with: .success(User(id: "user-1", identities: [], factors: [.app])))
    fixture.factors.failOthers(with: insufficient)
    let enrolment = await errorOf { try await fixture.accounts.enrollFactor(MFAEnroll.Params(type: "totp")) }
    #expect(enrolment?.kind == .mfaNeeded && enrolment?.message == ErrorKind.mfaNeeded.facts.message)
    #expect(enrolment?.data.hint == "ritualctl mfa verify --account default")
    try await eventually("the factor is known") {
      try await fixture.accounts.status(nil).assurance?.possible == "aal2"
    }
  }

  @Test("a user whose only factor is a passkey is not told to verify it here", .accounts)
  func knowsItsLimits() async throws {
    try await fixture.signIn(with: [Factor(id: "key", type: "webauthn", isVerified: true)])
    let error = await errorOf { try await fixture.accounts.token(SessionToken.Params(assurance: "aal2")) }
    #expect(error?.kind == .mfaNeeded && error?.message.contains("none that can be verified here") == true)
    #expect(error?.data.hint?.contains("ritualctl") == false)
  }
}
