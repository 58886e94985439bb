import AgentProtocol
import CSystemd
import Glibc
import SessionVault
import SystemSupport

enum VaultMessages {
  /// The warning that keys may reach swap, with what refused mlock(2), and the remedy.
  ///
  /// - Parameter limit: RLIMIT_MEMLOCK in bytes.
  static func unlockedMemory(errno: Int32, limit: UInt64 = memoryLockLimit) -> String {
    // Without any limit left, mlock(2) fails with EPERM too, as in a filter of system calls.
    let isFilter = ![ENOMEM, EAGAIN].contains(errno) && limit > 0
    let remedy =
      isFilter
      ? "a filter of system calls refuses it (SystemCallFilter=, a container's seccomp profile)"
      : "raise RLIMIT_MEMLOCK (LimitMEMLOCK= of the unit, or ulimit -l)"
    return "the vault's keys may be swapped to disk (mlock: \(errorDescription(errno))): \(remedy)"
  }

  private static var memoryLockLimit: UInt64 {
    var limit = UInt64.max
    _ = ritual_soft_limit(Int32(__RLIMIT_MEMLOCK.rawValue), &limit)
    return limit
  }
}

extension VaultSummary {
  /// The protection of the default key file. `status`, `doctor` and the README use the same text.
  static let keyFileProtection =
    "The key file protects copies of the state directory only, not backups of the whole home directory."
  static let passphraseProtection =
    "The passphrase protects all copies of the vault, on a stolen disk or in a backup, if it is hard to guess."
  static let credentialProtection =
    "The systemd credential protects copies and backups of the vault if systemd binds it to this machine (TPM or host "
    + "key)."
  /// The protection of a vault with more than one kind of key.
  static let weakestProtection = "Any one of the keys unlocks the vault, so the weakest key determines its protection."
}

extension VaultCondition {
  /// The protection of the vault's keys, one sentence for each kind.
  var protection: [String] {
    let kinds = Set(keys.map(\.kind))
    var words: [String] = []
    if kinds.contains(.keyFile) { words.append(VaultSummary.keyFileProtection) }
    if kinds.contains(.passphrase) { words.append(VaultSummary.passphraseProtection) }
    if kinds.contains(.credential) { words.append(VaultSummary.credentialProtection) }
    return kinds.count > 1 ? words + [VaultSummary.weakestProtection] : words
  }
}

extension VaultMachine {
  /// The name on the wire.
  var word: String {
    switch self {
    case .this: "this"
    case .other: "other"
    case .unknown: "unknown"
    }
  }
}

extension VaultKeyKind {
  init(_ kind: KeySlotKind) {
    switch kind {
    case .keyFile: self = .keyFile
    case .passphrase: self = .passphrase
    case .credential: self = .credential
    default: self.init(rawValue: "unknown")
    }
  }
}

extension VaultKey {
  init(_ slot: KeySlotInfo) {
    self.init(
      id: slot.id, kind: VaultKeyKind(slot.kind), passes: (slot.cost?.passes).map(Int.init(clamping:)),
      memory: (slot.cost?.memory).map(Int.init(clamping:)))
  }
}

extension VaultFinding {
  init(_ record: DamagedRecord) {
    self.init(
      file: ForeignText.shown(record.setAsideAs ?? record.file),
      state: record.setAsideAs == nil ? "unreadable" : "setAside",
      detail: ForeignText.shown(record.reason))
  }

  init(_ finding: FileFinding) {
    let file = ForeignText.shown(finding.file)
    switch finding.state {
    case .ok: self.init(file: file, state: "ok")
    case .damaged(let words): self.init(file: file, state: "damaged", detail: ForeignText.shown(words))
    case .newer(let version): self.init(file: file, state: "newer", detail: "format \(version)")
    case .unreadable(let words): self.init(file: file, state: "unreadable", detail: ForeignText.shown(words))
    case .setAside: self.init(file: file, state: "setAside")
    case .missing: self.init(file: file, state: "missing")
    case .foreign: self.init(file: file, state: "foreign")
    }
  }
}
