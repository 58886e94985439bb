import Glibc

/// The seeds of the random tests.
enum TestSeeds {
  /// The seed from `RITUAL_TEST_SEED`, to replay one failure; nil for the default seeds.
  static let chosen: [UInt64]? = getenv("RITUAL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }.map { [$0] }
}
