import AgentProtocol
import SystemSupport

/// How a flow ends: settled once, awaited by any number of tasks. Safe from any thread.
final class FlowOutcome: Sendable {
  typealias Value = Result<SignInResult, AgentError>

  private let value = SettledValue<Value>()

  /// Nil while the flow runs.
  var settled: Value? { value.settled }

  /// Only the first call has an effect.
  func settle(_ value: Value) { self.value.settle(value) }

  /// Returns when the flow has ended; `cancelled` at once when the waiting task is cancelled. Nil at the deadline.
  func wait(until deadline: Deadline) async -> Value? {
    do {
      return try await value.wait(until: deadline)
    } catch {
      return error == .timedOut ? nil : .failure(AgentError(.cancelled))
    }
  }

  /// Returns when the flow has ended; `cancelled` at once when the waiting task is cancelled.
  func wait() async -> Value {
    do { return try await value.wait() } catch { return .failure(AgentError(.cancelled)) }
  }
}
