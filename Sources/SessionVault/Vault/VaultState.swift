import Synchronization

/// The state of a vault behind its lock, which is held while the disk works, and what can be said of it without waiting for the
/// lock. Safe from any thread.
final class VaultState: Sendable {
  /// What was true when the lock was last released.
  struct View: Sendable {
    let condition: VaultCondition
    let damaged: [DamagedRecord]
    let memoryLocked: Bool
  }

  /// Changes whenever the view may have changed.
  private struct Stamp: Equatable {
    var door = VaultCondition.Door.closed
    var generation: UInt64 = 0
    var version: UInt32 = 0
    var isRekeying = false
    var isAuthenticated = false
    var damaged = 0
  }

  private let state: Mutex<Vault.State>
  private let latest: Mutex<(stamp: Stamp, view: View)>
  private let machine: MachineID

  init(_ state: Vault.State, _ machine: MachineID) {
    self.machine = machine
    latest = Mutex((Self.stamp(state), Self.view(state, machine)))
    self.state = Mutex(state)
  }

  /// Never waits for the disk.
  var view: View { latest.withLock { $0.view } }

  func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Vault.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) in
      defer { note(state) }
      return try body(&state)
    }
  }

  private func note(_ state: Vault.State) {
    let stamp = Self.stamp(state)
    guard latest.withLock({ $0.stamp != stamp }) else { return }
    let view = Self.view(state, machine)
    latest.withLock { $0 = (stamp, view) }
  }

  private static func stamp(_ state: Vault.State) -> Stamp {
    switch state {
    case .missing: Stamp(door: .missing)
    case .closed: Stamp()
    case .locked(let vault):
      Stamp(
        door: .locked, generation: vault.view.generation, version: vault.view.version,
        isAuthenticated: vault.isAuthenticated, damaged: vault.memory?.damaged.count ?? 0)
    case .open(let vault):
      Stamp(
        door: .open, generation: vault.headerFile.header.generation, version: vault.headerFile.version,
        isRekeying: vault.isRekeying, isAuthenticated: true, damaged: vault.damaged.count)
    }
  }

  private static func view(_ state: Vault.State, _ machine: MachineID) -> View {
    switch state {
    case .missing: View(.missing, nil, machine)
    case .closed: View(.closed, nil, machine)
    case .locked(let vault):
      View(
        condition: VaultCondition(
          .locked, vault.view, isAuthenticated: vault.isAuthenticated, machine: machine),
        damaged: vault.memory?.damaged ?? [], memoryLocked: true)
    case .open(let vault):
      View(
        condition: VaultCondition(
          .open, HeaderView(vault.headerFile), isAuthenticated: true, machine: machine, isRekeying: vault.isRekeying),
        damaged: vault.damaged, memoryLocked: vault.memoryLocked)
    }
  }
}

extension VaultState.View {
  fileprivate init(_ door: VaultCondition.Door, _ view: HeaderView?, _ machine: MachineID) {
    self.init(
      condition: VaultCondition(door, view, isAuthenticated: false, machine: machine), damaged: [], memoryLocked: true)
  }
}
