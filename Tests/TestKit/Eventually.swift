import Glibc

/// Polls `condition` every 10 ms until it is true, or throws `ConditionTimeout` after `limit`. For conditions that
/// offer no event to await (another process, a file). On a machine that is too busy to poll, the limit is later.
public func eventually(
  within limit: Duration = .seconds(30), _ what: String,
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  // Half a minute of polls on an idle machine. Where each takes longer, because all tests run on it, they
  // have more time.
  let minPolls = 3000
  let clock = ContinuousClock()
  let end = clock.now + limit
  var polls = 0
  while polls < minPolls || clock.now < end {
    if try await condition() { return }
    polls += 1
    try await clock.sleep(for: .milliseconds(10))
  }
  throw ConditionTimeout(what: what)
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
