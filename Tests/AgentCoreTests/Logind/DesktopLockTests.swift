import AgentConfiguration
import AgentProtocol
import Logging
import SupabaseAuth
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// `lock_with_session`: logind events, applied to the agent's own components.
@Suite(.timeLimit(.minutes(10))) struct DesktopLockTests {
  private var home: LockEnvironment { .current }
  private var fixture: LockFixture { .current }

  private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

  private static func session(locked: Bool) -> LogindEvent {
    .sessions([LoginSession(path: "/1", isGraphical: true, isHintedLocked: locked)])
  }

  private struct Stage {
    let fixture: LockFixture
    let desktop: DesktopLock
    let isOn: Mutexed<Bool>

    init(_ fixture: LockFixture, isOn: Bool = true) {
      self.fixture = fixture
      let isOn = Mutexed(isOn)
      self.isOn = isOn
      desktop = DesktopLock(fixture.access, isOn: { isOn.value }, logger: DesktopLockTests.logger)
    }

    func tell(_ event: LogindEvent) async {
      await desktop.note(event)
      await desktop.follow()
    }

    var state: String {
      get async {
        if case .locked(let cause) = await fixture.access.state { cause.rawValue } else { "open" }
      }
    }
  }

  @Test("after the session's lock the passphrase is required", .lock)
  func asksForThePassphrase() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("words")
    let stage = Stage(fixture)
    await stage.tell(Self.session(locked: true))
    await stage.tell(Self.session(locked: false))
    #expect(await stage.state == "session")
    try await fixture.unlock("words")
    #expect(await stage.state == "open")
  }

  @Test(
    "disabled: no lock; enabled during a session lock: locks at once; disabled again: unlock still opens",
    .lock)
  func followsTheConfiguration() async throws {
    try await fixture.signIn()
    let stage = Stage(fixture, isOn: false)
    await stage.tell(Self.session(locked: true))
    #expect(await stage.state == "open")
    stage.isOn.value = true
    await stage.desktop.follow()
    #expect(await stage.state == "session")
    stage.isOn.value = false
    await stage.desktop.follow()
    #expect(await stage.state == "session")
    await stage.tell(Self.session(locked: false))
    #expect(await stage.state == "open")
  }

  @Test("a manual unlock during the session's lock lasts until the next lock", .lock)
  func respectsAManualUnlock() async throws {
    try await fixture.signIn()
    let stage = Stage(fixture)
    await stage.tell(Self.session(locked: true))
    try await fixture.unlock()
    await stage.tell(Self.session(locked: true))
    #expect(await stage.state == "open")
    await stage.tell(Self.session(locked: false))
    await stage.tell(Self.session(locked: true))
    #expect(await stage.state == "session")
  }

  @Test("the end of the session is not an unlock", .lock)
  func staysLockedWithoutASession() async throws {
    try await fixture.signIn()
    let stage = Stage(fixture)
    await stage.tell(Self.session(locked: true))
    await stage.tell(.sessions([]))
    await stage.tell(.missing("logind is not running"))
    #expect(await stage.state == "session")
  }

  @Test("a session that is locked only briefly leaves a vault with a passphrase locked", .lock)
  func locksForAMoment() async throws {
    try await fixture.signIn()
    try await fixture.usePassphrase("words")
    let stage = Stage(fixture)
    await stage.tell(Self.session(locked: false))
    await stage.desktop.note(.asked(session: "/1", isLocked: true))
    await stage.desktop.note(.asked(session: "/1", isLocked: false))
    await stage.desktop.follow()
    #expect(await stage.state == "session")
  }

  @Test("a lock ends a session unlock that is waiting for a key", .lock)
  func locksDuringTheUnlock() async throws {
    try await fixture.signIn()
    _ = try await fixture.access.addKey(
      VaultAddKey.Params(
        kind: .passphrase, passphrase: SecretText("words"), present: PresentKeys(keyFile: true), keepKeyFile: true))
    let stage = Stage(fixture)
    await stage.tell(Self.session(locked: true))
    // The key thread is busy with a passphrase, and the session's unlock is queued behind it.
    let before = home.derivation.count
    home.derivation.hold()
    async let other = errorKind { try await fixture.unlock("words") }
    try await eventually("a passphrase is tried") { home.derivation.count > before }
    async let unlocking: Void = stage.tell(Self.session(locked: false))
    for _ in 0..<1000 { await Task.yield() }
    await stage.desktop.note(Self.session(locked: true))
    home.derivation.release()
    await unlocking
    #expect(await other == .vaultLocked)
    #expect(await stage.state == "session")
  }

  @Test("an unlock that arrives while the lock waits for a refresh is applied as well", .lock)
  func followsWhatChangesMeanwhile() async throws {
    try await fixture.signIn()
    let stage = Stage(fixture)
    let call = try await fixture.nextRefresh()
    async let locking: Void = stage.tell(Self.session(locked: true))
    try await eventually("the lock begins") { await fixture.accounts.lockState.isOpen == false }
    await stage.tell(Self.session(locked: false))
    call.answer(.refreshed(.fixture("2")))
    await locking
    #expect(await stage.state == "open")
    #expect(try await fixture.token() == "access-2")
  }
}
