import Glibc

/// Polls `condition` every 10 ms until it is true, or throws `ConditionTimeout` after `deadline`. For
/// conditions that offer no event to await (another process, a file). The default deadline suits a
/// machine that is four times busier than two cores that run all tests.
public func eventually(
  within deadline: Duration = .seconds(240), _ what: String,
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + deadline
  while true {
    if try await condition() { return }
    guard clock.now < end else { throw ConditionTimeout(what: what) }
    try await clock.sleep(for: .milliseconds(10))
  }
}

/// A condition that did not become true in time.
public struct ConditionTimeout: Error, CustomStringConvertible {
  /// The condition, in words.
  public let what: String

  /// Creates an error for a condition.
  public init(what: String) { self.what = what }

  /// The message that a failing test prints.
  public var description: String { "did not happen in time: \(what)" }
}
