import Glibc

/// The seeds that a run of random tests plays.
enum TestSeeds {
  /// What `RITUAL_TEST_SEED` asks for, to see one failure again; nil for the usual ones.
  static let chosen: [UInt64]? = getenv("RITUAL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }.map { [$0] }
}
