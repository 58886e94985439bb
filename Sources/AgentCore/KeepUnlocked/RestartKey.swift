import AgentServer
import Glibc
import Logging
import SessionVault
import Synchronization
import SystemSupport

/// `[vault] keep_unlocked_over_restart`: the key of a vault that opens by a passphrase alone, in memory that the service
/// manager keeps for the next start (VA-4, docs/lock-and-sleep.md). Gone with a lock, and with a full stop. Safe from any thread.
final class RestartKey: Sendable {
  /// `FDNAME=`: what is passed under this name is no socket.
  static let name = "vault-key"

  private struct State {
    var memory: RestartMemory?
    /// The slot that the kept key opens.
    var slot: String?
  }

  private let notifier: Notifier
  private let clock: any AgentClock
  private let logger: Logger
  private let state = Mutex(State())

  init(_ notifier: Notifier = Notifier(), clock: any AgentClock, logger: Logger) {
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// Why no key can be kept; nil if it can.
  var obstacle: String? {
    if !notifier.isHeard { return "no service manager keeps the key; start the agent as its unit" }
    if !RestartMemory.isAvailable {
      return "the kernel has no memfd_secret(2) (Linux 6.5 or later, or secretmem.enable=1 on its command line)"
    }
    return nil
  }

  /// When the vault was used last before this start; nil where no key is kept.
  var used: BootTime? { state.withLock { $0.memory?.used } }

  /// Takes what the manager passed, of which the first counts. The key of a vault that was used within `idleTime`, else nil
  /// and it is gone.
  func takeBack(_ passed: [PassedSocket], isOn: Bool, idleTime: Duration?) -> ProvenKey? {
    let descriptors = passed.filter { $0.name == Self.name }.map(\.descriptor)
    guard let first = descriptors.first else { return nil }
    for surplus in descriptors.dropFirst() { close(surplus) }
    guard let memory = RestartMemory(taking: first), let key = memory.key() else {
      drop("it is not what was kept")
      return nil
    }
    state.withLock { $0 = State(memory: memory, slot: key.slot) }
    guard isOn else { return refuse("keep_unlocked_over_restart is off") }
    // Of this boot: the manager has kept it in memory. A time to come was not written by an agent.
    let unused = memory.used.duration(to: clock.now)
    guard unused >= .zero, idleTime.map({ unused < $0 }) ?? true else {
      return refuse("nobody used the vault meanwhile")
    }
    return key
  }

  private func refuse(_ reason: String) -> ProvenKey? {
    forget(reason)
    return nil
  }

  /// Hands `key` to the manager.
  func keep(_ key: ProvenKey) {
    if let obstacle {
      return logger.warning("the vault will be locked after a restart", metadata: ["reason": "\(obstacle)"])
    }
    forget(nil)
    guard let memory = RestartMemory(), memory.write(key) else {
      return logger.warning(
        "the vault will be locked after a restart: no memory could be set aside", metadata: ["errno": "\(errno)"])
    }
    memory.used = clock.now
    state.withLock { $0 = State(memory: memory, slot: key.slot) }
    notifier.keep(memory.descriptor, as: Self.name)
    logger.notice(
      "the service manager keeps the vault's key for a restart",
      metadata: ["memory": "memfd_secret"])
  }

  /// The vault was used, or is about to be left to the next start.
  func note(used: BootTime) { state.withLock { $0.memory?.used = used } }

  /// Forgets a key whose slot is not among these.
  func keepOnly(_ slots: [String]) {
    if let slot = state.withLock({ $0.slot }), !slots.contains(slot) { forget("it is no key of the vault any more") }
  }

  /// Overwrites the key, here and for the manager, and has it let go.
  func forget(_ reason: String?) {
    let memory = state.withLock { state in
      defer { state = State() }
      return state.memory
    }
    guard let memory else { return }
    memory.wipe()
    drop(reason)
  }

  private func drop(_ reason: String?) {
    notifier.drop(Self.name)
    if let reason {
      logger.info("the key that was kept for a restart is gone", metadata: ["reason": "\(reason)"])
    }
  }
}
