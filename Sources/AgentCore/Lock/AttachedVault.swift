import AgentProtocol
import FoundationEssentials
package import SessionEngine
package import SessionVault

/// Where the keys and notes of a vault lie.
package struct VaultPlaces: Sendable {
  /// The key file, made with a new vault.
  let keyFile: String
  /// The systemd credential; nil where the agent was given none.
  let credential: String?
  /// The state folder.
  package let state: String

  /// Exists while the vault is locked manually. It is empty.
  var manualLockNote: PrivateFile { PrivateFile(path: state + "/locked-by-hand") }
  /// The accounts' names.
  var names: AccountNamesFile { AccountNamesFile(path: state + "/accounts") }

  /// The agent's own key file, which has two copies.
  func key(createIfMissing: Bool) -> KeySource {
    .keyFile(path: keyFile, createIfMissing: createIfMissing, isDoubled: true)
  }

  /// The files that may open a vault with these slots.
  ///
  /// - Throws: `wrongKey` where it opens by a credential alone, and none was given.
  func files(opening condition: VaultCondition) throws(AgentError) -> [KeySource] {
    let kinds = Set(condition.keys.map(\.kind))
    var sources: [KeySource] = []
    if kinds.contains(.keyFile) { sources.append(key(createIfMissing: false)) }
    if kinds.contains(.credential), let credential { sources.append(.credential(path: credential)) }
    guard !sources.isEmpty else { throw Self.noCredential }
    return sources
  }

  static let noCredential = AgentError(
    .wrongKey, "The agent was given no systemd credential.",
    hint:
      "the agent's unit needs LoadCredential= or LoadCredentialEncrypted= for ritual-agent.vault-key, and a restart: "
      + "docs/how-to-vault-key-from-a-credential.md")
}

/// A vault that this process holds, as its start found it: open, or locked and why.
package struct AttachedVault: Sendable {
  package let vault: Vault
  package let store: SessionStore
  package let places: VaultPlaces
  /// What opened it; nil where it stayed locked.
  let openedBy: KeySlotKind?
  /// Why it stayed locked.
  let cause: LockCause
  /// What keeps a vault closed that has no passphrase to ask for, or that no key would help.
  let refusal: AgentError?

  /// Makes a new vault with a key file; opens one that a key file or credential opens, or else `kept`, unless it was locked
  /// manually. Blocks.
  ///
  /// - Throws: where there is no vault and none can be made.
  init(_ vault: Vault, _ places: VaultPlaces, kept: ProvenKey? = nil) throws(VaultError) {
    self.vault = vault
    self.places = places
    store = SessionStore(vault, names: places.names)
    var (openedBy, cause, refusal): (KeySlotKind?, LockCause, AgentError?) = (nil, .start, nil)
    if vault.condition.door == .missing {
      // A note of a vault that is gone says nothing about this one.
      try? places.manualLockNote.remove()
      try vault.make(with: places.key(createIfMissing: true))
      openedBy = .keyFile
    } else if places.manualLockNote.exists {
      cause = .manual
    } else if vault.condition.opensByFile {
      do {
        openedBy = try vault.unlock(with: try places.files(opening: vault.condition)).kind
      } catch let error as VaultError {
        refusal = vault.condition.needsMore(than: error) ? nil : AgentError.from(vault: error)
      } catch {
        refusal = vault.condition.hasPassphrase ? nil : VaultPlaces.noCredential
      }
    } else if let kept {
      // One that does not open any more is as good as none.
      openedBy = try? vault.unlock(with: [.proven(kept)]).kind
    }
    (self.openedBy, self.cause, self.refusal) = (openedBy, cause, refusal)
  }
}

extension VaultCondition {
  /// Whether a key file or a credential opens the vault: without a person, and for any program of the user.
  var opensByFile: Bool { keys.contains { [.keyFile, .credential].contains($0.kind) } }

  var hasPassphrase: Bool { keys.contains { $0.kind == .passphrase } }

  /// Whether the vault is whole, as far as is known, and a passphrase would open it.
  fileprivate func needsMore(than error: VaultError) -> Bool {
    hasPassphrase && [.keyMissing, .wrongKey].contains(error.code)
  }
}
