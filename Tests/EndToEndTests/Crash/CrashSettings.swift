import Foundation

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
