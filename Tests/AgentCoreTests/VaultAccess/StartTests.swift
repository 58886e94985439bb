import AgentProtocol
import FoundationEssentials
import Logging
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import AgentServer
@testable import SessionEngine
@testable import SessionVault

/// A start in two steps: the sessions before READY, the users' facts after it.
@Suite(.timeLimit(.minutes(10))) struct StartTests {
  private var home: LockEnvironment { .current }

  /// The parts of an agent on `home` that a start needs, before the start.
  private func agent(on home: LockEnvironment) throws -> (Accounts, VaultAccess, AttachedVault) {
    let (fixture, attached) = try LockFixture.unstarted(on: home)
    return (fixture.accounts, fixture.access, attached)
  }

  /// A home with the accounts `home` and `work`, whose profiles are known.
  private func signedIn(_ home: LockEnvironment) async throws {
    try await withLock(home) { fixture async throws in
      for name in ["work", "home"] {
        try await fixture.signIn(name, token: name)
        await fixture.accounts.profileSeen(onboarding: "needed", try fixture.accounts.profileTarget(name))
      }
    }
  }

  @Test("tokens are served before the users' facts are read, from one opening of each other record", .lockEnvironment)
  func tokensFirst() async throws {
    try await signedIn(home)
    let (accounts, access, attached) = try agent(on: home)
    home.storage.reads = []
    await access.start(leavesPeople: true)
    // Two accounts and the settings.
    #expect(home.storage.reads.filter(VaultFormat.isRecord).count == 3)
    #expect(accounts.tokens.answer(account: "work", minTTL: nil, rejected: nil, now: home.clock.now) != nil)
    #expect(await accounts.people.isEmpty)
    // A profile that is not known yet must not be asked for again.
    #expect(await accounts.accounts.values.allSatisfy { !$0.isProfileStale })
    await access.completeStart()
    #expect(await accounts.list().map(\.onboarding) == ["needed", "needed"])
    #expect(await accounts.accounts.values.allSatisfy { !$0.isProfileStale })
    #expect(home.storage.reads.filter(VaultFormat.isRecord).count == 5)
    _ = attached
    await access.close()
  }

  @Test("without the list of names, the facts are complete as well", .lockEnvironment)
  func withoutNames() async throws {
    try await signedIn(home)
    for copy in ["accounts", "accounts.2"] { try FileManager.default.removeItem(atPath: home.folder + "/" + copy) }
    let (accounts, access, _) = try agent(on: home)
    await access.start(leavesPeople: true)
    await access.completeStart()
    #expect(await accounts.list().map(\.onboarding) == ["needed", "needed"])
    await access.close()
  }

  @Test("VA-4: a lock before the facts are read keeps them out of memory, and an unlock reads them", .lockEnvironment)
  func lockInBetween() async throws {
    try await signedIn(home)
    let (accounts, access, attached) = try agent(on: home)
    await access.start(leavesPeople: true)
    _ = try await access.lock(.manual)
    await access.completeStart()
    #expect(await accounts.people.isEmpty)
    #expect(attached.vault.isLocked)
    #expect(try await access.status().lockedBy == "hand")
    try await access.unlock(nil)
    #expect(await accounts.list().map(\.onboarding) == ["needed", "needed"])
    #expect(attached.vault.damaged.isEmpty)
    await access.close()
  }

  @Test("a stop before the facts are read ends", .lockEnvironment)
  func stopInBetween() async throws {
    try await signedIn(home)
    let (accounts, access, _) = try agent(on: home)
    await access.start(leavesPeople: true)
    async let rest: Void = access.completeStart()
    await access.close()
    await rest
    await access.completeStart()
    // The reads failed with the closed store, or came before it.
    let isLocked = await accounts.lockState.isLocked
    let people = await accounts.people.count
    #expect(isLocked || people == 2)
  }

  @Test("a call waits until the start is complete; a cancelled call ends")
  func callsWait() async throws {
    try await withPolicy([]) { fixture async throws in
      let isStarted = SettledValue<Void>()
      let methods = MethodTable(fixture.services, after: isStarted)
      let call = await fixture.connect(1, unit: nil)
      let method = try #require(methods["session.list"])
      let answered = Mutexed(false)
      let cancelled = Task { try await method(nil, call).result }
      let waiting = Task {
        let result = try await method(nil, call).result
        answered.value = true
        return result
      }
      cancelled.cancel()
      #expect(await errorKind { _ = try await cancelled.value } == .cancelled)
      #expect(!answered.value)
      isStarted.settle(())
      #expect(try await !waiting.value.isEmpty)
    }
  }

  @Test("VA-6: a record that is refused at the start keeps the vault closed, with the reason", .lockEnvironment)
  func refusedRecord() async throws {
    try await signedIn(home)
    for leavesPeople in [false, true] {
      let (accounts, access, attached) = try agent(on: home)
      home.storage.failReads(with: .unsafe)
      await access.start(leavesPeople: leavesPeople)
      home.storage.failReads(with: nil)
      #expect(await errorKind { try await accounts.requireOpen() } == .vaultUnavailable)
      #expect(await accounts.list().map(\.name) == ["home", "work"])
      #expect(attached.vault.isLocked)
      try await access.unlock(nil)
      #expect(await accounts.list().map(\.onboarding) == ["needed", "needed"])
      await access.close()
    }
  }
}
