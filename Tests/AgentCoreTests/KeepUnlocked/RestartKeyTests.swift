import FoundationEssentials
import Glibc
import Logging
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import AgentServer
@testable import SessionVault

/// The key that outlives the process, and the memory that holds it.
@Suite(.enabled(if: RestartMemory.isAvailable, "needs memfd_secret(2): Linux 6.5, not switched off"))
struct RestartKeyTests {
  private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

  /// Runs `body` with a locked vault and the key of its slot. The vault has one record and opens
  /// with the passphrase `descriptions`.
  private func withVault(_ body: (Vault, ProvenKey) throws -> Void) async throws {
    try await withScratchDirectory { folder in
      let storage = MemoryStorage()
      let derivation = CountedDerivation().derivation
      let vault = try Vault.attach(storage, MachineID(bytes: [UInt8](repeating: 1, count: 16)), derivation)
      let file = KeySource.keyFile(path: folder.path + "/vault.key", createIfMissing: true)
      try vault.create(with: file)
      try vault.save([7], as: "a")
      let words = KeySource.passphrase(try Passphrase("words"))
      try vault.addKey(words, present: [file])
      try vault.removeKey(vault.condition.keys[0].id, present: [words])
      let key = try vault.unlockProving(with: [words]).key
      #expect(key.slot == vault.condition.keys[0].id)
      vault.lock()
      try body(vault, key)
      vault.close()
    }
  }

  private func copy(_ key: ProvenKey) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ProvenKey.length)
    bytes.withUnsafeMutableBytes { key.write(to: $0) }
    return bytes
  }

  /// A descriptor as systemd passes it after a restart.
  private func passed(_ key: ProvenKey, used: BootTime) throws -> PassedSocket {
    let memory = try #require(RestartMemory())
    #expect(memory.write(key))
    memory.lastUsed = used
    return PassedSocket(descriptor: fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 3), name: RestartKey.name)
  }

  @Test(
    "a proven key opens its slot again without a derivation, also after a rekey, but not once the slot is removed")
  func opensAgain() async throws {
    try await withVault { vault, key in
      #expect(try vault.unlock(with: [.proven(key)]).kind == .passphrase)
      #expect(try vault.load("a") == [7])
      let words = KeySource.passphrase(try Passphrase("words"))
      try vault.rekey(present: [words])
      vault.lock()
      try vault.unlock(with: [.proven(key)])
      #expect(try vault.load("a") == [7])
      try vault.addKey(.passphrase(try Passphrase("others")), present: [words])
      try vault.removeKey(key.slot, present: [words])
      vault.lock()
      #expect(throws: VaultError(.wrongKey, "")) { try vault.unlock(with: [.proven(key)]) }
    }
  }

  @Test("a proven key opens no other vault")
  func opensNoOther() async throws {
    try await withVault { _, key in
      let machine = MachineID(bytes: [UInt8](repeating: 1, count: 16))
      let other = try Vault.attach(MemoryStorage(), machine, CountedDerivation().derivation)
      try other.create(with: .passphrase(try Passphrase("words")))
      other.lock()
      #expect(throws: VaultError(.wrongKey, "")) { try other.unlock(with: [.proven(key)]) }
      other.close()
    }
  }

  @Test("a key is read back through its descriptor, and a wipe reaches every holder of the descriptor")
  func outlivesItsMapping() async throws {
    try await withVault { _, key in
      let moment = BootTime(nanoseconds: 77)
      let passed = try passed(key, used: moment)
      let other = fcntl(passed.descriptor, F_DUPFD_CLOEXEC, 3)
      let memory = try #require(RestartMemory(taking: passed.descriptor))
      #expect(memory.lastUsed == moment)
      #expect(try copy(try #require(memory.key())) == copy(key))
      memory.wipe()
      let seen = try #require(RestartMemory(taking: other))
      #expect(try copy(try #require(seen.key())).allSatisfy { $0 == 0 })
    }
  }

  @Test("the memory can neither be reopened through /proc nor read through its descriptor")
  func cannotBeReopened() throws {
    let memory = try #require(RestartMemory())
    let again = open("/proc/self/fd/\(memory.descriptor)", O_RDWR | O_CLOEXEC)
    #expect(again < 0)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(pread(memory.descriptor, &bytes, 8, 0) < 0)
  }

  @Test("a kept key is restored only within the idle time, and only if the configuration allows it")
  func isTakenBack() async throws {
    try await withVault { _, key in
      let clock = ManualClock()
      let used = clock.now
      clock.advance(by: .seconds(60))
      let cases: [(isOn: Bool, idle: Duration?, isTaken: Bool)] = [
        (true, nil, true), (true, .seconds(61), true), (true, .seconds(60), false), (false, nil, false),
      ]
      for (isOn, idle, isTaken) in cases {
        let restart = RestartKey(clock: clock, logger: Self.logger)
        let passed = try passed(key, used: used)
        let other = fcntl(passed.descriptor, F_DUPFD_CLOEXEC, 3)
        let back = restart.takeBack([passed], isOn: isOn, idleTime: idle)
        #expect(back?.slot == (isTaken ? key.slot : nil))
        #expect(restart.lastUsed == (isTaken ? used : nil))
        let seen = try #require(RestartMemory(taking: other)?.key())
        #expect(try copy(seen).contains { $0 != 0 } == isTaken, "what is refused is wiped")
        if isTaken {
          restart.keepOnly([key.slot])
          #expect(restart.lastUsed != nil)
          restart.keepOnly(["another"])
        }
        #expect(restart.lastUsed == nil)
      }
    }
  }

  @Test("a passed descriptor that is not a restart key is closed and ignored")
  func refusesOthers() throws {
    let restart = RestartKey(clock: ManualClock(), logger: Self.logger)
    let wrong = open("/dev/null", O_RDWR | O_CLOEXEC)
    #expect(
      restart.takeBack([PassedSocket(descriptor: wrong, name: RestartKey.name)], isOn: true, idleTime: nil) == nil)
    #expect(fcntl(wrong, F_GETFD) < 0)
    let socket = PassedSocket(descriptor: 0, name: "agent")
    #expect(restart.takeBack([socket], isOn: true, idleTime: nil) == nil)
  }
}
