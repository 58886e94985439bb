/// What can be said of a vault at any time, also while it is locked.
public struct VaultCondition: Sendable, Equatable {
  /// Whether records can be used.
  public enum Door: Sendable, Equatable {
    /// There is no vault yet: `make(with:)` makes one.
    case missing
    /// No key is in memory: `unlock(with:)`.
    case locked
    /// Records can be read and written.
    case open
    /// `close()` was called.
    case closed
  }

  /// Whether records can be used.
  public let door: Door
  /// Whether what follows was held against the master key since the vault was attached. If not, anybody who can write
  /// to the folder could have made it up: good for showing, and for choosing which key to ask for, and for nothing
  /// else.
  public let isAuthenticated: Bool
  /// The header's version: 1 until an old vault is opened for the first time; 0 if there is none.
  public let headerVersion: UInt32
  /// The number of the header, which rises with every change of keys; 0 if there is none.
  public let generation: UInt64
  /// The key slots, in the order in which they were added.
  public let keys: [KeySlotInfo]
  /// Whether the vault is at home here.
  public let machine: VaultMachine
  /// Whether a new master key was made and not every record has it yet: it goes on at the next `unlock` or `rekey`.
  /// Always false while locked.
  public let isRekeying: Bool

  init(_ door: Door, _ view: HeaderView?, isAuthenticated: Bool, machine: MachineID, isRekeying: Bool = false) {
    self.door = door
    self.isAuthenticated = isAuthenticated
    headerVersion = view?.version ?? 0
    generation = view?.generation ?? 0
    keys = view?.slots.map(KeySlotInfo.init) ?? []
    self.machine =
      view.flatMap { view in view.machine.map { VaultMachine($0, here: MachineTag(machine, vaultID: view.vaultID)) } }
      ?? .unknown
    self.isRekeying = isRekeying
  }
}
