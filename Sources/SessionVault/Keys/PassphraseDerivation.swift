/// Derives keys from passphrases with libsodium's Argon2id, and decides the cost. Tests count or
/// cheapen the derivation.
struct PassphraseDerivation: Sendable {
  /// Derives a key. Blocks according to the cost.
  let derive: @Sendable (Passphrase, PassphraseParameters) throws(VaultError) -> SecretBytes
  /// Returns the cost for a new slot. Blocks while it measures.
  let newCost: @Sendable () throws(VaultError) -> PassphraseCost

  static let argon2id = PassphraseDerivation(
    derive: { (passphrase, parameters) throws(VaultError) in
      try Sodium.passwordKey(passphrase.secret, salt: parameters.salt, cost: parameters.cost)
    },
    newCost: { () throws(VaultError) in
      let sample = try Passphrase("measuring")
      let parameters = PassphraseParameters(cost: .minimum)
      // The minimum of two runs: the first run also pays for page faults.
      var quickest = Duration.seconds(1000)
      for _ in 0..<2 {
        let start = ContinuousClock.now
        _ = try Sodium.passwordKey(sample.secret, salt: parameters.salt, cost: parameters.cost)
        quickest = min(quickest, start.duration(to: .now))
      }
      return .fitting(quickest)
    })

  /// Returns a derivation that throws `.locked` instead of starting while `isInterrupted` returns
  /// true.
  func unless(_ isInterrupted: @escaping @Sendable () -> Bool) -> PassphraseDerivation {
    let check = { @Sendable () throws(VaultError) in
      if isInterrupted() {
        throw VaultError(.locked, "the vault was locked during the operation: run `ritualctl unlock`")
      }
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

  /// Returns the key for `parameters`. Throws `.costRefused` if their cost is out of bounds.
  func key(_ passphrase: Passphrase, _ parameters: PassphraseParameters) throws(VaultError) -> SecretBytes {
    guard parameters.cost.isPossible, parameters.cost.isWithinBounds else {
      throw VaultError(
        .costRefused,
        "a passphrase slot requires \(parameters.cost.passes) passes over \(parameters.cost.memory >> 20) MiB: "
          + "the header was tampered with"
      )
    }
    return try derive(passphrase, parameters)
  }
}
