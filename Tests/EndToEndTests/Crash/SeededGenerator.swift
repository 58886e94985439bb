import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014), which yields the same numbers for the same seed on every
/// machine.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The settings of the run, from the environment.
enum CrashSettings {
  /// Set by `script/test --long`: 1000 kills for each algorithm instead of 100.
  static let isLong = ProcessInfo.processInfo.environment["RITUAL_TEST_LONG"] != nil

  /// The numbers of kills at random moments and at system calls, for each algorithm.
  static let (randomKills, callKills) = isLong ? (400, 600) : (40, 60)

  /// The seed of every random choice. `RITUAL_TEST_SEED` repeats a run's choices, but not the
  /// machine's timing.
  static let seed =
    ProcessInfo.processInfo.environment["RITUAL_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
}
