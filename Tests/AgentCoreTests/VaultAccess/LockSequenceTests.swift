import AgentProtocol
import SessionVault
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// One step in a sequence of locks and unlocks.
private enum LockStep: CustomStringConvertible {
  /// One or two concurrent locks.
  case lock([LockCause])
  /// Begins an unlock by passphrase, whose derivation is held.
  case beginUnlock
  /// Ends the derivation of the pending unlock.
  case finishUnlock
  /// Unlocks the desktop session.
  case sessionUnlock

  var description: String {
    switch self {
    case .lock(let causes): "lock(\(causes.map(\.rawValue).joined(separator: "+")))"
    case .beginUnlock: "beginUnlock"
    case .finishUnlock: "finishUnlock"
    case .sessionUnlock: "sessionUnlock"
    }
  }

  static func random(_ chance: inout SeededRandom) -> LockStep {
    switch chance.below(10) {
    case 0..<4: .lock((0...chance.below(2)).map { _ in chance.one(of: [.manual, .session, .idle]) })
    case 4..<6: .beginUnlock
    case 6..<8: .finishUnlock
    default: .sessionUnlock
    }
  }
}

/// The expected result of a sequence of locks and unlocks, for any causes. Pure.
private struct LockModel {
  /// The causes that the locked vault may report; empty for an open vault.
  var causes: Set<LockCause> = []
  /// True while an unlock derives its key.
  var isUnlocking = false

  mutating func lock(_ new: [LockCause]) {
    isUnlocking = false
    if new.contains(.manual) {
      causes = [.manual]
    } else if causes.isEmpty {
      causes = Set(new)
    }
  }

  mutating func unlock() {
    isUnlocking = false
    causes = []
  }

  mutating func sessionUnlock() {
    if causes == [.session] { causes = [] }
  }
}

/// Runs one sequence on a vault that a key file and a passphrase open.
private final class LockRun {
  private let fixture: LockFixture
  private var model = LockModel()
  private var unlock: Task<ErrorKind?, Never>?
  private var steps: [LockStep] = []

  init(_ fixture: LockFixture) { self.fixture = fixture }

  func play(_ step: LockStep) async throws {
    steps.append(step)
    switch step {
    case .lock(let causes): try await lock(causes)
    case .beginUnlock: try await beginUnlock()
    case .finishUnlock: await finishUnlock()
    case .sessionUnlock:
      // The key queue is held together with the derivation.
      guard unlock == nil else { return }
      try? await fixture.access.sessionUnlocked()
      model.sessionUnlock()
    }
    if unlock == nil { try await check() }
  }

  private func beginUnlock() async throws {
    guard unlock == nil else { return }
    let (fixture, before) = (fixture, fixture.home.derivation.count)
    fixture.home.derivation.hold()
    unlock = Task { await errorKind { try await fixture.unlock("words") } }
    try await eventually("the passphrase is tried") { fixture.home.derivation.count > before }
    model.isUnlocking = true
  }

  private func finishUnlock() async {
    guard let unlock else { return }
    fixture.home.derivation.release(1)
    #expect(await unlock.value == nil, "\(steps)")
    self.unlock = nil
    model.unlock()
  }

  private func lock(_ causes: [LockCause]) async throws {
    let (fixture, isLocked) = (fixture, Mutexed(0))
    let locks = causes.map { cause in
      Task {
        _ = try? await fixture.access.lock(cause)
        isLocked.value += 1
      }
    }
    if let unlock {
      try await eventually("the lock waits for the derivation, or was ignored") {
        let isLocking = await fixture.access.generation.isLocking
        return isLocking || isLocked.value == causes.count
      }
      fixture.home.derivation.release(1)
      for lock in locks { await lock.value }
      #expect(await unlock.value == .vaultLocked, "a lock ends the unlock that began before it: \(steps)")
      self.unlock = nil
    }
    for lock in locks { await lock.value }
    model.lock(causes)
    let cause = try await fixture.access.status().lockedBy.flatMap { LockCause(rawValue: $0) }
    if let cause, model.causes.contains(cause) { model.causes = [cause] }
  }

  private func check() async throws {
    let (isOpen, cause) = (await fixture.accounts.lockState.isOpen, try await fixture.access.status().lockedBy)
    try #require(isOpen == model.causes.isEmpty, "\(steps)")
    try #require(fixture.vault.isLocked != isOpen, "\(steps)")
    try #require(cause == model.causes.first?.rawValue, "\(steps)")
    #expect(fixture.home.places.manualLockNote.exists == (model.causes == [.manual]), "\(steps)")
  }

  func end() async {
    fixture.home.derivation.release()
    _ = await unlock?.value
  }
}

@Suite(.timeLimit(.minutes(5))) struct LockSequenceTests {
  private func play(_ steps: [LockStep]) async throws {
    let fixture = LockFixture.current
    try await fixture.signIn()
    _ = try await fixture.access.addKey(
      VaultAddKey.Params(
        kind: .passphrase, passphrase: SecretText("words"), present: PresentKeys(keyFile: true), keepKeyFile: true))
    let run = LockRun(fixture)
    do {
      for step in steps { try await run.play(step) }
    } catch {
      await run.end()
      throw error
    }
    await run.end()
  }

  @Test(
    "VA-4: a lock of any cause ends an unlock that derives its key, on an open and on a locked vault", .lock,
    arguments: [LockCause.session, .idle, .manual], [nil, LockCause.session, .idle, .manual])
  fileprivate func lockEndsAnUnlock(_ cause: LockCause, after earlier: LockCause?) async throws {
    try await play((earlier.map { [.lock([$0])] } ?? []) + [.beginUnlock, .lock([cause]), .sessionUnlock])
  }

  @Test("VA-4: any sequence of locks, unlocks and session unlocks", .lock, arguments: TestSeeds.chosen ?? Array(1...30))
  func anySequence(seed: UInt64) async throws {
    var chance = SeededRandom(seed)
    try await play((0..<30).map { _ in .random(&chance) })
  }
}
