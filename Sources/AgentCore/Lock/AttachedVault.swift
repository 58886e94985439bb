import AgentProtocol
import FoundationEssentials
package import SessionEngine
package import SessionVault

package struct VaultPaths: Sendable {
  /// The key file, created with a new vault.
  let keyFile: String
  /// The systemd credential; nil if the agent was given none.
  let credential: String?
  package let state: String
  /// The key file that is not used because XDG_DATA_HOME names another directory; nil if there is none.
  var otherKeyFile: String?

  /// An empty file that exists while the vault is locked manually.
  var manualLockNote: PrivateFile { PrivateFile(path: state + "/locked-by-hand") }
  var names: AccountNamesFile { AccountNamesFile(path: state + "/accounts") }

  /// The agent's own key file, which has two copies.
  func key(createIfMissing: Bool) -> KeySource {
    .keyFile(path: keyFile, createIfMissing: createIfMissing, isDoubled: true)
  }

  /// The files that may open a vault with these key slots.
  ///
  /// - Throws: `wrongKey` if the vault opens only by a credential and none was given.
  func files(opening condition: VaultCondition) throws(AgentError) -> [KeySource] {
    let kinds = Set(condition.keys.map(\.kind))
    var sources: [KeySource] = []
    if kinds.contains(.keyFile) { sources.append(key(createIfMissing: false)) }
    if kinds.contains(.credential), let credential { sources.append(.credential(path: credential)) }
    guard !sources.isEmpty else { throw Self.noCredential }
    return sources
  }

  /// The error of a start that `error` leaves with a locked vault.
  func refusal(_ error: VaultError) -> AgentError {
    var refusal = AgentError.from(vault: error)
    if error.code == .keyMissing, let otherKeyFile {
      refusal.data.hint =
        "XDG_DATA_HOME leads to \(keyFile), which is missing, and not to \(otherKeyFile): restart the agent without it"
    }
    return refusal
  }

  static let noCredential = AgentError(
    .wrongKey, "The agent has no systemd credential.",
    hint:
      "add LoadCredential= or LoadCredentialEncrypted= for ritual-agent.vault-key to the agent's unit and restart it: "
      + "man ritual-agentd")
}

/// A vault that this process holds, with its state after the start: open, or locked with a cause.
package struct AttachedVault: Sendable {
  package let vault: Vault
  package let store: SessionStore
  package let places: VaultPaths
  /// The kind of the key that opened the vault; nil if the vault stayed locked.
  let openedBy: KeySlotKind?
  /// The cause of the lock, if the vault stayed locked.
  let cause: LockCause
  /// The error that keeps the vault closed, if the vault has no passphrase or no key would help.
  let refusal: AgentError?

  /// Creates a missing vault with a key file. An existing vault is opened by a key file or
  /// credential, or else by `kept`, unless it was locked manually. Records are read by the store. Blocks.
  ///
  /// - Throws: if there is no vault and none can be created.
  init(_ vault: Vault, _ places: VaultPaths, kept: ProvenKey? = nil) throws(VaultError) {
    self.vault = vault
    self.places = places
    store = SessionStore(vault, names: places.names)
    var (openedBy, cause, refusal): (KeySlotKind?, LockCause, AgentError?) = (nil, .start, nil)
    if vault.condition.lockState == .missing {
      // The note of an earlier vault does not apply to this one.
      try? places.manualLockNote.remove()
      try vault.create(with: places.key(createIfMissing: true))
      openedBy = .keyFile
    } else if places.manualLockNote.exists {
      cause = .manual
    } else if vault.condition.opensByFile {
      do {
        openedBy = try vault.unlock(with: try places.files(opening: vault.condition), readsRecords: false).kind
      } catch let error as VaultError {
        refusal = vault.condition.needsMore(than: error) ? nil : places.refusal(error)
      } catch {
        refusal = vault.condition.hasPassphrase ? nil : VaultPaths.noCredential
      }
    } else if let kept {
      // A kept key that no longer opens the vault is ignored.
      openedBy = try? vault.unlock(with: [.proven(kept)], readsRecords: false).kind
    }
    (self.openedBy, self.cause, self.refusal) = (openedBy, cause, refusal)
  }
}

extension VaultCondition {
  /// True if a key file or a credential opens the vault, without a person and for any program of
  /// the user.
  var opensByFile: Bool { keys.contains { [.keyFile, .credential].contains($0.kind) } }

  var hasPassphrase: Bool { keys.contains { $0.kind == .passphrase } }

  /// True if only the key is missing or wrong, and a passphrase would open the vault.
  fileprivate func needsMore(than error: VaultError) -> Bool {
    hasPassphrase && [.keyMissing, .wrongKey].contains(error.code)
  }
}
