/// How passphrases become keys, and how much that may cost: libsodium's Argon2id; a test counts or cheapens it.
struct PassphraseDerivation: Sendable {
  /// Blocks for as long as the cost says.
  let derive: @Sendable (Passphrase, PassphraseParameters) throws(VaultError) -> SecretBytes
  /// The cost for a new slot; measures, hence blocks too.
  let newCost: @Sendable () throws(VaultError) -> PassphraseCost

  static let argon2id = PassphraseDerivation(
    derive: { (passphrase, parameters) throws(VaultError) in
      try Sodium.passwordKey(passphrase.secret, salt: parameters.salt, cost: parameters.cost)
    },
    newCost: { () throws(VaultError) in
      let sample = try Passphrase("measuring")
      let parameters = PassphraseParameters(cost: .least)
      // The quicker of two: the first one also waits for fresh pages.
      var quickest = Duration.seconds(1000)
      for _ in 0..<2 {
        let start = ContinuousClock.now
        _ = try Sodium.passwordKey(sample.secret, salt: parameters.salt, cost: parameters.cost)
        quickest = min(quickest, start.duration(to: .now))
      }
      return .fitting(quickest)
    })

  /// The same, but `.locked` instead of a derivation that would begin when `isInterrupted`.
  func unless(_ isInterrupted: @escaping @Sendable () -> Bool) -> PassphraseDerivation {
    let check = { @Sendable () throws(VaultError) in
      if isInterrupted() { throw VaultError(.locked, "the vault was locked meanwhile: run `ritualctl unlock`") }
    }
    return PassphraseDerivation(
      derive: { [derive] (passphrase, parameters) throws(VaultError) in
        try check()
        return try derive(passphrase, parameters)
      },
      newCost: { [newCost] () throws(VaultError) in
        try check()
        return try newCost()
      })
  }

  /// The key for `parameters`, unless they ask for too much.
  func key(_ passphrase: Passphrase, _ parameters: PassphraseParameters) throws(VaultError) -> SecretBytes {
    guard parameters.cost.isPossible, parameters.cost.isWithinBounds else {
      throw VaultError(
        .costRefused,
        "a passphrase slot asks for \(parameters.cost.passes) passes over \(parameters.cost.memory >> 20) MiB: the header was tampered with"
      )
    }
    return try derive(passphrase, parameters)
  }
}
