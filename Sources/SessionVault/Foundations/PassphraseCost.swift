import CSodium

/// What one derivation by Argon2id takes: the time grows with the product, the memory is taken for as long as it runs.
public struct PassphraseCost: Sendable, Equatable {
  /// How often the memory is gone over (libsodium's opslimit).
  public let passes: UInt32
  /// In bytes (libsodium's memlimit).
  public let memory: UInt64

  /// crypto_pwhash_ALG_ARGON2ID13 (RFC 9106, version 0x13, one lane).
  static let algorithm: UInt8 = 2

  /// The least that is made: libsodium's INTERACTIVE, some 50 ms on a desktop.
  static let least = PassphraseCost(passes: 2, memory: 64 << 20)
  /// The most memory that is made: libsodium's MODERATE. More would keep small machines from opening the vault; more
  /// time goes into passes.
  static let mostMemoryMade: UInt64 = 256 << 20
  /// The most that is read: a header that somebody forged must not fill the memory (1 GiB: libsodium's SENSITIVE) or
  /// take minutes.
  static let mostMemory: UInt64 = 1 << 30
  static let mostPasses: UInt32 = 10
  /// Long enough to make guessing dear, short enough not to be waited for.
  static let target = Duration.milliseconds(500)

  /// Whether it is within the bounds of what is read; looked at before anything is allocated.
  var isWithinBounds: Bool { passes <= Self.mostPasses && memory <= Self.mostMemory }

  /// Whether libsodium takes it at all (crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN).
  var isPossible: Bool { passes >= crypto_pwhash_opslimit_min() && memory >= UInt64(crypto_pwhash_memlimit_min()) }

  /// The cost that takes about `target` on a machine where `least` takes `measured`: memory first, which is what makes
  /// guessing by graphics cards dear, then passes.
  static func fitting(_ measured: Duration) -> PassphraseCost {
    let factor = max(1, Self.target / max(measured, .microseconds(1)))
    let budget = factor * Double(least.memory) * Double(least.passes)
    var memory = least.memory
    while memory < mostMemoryMade, Double(2 * memory) * Double(least.passes) <= budget { memory *= 2 }
    let passes = min(Double(mostPasses), max(Double(least.passes), (budget / Double(memory)).rounded()))
    return PassphraseCost(passes: UInt32(passes), memory: memory)
  }
}
