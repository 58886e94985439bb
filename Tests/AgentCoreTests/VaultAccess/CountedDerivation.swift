import Dispatch
import Synchronization
import SystemSupport

@testable import SessionVault

/// Counts derivations at the lowest cost that libsodium accepts. After `hold` each of them waits
/// for `release`.
final class CountedDerivation: Sendable {
  private let counter = Atomic(0)
  private let holds = Atomic(false)
  private let gate = DispatchSemaphore(value: 0)

  var count: Int { counter.load(ordering: .sequentiallyConsistent) }

  func hold() { holds.store(true, ordering: .sequentiallyConsistent) }

  /// Releases up to `count` waiting derivations, and all later ones.
  func release(_ count: Int = 10) {
    holds.store(false, ordering: .sequentiallyConsistent)
    for _ in 0..<count { gate.signal() }
  }

  var derivation: PassphraseDerivation {
    PassphraseDerivation(
      derive: { [self] (passphrase, parameters) throws(VaultError) in
        counter.wrappingAdd(1, ordering: .sequentiallyConsistent)
        if holds.load(ordering: .sequentiallyConsistent) { gate.wait() }
        return try PassphraseDerivation.argon2id.derive(passphrase, parameters)
      },
      newCost: { PassphraseCost(passes: 1, memory: 8192) })
  }
}
