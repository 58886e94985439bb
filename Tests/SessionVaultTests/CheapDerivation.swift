import Synchronization

@testable import SessionVault

/// Real derivations at libsodium's minimum cost, counted. The closure given to `during` runs within
/// each one.
final class CheapDerivation: Sendable {
  static let cost = PassphraseCost(passes: 1, memory: 8192)

  private let counter = Atomic(0)
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  var count: Int { counter.load(ordering: .relaxed) }

  func during(_ body: (@Sendable () -> Void)?) { hook.withLock { $0 = body } }

  var derivation: PassphraseDerivation {
    PassphraseDerivation(
      derive: { [self] (passphrase, parameters) throws(VaultError) in
        counter.wrappingAdd(1, ordering: .relaxed)
        hook.withLock { $0 }?()
        return try PassphraseDerivation.argon2id.derive(passphrase, parameters)
      },
      newCost: { Self.cost })
  }
}

extension VaultFixture {
  static let thisMachine = MachineID(bytes: Array(1...16))

  var keySource: KeySource { .keyFile(path: keyFile, createIfMissing: true) }
  var credentialFile: String { folder + "/credentials/ritual-agent.vault-key" }
  var credential: KeySource { .credential(path: credentialFile) }

  /// Attaches a vault with cheap passphrases; the vault may not exist yet.
  func attach(
    _ storage: any VaultStorage, _ cheap: CheapDerivation = CheapDerivation(), machine: MachineID = thisMachine
  ) throws(VaultError) -> Vault {
    try Vault.attach(storage, machine, cheap.derivation)
  }

  /// Creates and opens a vault with a key file's slot.
  func make(_ storage: any VaultStorage, _ cheap: CheapDerivation = CheapDerivation()) throws(VaultError) -> Vault {
    let vault = try attach(storage, cheap)
    try vault.create(with: keySource)
    return vault
  }

  func writeCredential(_ bytes: [UInt8] = Array(0..<64)) throws {
    try makeFolder(folder + "/credentials")
    try writePrivate(bytes, to: credentialFile)
  }
}

func passphrase(_ text: String) throws(VaultError) -> KeySource { .passphrase(try Passphrase(text)) }
