import AgentProtocol
import AgentServer

/// `vault.*`
extension MethodTable {
  mutating func addVaultMethods(_ services: Services) {
    let vault = services.vault
    add(VaultStatus.self) { _, _ in try await vault.status() }
    add(VaultLock.self) { _, _ in try await vault.lock(.manual) }
    add(VaultUnlock.self) { params, _ in
      VaultUnlock.Result(key: VaultKey(try await vault.unlock(by: params)))
    }
    add(VaultAddKey.self) { params, _ in try await vault.addKey(params) }
    add(VaultRemoveKey.self) { params, _ in
      try await vault.removeKey(params)
      return Empty()
    }
    add(VaultRekey.self) { params, _ in try await vault.rekey(params) }
    add(VaultVerify.self) { _, _ in try await vault.verify() }
    add(VaultAdopt.self) { _, _ in try await vault.adopt() }
  }
}
