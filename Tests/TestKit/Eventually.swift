import Glibc

/// Polls `condition` until it holds, or throws `Overdue` after `deadline`. For what offers no event to await
/// (another process, a file); the poll is short, so a test takes as long as the thing itself. The deadline is for a
/// machine with two cores and all tests on them that is four times busier than that.
public func eventually(
  within deadline: Duration = .seconds(240), _ what: String,
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + deadline
  while true {
    if try await condition() { return }
    guard clock.now < end else { throw Overdue(what: what) }
    try await clock.sleep(for: .milliseconds(10))
  }
}

/// A condition that did not come true in time.
public struct Overdue: Error, CustomStringConvertible {
  /// What was awaited, in words.
  public let what: String

  /// Says that `what` did not happen.
  public init(what: String) { self.what = what }

  /// The words that a failing test prints.
  public var description: String { "did not happen in time: \(what)" }
}
