import AgentConfiguration
import AgentProtocol
import Dispatch
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// A lock during a write: what was begun before puts nothing back into the memory of the locked
/// agent, and the vault holds the old state or the new one.
@Suite(.timeLimit(.minutes(10))) struct LockDuringWriteTests {
  private var home: LockEnvironment { .current }
  private var fixture: LockFixture { .current }

  /// An operation whose write is held.
  enum Operation: String, CaseIterable, Sendable {
    case useAPI, rename, remove, use, signIn, failedSignIn, signOut, user, profile, identities, factors, refresh
    case verification, ended

    /// The writes that pass before the one that is held.
    var skipped: Int { [.verification, .failedSignIn].contains(self) ? 1 : 0 }

    func begin(_ fixture: LockFixture) async throws -> Task<Void, any Error> {
      let accounts = fixture.accounts
      switch self {
      case .useAPI: return Task { _ = try await accounts.useAPI("work") }
      case .rename: return Task { _ = try await accounts.rename("work", to: "new") }
      case .remove: return Task { _ = try await accounts.remove("work") }
      case .use: return Task { _ = try await accounts.use("work") }
      case .signIn: return Task { try await fixture.signIn("work", token: "2") }
      case .failedSignIn:
        fixture.home.storage.failNextWrite(with: .diskFull)
        return Task { try await fixture.signIn("work", token: "2") }
      case .signOut: return Task { _ = try await accounts.signOut(SessionSignOut.Params(account: "work")) }
      case .user:
        let user = User(id: "user-1", email: "new@example.org")
        return Task { await accounts.seen(user, of: "work", .elsewhere, asked: accounts.clock.now) }
      case .profile:
        let target = try await accounts.profileTarget("work")
        return Task { await accounts.profileSeen(onboarding: "needed", target) }
      case .identities:
        let user = User(
          id: "user-1", email: "anna@example.org", identities: [Identity(identityID: "i", id: "1", provider: .google)])
        return Task { await accounts.noticeLinks(user, of: "work", .elsewhere) }
      case .factors:
        return Task { _ = try await accounts.enrollFactor(MFAEnroll.Params(account: "work", type: "totp")) }
      case .refresh:
        fixture.server.answerRefreshes { _ in .refreshed(.fixture("3")) }
        return Task { _ = try await accounts.refresh("work") }
      case .ended:
        fixture.server.answerRefreshes { _ in
          .fatal(.tokenNotFound, AuthError(.refreshTokenNotFound, "gone", status: 400))
        }
        return Task { _ = try await accounts.refresh("work") }
      case .verification:
        let caller = fixture.verify(account: "work")
        let task = Task { _ = try await caller.value }
        try await fixture.factors.nextVerification().answer(.success(.verified("3")))
        return task
      }
    }
  }

  @Test("nothing comes back into the memory of a locked agent", .lock, arguments: Operation.allCases)
  func staysEmpty(operation: Operation) async throws {
    let accounts = fixture.accounts
    try await fixture.signIn("home", user: "user-2", token: "h")
    try await fixture.signIn("work", with: [.app])
    _ = await accounts.projects.apply(
      try AccountsFixture.configuration(more: "api_url = \"http://127.0.0.1:8\"\n"))
    let write = home.storage.holdWrite(
      skipping: operation.skipped, failing: operation == .failedSignIn ? .diskFull : nil)
    let task = try await operation.begin(fixture)
    try await write.isHeld.wait()
    let lock = Task { try await fixture.access.lock(.idle) }
    try await eventually("the sessions are forgotten") {
      if await accounts.lockState.isLocked { return true }
      // A lock waits for sign-ins and answers, for a limited time.
      if await accounts.lockState.isOpen == false { fixture.clock.advance(by: .milliseconds(500)) }
      return false
    }
    write.release.signal()
    _ = try await lock.value
    _ = await task.result
    await Self.expectEmpty(accounts)
    fixture.server.answerRefreshes { _ in .transient(AuthError(.network, "off"), retryAfter: nil) }
    try await fixture.unlock()
    try await Self.expectOldOrNew(accounts, operation)
  }

  private static func expectEmpty(_ accounts: Accounts) async {
    #expect(await accounts.lockState.isLocked)
    #expect(await accounts.accounts.isEmpty)
    #expect(await accounts.people.isEmpty)
    #expect(await accounts.pendingUndos.isEmpty)
    #expect(await accounts.signIns.isEmpty)
    for name in ["work", "new", "home"] {
      #expect(accounts.tokens.answer(account: name, minTTL: 0, rejected: nil, now: accounts.clock.now) == nil)
    }
  }

  /// The vault holds each session once.
  private static func expectOldOrNew(_ accounts: Accounts, _ operation: Operation) async throws {
    let sessions = await accounts.accounts.values.compactMap { $0.newest?.refreshToken }.sorted()
    switch operation {
    case .remove, .signOut, .ended: #expect(sessions == ["refresh-h"] || sessions == ["refresh-1", "refresh-h"])
    case .signIn: #expect(sessions == ["refresh-2", "refresh-h"] || sessions == ["refresh-1", "refresh-h"])
    case .refresh, .verification: #expect(sessions == ["refresh-3", "refresh-h"])
    default: #expect(sessions == ["refresh-1", "refresh-h"])
    }
  }

  @Test("facts about the user that arrive during a rename get the new name", .lockEnvironment)
  func renamesWhatArrivesMeanwhile() async throws {
    try await withLock(home) { fixture async throws in
      let accounts = fixture.accounts
      try await fixture.signIn("work")
      let target = try await accounts.profileTarget("work")
      await accounts.profileSeen(onboarding: "needed", target)
      let write = home.storage.holdWrite(skipping: 1)
      let rename = Task { _ = try await accounts.rename("work", to: "new") }
      try await write.isHeld.wait()
      let seen = Task { await accounts.profileSeen(onboarding: "complete", target) }
      // The write of this call waits for the held one.
      await fixture.settle()
      write.release.signal()
      try await rename.value
      await seen.value
    }
    try await withLock(home) { fixture async throws in
      #expect(await fixture.accounts.people.keys.sorted() == ["new"])
      #expect(try await fixture.accounts.status("new").onboarding == "complete")
    }
  }

  @Test("a change of the settings does not undo another one that was made during its write", .lockEnvironment)
  func keepsBothChanges() async throws {
    try await withLock(home) { fixture async throws in
      let accounts = fixture.accounts
      try await fixture.signIn("home", user: "user-2", token: "h")
      try await fixture.signIn("work")
      let write = home.storage.holdWrite()
      // A session that the time limit ends teaches the limit, once its end is stored.
      fixture.clock.advance(by: .seconds(1000))
      fixture.server.answerRefreshes { token in
        guard token == "refresh-h" else { return .refreshed(.fixture("2")) }
        return .fatal(.timebox, AuthError(.sessionExpired, "over", status: 400))
      }
      let ended = Task { _ = try await accounts.refresh("home") }
      try await write.isHeld.wait()
      let use = Task { _ = try await accounts.use("work") }
      // The write of this call waits for the held one.
      await fixture.settle()
      write.release.signal()
      _ = await ended.result
      try await use.value
      try await eventually("the limit is learned") {
        await accounts.settings.limits(of: AccountsFixture.origin)?.timebox != nil
      }
      #expect(await accounts.settings.defaultAccount == "work")
    }
    try await withLock(home) { fixture async throws in
      #expect(await fixture.accounts.settings.defaultAccount == "work")
      #expect(await fixture.accounts.settings.limits(of: AccountsFixture.origin)?.timebox != nil)
    }
  }
}
