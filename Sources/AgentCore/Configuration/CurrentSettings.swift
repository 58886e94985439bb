import AgentConfiguration
import AgentProtocol
import Synchronization
import SystemSupport

/// The configuration that holds now; a reload replaces it whole, or is refused and leaves it. Safe from any thread.
final class CurrentSettings: Sendable {
  private struct State {
    var configuration: Configuration
    var refusal: String?
  }

  private let state: Mutex<State>

  init(_ configuration: Configuration) { state = Mutex(State(configuration: configuration)) }

  var current: Configuration { state.withLock { $0.configuration } }

  /// What was wrong with the file at the last reload; nil where it was taken.
  var refusal: String? { state.withLock { $0.refusal } }

  func replace(with new: Configuration) { state.withLock { $0 = State(configuration: new) } }

  /// The file was refused, by what `words` say; the old settings stay.
  func refuse(_ words: String) { state.withLock { $0.refusal = ForeignText.shown(words, limit: 1000) } }

  /// The line of `agent.status`.
  var complaints: [String] {
    refusal.map { ["the configuration was refused, the old settings stay: \($0); correct it, then: ritualctl reload"] }
      ?? []
  }
}
