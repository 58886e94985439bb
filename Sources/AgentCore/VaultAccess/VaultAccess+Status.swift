import AccessControl
import AgentProtocol
import Logging
import SessionEngine
import SessionVault
import SystemSupport

/// The status of the vault, its verification, and its adoption by this machine.
extension VaultAccess {
  /// The vault's part of `agent.status`.
  func summary() -> VaultSummary {
    switch attached {
    case .failure(let error): return VaultSummary(state: "unavailable", protection: error.data.hint, error: error.kind)
    case .success(let attached):
      let state = stateName(attached)
      let protection = state == "unavailable" ? refusal?.data.hint : attached.vault.condition.protection.first
      return VaultSummary(
        state: state, openedBy: openedBy.map { "\($0)" }, protection: protection, damaged: attached.store.damaged,
        error: state == "unavailable" ? refusal?.kind : nil)
    }
  }

  /// Problems and warnings about the vault.
  func complaints() -> [String] {
    switch attached {
    case .failure(let error): return [error.shown]
    case .success(let attached):
      let complaints = [refusal?.shown, copyComplaint(attached), idleComplaint(attached), restartComplaint()]
      var found = complaints.compactMap { $0 }
      if let error = attached.store.memoryLockError { found.append(VaultMessages.unlockedMemory(errno: error)) }
      return found + attached.vault.damaged.map(Self.complaint(about:))
    }
  }

  private static func complaint(about record: DamagedRecord) -> String {
    guard record.setAsideAs == nil else { return "the record \(record.file) was damaged and set aside" }
    return "the record \(record.file) cannot be used: \(record.reason)"
  }

  /// Returns when the sessions, the vault and its thread have each responded, for the watchdog. A
  /// part that hangs makes this hang.
  func respond() async {
    await accounts.respond()
    guard case .success(let attached) = attached else { return }
    // A locked vault responds with an error.
    _ = try? await attached.store.run { $0.names() }
  }

  func status() throws(AgentError) -> VaultStatus.Result {
    let attached = try attached.get()
    let condition = attached.vault.condition
    return VaultStatus.Result(
      state: stateName(attached), lockedBy: state.cause?.rawValue, openedBy: openedBy.map { VaultKeyKind($0) },
      keys: condition.keys.map { VaultKey($0) }, generation: condition.generation, machine: condition.machine.word,
      isAuthenticated: condition.isAuthenticated, isRekeying: condition.isRekeying,
      damaged: attached.vault.damaged.map { VaultFinding($0) }, protection: condition.protection,
      isMemoryLocked: attached.vault.memoryLocked,
      memoryWarning: attached.vault.memoryLockError.map { VaultMessages.unlockedMemory(errno: $0) },
      idleLock: idleTime().map { Int($0.components.seconds) })
  }

  /// Verifies every file against the keys.
  func verify() async throws(AgentError) -> VaultVerify.Result {
    let attached = try attached.get()
    let files = try await keyWork.run { try attached.vault.verify().map { VaultFinding($0) } }
    // Foreign files, and files that were set aside long ago, are shown but are no fault of the
    // vault.
    return VaultVerify.Result(
      isWhole: files.allSatisfy { ["ok", "foreign", "setAside"].contains($0.state) }, files: files)
  }

  /// Makes the vault belong to this machine, so that its sessions are refreshed here. The gate
  /// keeps a lock from coming in between.
  func adopt() async throws(AgentError) -> VaultAdopt.Result {
    let attached = try attached.get()
    await gate.enter()
    defer { gate.leave() }
    try await accounts.requireOpen()
    let wasElsewhere = try isElsewhere
    try await attached.store.adopt()
    let adopted = await accounts.adoptCopied()
    if wasElsewhere { try await revocations.restore() }
    records.record(.vaultAdopted)
    logger.notice("the vault was adopted")
    return VaultAdopt.Result(accounts: adopted)
  }

  private var openedBy: KeySlotKind? { if case .open(let kind) = state { kind } else { nil } }

  private func stateName(_ attached: AttachedVault) -> String {
    if !state.isOpen { return refusal == nil ? "locked" : "unavailable" }
    return attached.vault.condition.machine == .other ? "copied" : "open"
  }

  private func copyComplaint(_ attached: AttachedVault) -> String? {
    guard stateName(attached) == "copied" else { return nil }
    return
      "the vault was copied from another machine, so nothing is refreshed: two machines with one session sign each "
      + "other out. If the other machine no longer uses it: ritualctl vault adopt"
  }

  private func idleComplaint(_ attached: AttachedVault) -> String? {
    guard idleTime() != nil, attached.vault.condition.opensByFile else { return nil }
    let keys = attached.vault.condition.keys.map { VaultKey($0) }
    let others = keys.filter { $0.kind != .passphrase }
    let command = others.count == keys.count ? "add-key --passphrase" : "remove-key \(others[0].id)"
    return
      "idle_lock has no effect: with a key file or credential, any of your programs could unlock the vault. Use a "
      + "passphrase instead: ritualctl vault \(command)"
  }
}

extension AgentError {
  fileprivate var shown: String { data.hint.map { "\(message) \($0)" } ?? message }
}

enum VaultDiagnosis {
  /// The check of the vault's state.
  ///
  /// - Parameter complaints: the problems of the vault in `agent.status`.
  static func check(_ vault: VaultSummary, complaints: [String]) -> DiagnosticCheck {
    func failed(_ words: String, _ next: String) -> DiagnosticCheck {
      DiagnosticCheck("vault", .fail, words, next: next)
    }
    switch vault.state {
    case "open":
      let words = (["unlocked (\(vault.openedBy ?? "key"))."] + [vault.protection].compactMap { $0 }).joined(
        separator: " ")
      return DiagnosticCheck(
        "vault", complaints.isEmpty ? .ok : .warn, words,
        next: complaints.isEmpty ? nil : complaints.joined(separator: "; "))
    case "locked": return failed("locked: no tokens are issued", "ritualctl unlock")
    case "copied":
      return failed(
        "copied from another machine: nothing is refreshed",
        "if the other machine no longer uses it: ritualctl vault adopt")
    default: return failed("cannot be opened", vault.protection ?? "ritualctl vault verify")
    }
  }

  /// One row for each copy that was damaged or missing since the agent started.
  static func checks(_ restored: [RestoredCopy]) -> [DiagnosticCheck] {
    restored.map { copy in
      let file = ForeignText.shown(copy.file)
      let reason = ForeignText.shown(copy.reason)
      guard let failure = copy.failure else {
        return DiagnosticCheck(
          "copies", .warn, "\(file): \(reason); restored from its other copy",
          next: "check the disk, and look for a program that changes these files")
      }
      return DiagnosticCheck(
        "copies", .fail, "\(file): \(reason); not restored: \(ForeignText.shown(failure))",
        next: "fix this, then restart the agent")
    }
  }
}
