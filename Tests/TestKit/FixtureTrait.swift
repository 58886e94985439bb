public import Testing

/// Runs each test with a fixture that begins and ends with it, so that the test itself is not a closure.
public struct FixtureTrait: TestTrait, SuiteTrait, TestScoping {
  /// Each test of a suite has a fixture of its own.
  public let isRecursive = true
  private let scope: Scope

  /// Runs a test while the fixture exists.
  public typealias Scope = @Sendable (_ test: @Sendable () async throws -> Void) async throws -> Void

  /// Creates a trait from what surrounds a test.
  public init(_ scope: @escaping Scope) { self.scope = scope }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await scope(function)
  }
}

/// The fixture of the running test. Its tasks have it, too; threads and event loops do not.
public struct TestFixture<Fixture: Sendable>: Sendable {
  private let local = TaskLocal<Fixture?>(wrappedValue: nil)

  public init() {}

  public var current: Fixture {
    guard let fixture = local.get() else { preconditionFailure("the test has no trait that makes a \(Fixture.self)") }
    return fixture
  }

  /// A trait that runs each test with the fixture that `scope` passes to its argument.
  public func trait(
    _ scope: @escaping @Sendable (_ body: @Sendable (Fixture) async throws -> Void) async throws -> Void
  ) -> FixtureTrait {
    FixtureTrait { test in try await scope { try await run($0, test) } }
  }

  /// Runs `test` with `fixture`.
  public func run(_ fixture: Fixture, _ test: @Sendable () async throws -> Void) async throws {
    try await local.withValue(fixture) { try await test() }
  }
}
