import AccessControl
import AgentProtocol
import AgentServer

/// `vault.*`
extension MethodTable {
  mutating func addVaultMethods(_ services: Services) {
    let vault = services.vault
    add(VaultStatus.self, policy: .none("shows the vault"), cost: .memory) { _, _ in try await vault.status() }
    add(VaultLock.self, policy: .none("takes from everybody, gives nobody"), cost: .disk) { _, _ in
      try await vault.lock(.manual)
    }
    add(VaultUnlock.self, policy: .none("needs a key"), cost: .keys) { params, _ in
      VaultUnlock.Result(key: VaultKey(try await vault.unlock(by: params)))
    }
    add(VaultAddKey.self, policy: .none("needs a key"), cost: .keys) { params, _ in try await vault.addKey(params) }
    add(VaultRemoveKey.self, policy: .none("needs a key"), cost: .keys) { params, _ in
      try await vault.removeKey(params)
      return Empty()
    }
    add(VaultRekey.self, policy: .none("needs a key"), cost: .keys) { params, _ in try await vault.rekey(params) }
    add(VaultVerify.self, policy: .none("reads the vault's files"), cost: .files) { _, _ in try await vault.verify() }
    add(VaultAdopt.self, policy: .none("a person says that this machine is the one"), cost: .disk) { _, _ in
      try await vault.adopt()
    }
  }
}
