package import AgentProtocol
import Synchronization
package import SystemSupport

/// Counts what happens, in memory, since the agent's start. Bounded: every label is of a fixed set, and of single events
/// only the last are kept. Safe from any thread; it never waits for more than another count.
package final class Telemetry: Sendable {
  /// Single events that `telemetry.snapshot` shows: some hours of a busy agent.
  static let kept = 256

  private struct Series: Hashable {
    let event: String
    let labels: [String: String]
  }

  private struct State {
    var counts: [Series: UInt64] = [:]
    var refreshes: [String: UInt64] = [:]
    var durations: [AuthMethod: DurationHistogram] = [:]
    var recent: [TelemetryRecord] = []
  }

  private let clock: any AgentClock
  private let state = Mutex(State())

  package init(clock: any AgentClock) { self.clock = clock }

  package func count(_ event: TelemetryEvent) {
    let record = TelemetryRecord(at: clock.wall, event: event.name, properties: event.properties)
    state.withLock { state in
      state.counts[Series(event: event.name, labels: event.labels), default: 0] += 1
      if case .authCompleted(let method, let duration) = event {
        state.durations[method, default: DurationHistogram()].add(duration.seconds)
      }
      if state.recent.count >= Self.kept { state.recent.removeFirst() }
      state.recent.append(record)
    }
  }

  /// A refresh came to its end; `outcome` is one of the words of `RefreshOutcome.summary`.
  package func countRefresh(_ outcome: String) { state.withLock { $0.refreshes[outcome, default: 0] += 1 } }

  package var recent: [TelemetryRecord] { state.withLock { $0.recent } }

  /// The families of what was counted here.
  package var families: [MetricFamily] {
    let state = state.withLock { $0 }
    let events = Self.helps.map { event, help in
      let series = state.counts.filter { $0.key.event == event }
      return MetricFamily(
        "ritual_\(event)", type: "counter", help: help,
        samples: series.map { .init("_total", $0.key.labels, Double($0.value)) }.sorted())
    }
    return events + [
      MetricFamily(
        "ritual_auth_duration_seconds", type: "histogram", unit: "seconds",
        help: "From the start of a sign-in to the stored session.",
        samples: state.durations.sorted { $0.key.rawValue < $1.key.rawValue }
          .flatMap { $1.samples(["method": $0.rawValue]) }),
      MetricFamily(
        "ritual_refreshes", type: "counter", help: "Refreshes that came to their end, by outcome.",
        samples: state.refreshes.map { .init("_total", ["outcome": $0.key], Double($0.value)) }.sorted()),
    ]
  }

  private static let helps = [
    ("auth_method_selected", "Ways to sign in that were chosen."),
    ("auth_started", "Sign-ins that were begun."),
    ("auth_completed", "Sign-ins that brought a session."),
    ("auth_failed", "Sign-ins that failed, by the kind of error."),
    ("auth_cancelled", "Sign-ins that were given up."),
    ("token_refresh_attempted", "Refreshes that were begun, by what made them needed."),
    ("token_refresh_failed", "Refreshes that failed, by the kind of error."),
    ("account_linked", "Identities that came to an account."),
  ]
}

extension [MetricFamily.Sample] {
  /// In an order that does not change from snapshot to snapshot.
  fileprivate func sorted() -> [Element] {
    func key(_ sample: Element) -> String {
      sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
    return sorted { key($0) < key($1) }
  }
}

/// Durations in buckets whose counts grow with their bound, as OpenMetrics has them.
struct DurationHistogram: Sendable {
  /// Seconds: what a password takes, what a person takes at a provider's page, and up to the life of a flow.
  static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

  private var counts = [UInt64](repeating: 0, count: bounds.count + 1)
  private var sum = 0.0

  mutating func add(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }

  func samples(_ labels: [String: String]) -> [MetricFamily.Sample] {
    var total: UInt64 = 0
    var samples: [MetricFamily.Sample] = []
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
      samples.append(.init("_bucket", labels.merging(["le": bound]) { $1 }, Double(total)))
    }
    return samples + [.init("_count", labels, Double(total)), .init("_sum", labels, sum)]
  }
}
