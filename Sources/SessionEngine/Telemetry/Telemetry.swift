package import AgentProtocol
package import Logging
package import SupabaseAuth
import Synchronization
package import SystemSupport

/// Counts events in memory since the agent's start. Bounded: every label has a fixed set of values,
/// and only the last single events are kept. Safe from any thread; never waits for more than
/// another count.
package final class Telemetry: Sendable {
  /// Maximum number of single events in `telemetry.snapshot`: some hours of a busy agent.
  static let maxRecent = 256

  private struct Series: Hashable {
    let event: String
    let labels: [String: String]
  }

  private struct State {
    var counts: [Series: UInt64] = [:]
    var refreshes: [String: UInt64] = [:]
    var durations: [AuthMethod: DurationHistogram] = [:]
    var recent: [TelemetryRecord] = []
    var egress = EgressCounters()
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
      if state.recent.count >= Self.maxRecent { state.recent.removeFirst() }
      state.recent.append(record)
    }
  }

  /// Counts a finished refresh. `outcome` is a `word` of `RefreshOutcome.summary`.
  package func countRefresh(_ outcome: String) { state.withLock { $0.refreshes[outcome, default: 0] += 1 } }

  /// Counts a request that the egress proxy sent with a token. `status` is that of the response; nil if
  /// there was none.
  package func countEgress(status: Int?) { state.withLock { $0.egress.count(status: status) } }

  /// Counts a request that the egress proxy answered itself, with the `kind` of its answer.
  package func countEgressRefusal(kind: String) { state.withLock { $0.egress.countRefusal(kind: kind) } }

  /// Counts a request that the egress proxy repeated with a newer token.
  package func countEgressRetry() { state.withLock { $0.egress.retries += 1 } }

  package func changeEgressConnections(by change: Int) { state.withLock { $0.egress.connections += change } }

  package func setEgressGrants(_ count: Int) { state.withLock { $0.egress.grants = count } }

  package var recent: [TelemetryRecord] { state.withLock { $0.recent } }

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
        help: "Time from the start of a sign-in to the stored session.",
        samples: state.durations.sorted { $0.key.rawValue < $1.key.rawValue }
          .flatMap { $1.samples(["method": $0.rawValue]) }),
      MetricFamily(
        "ritual_refreshes", type: "counter", help: "Completed refreshes, by outcome.",
        samples: state.refreshes.map { .init("_total", ["outcome": $0.key], Double($0.value)) }.sorted()),
    ] + state.egress.families
  }

  private static let helps = [
    ("auth_method_selected", "Sign-in methods selected."),
    ("auth_started", "Sign-ins started."),
    ("auth_completed", "Sign-ins completed."),
    ("auth_failed", "Failed sign-ins, by error kind."),
    ("auth_cancelled", "Sign-ins cancelled."),
    ("token_refresh_attempted", "Refreshes attempted, by reason."),
    ("token_refresh_failed", "Failed refreshes, by error kind."),
    ("account_linked", "Identities linked to an account."),
  ]
}

extension [MetricFamily.Sample] {
  /// Returns the samples in a stable order.
  fileprivate func sorted() -> [Element] {
    func key(_ sample: Element) -> String {
      sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
    return sorted { key($0) < key($1) }
  }
}

/// The class of a response's status (RFC 9110, section 15), or `none` if there was no response.
package enum StatusClass: String, Sendable, CaseIterable {
  case informational = "1xx"
  case successful = "2xx"
  case redirection = "3xx"
  case clientError = "4xx"
  case serverError = "5xx"
  case other
  case none

  package init(_ status: Int?) {
    guard let status else {
      self = .none
      return
    }
    switch status {
    case 100..<200: self = .informational
    case 200..<300: self = .successful
    case 300..<400: self = .redirection
    case 400..<500: self = .clientError
    case 500..<600: self = .serverError
    default: self = .other
    }
  }
}

struct EgressCounters: Sendable {
  /// Kinds of refusals that only the proxy has. All others are kinds of the error table.
  private static let ownKinds: Set<String> = ["badRequest", "misdirected", "notFound", "standInInvalid"]

  private var requests: [StatusClass: UInt64] = [:]
  private var refusals: [String: UInt64] = [:]
  var retries: UInt64 = 0
  var connections = 0
  var grants = 0

  mutating func count(status: Int?) { requests[StatusClass(status), default: 0] += 1 }

  mutating func countRefusal(kind: String) {
    let isKnown = Self.ownKinds.contains(kind) || ErrorKind.known.contains(ErrorKind(rawValue: kind))
    refusals[isKnown ? kind : "other", default: 0] += 1
  }

  var families: [MetricFamily] {
    [
      MetricFamily(
        "ritual_egress_requests", type: "counter",
        help: "Requests sent with a token by the egress proxy, by status of the response.",
        samples: requests.map { .init("_total", ["status": $0.key.rawValue], Double($0.value)) }.sorted()),
      MetricFamily(
        "ritual_egress_refusals", type: "counter", help: "Requests that the egress proxy answered itself, by kind.",
        samples: refusals.map { .init("_total", ["kind": $0.key], Double($0.value)) }.sorted()),
      MetricFamily(
        "ritual_egress_retries", type: "counter", help: "Requests that the egress proxy repeated with a newer token.",
        samples: [.init("_total", [:], Double(retries))]),
      MetricFamily(
        "ritual_egress_connections", type: "gauge", help: "Open connections of the egress proxy.",
        samples: [.init("", [:], Double(connections))]),
      MetricFamily(
        "ritual_egress_grants", type: "gauge", help: "Valid grants.", samples: [.init("", [:], Double(grants))]),
    ]
  }
}

/// A histogram of durations with cumulative buckets, as in OpenMetrics.
struct DurationHistogram: Sendable {
  /// Upper bounds in seconds: from a password sign-in, through the user's time at a provider's
  /// page, to the lifetime of a flow.
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

/// Metric families of the agent's current state, for `telemetry.snapshot`.
package enum AgentMetrics {
  package static func families(_ status: AgentStatusMethod.Result, served: [TokenDelivery: UInt64]) -> [MetricFamily] {
    [
      MetricFamily(
        "ritual_build", type: "info", help: "The agent's version.",
        samples: [.init("_info", ["version": status.version], 1)]),
      MetricFamily(
        "ritual_uptime_seconds", type: "gauge", unit: "seconds", help: "Time since the agent started.",
        samples: [.init("", [:], Double(status.uptime))]),
      stateSet("ritual_vault_state", "Whether the vault is unlocked.", vaultStates, status.vault.state),
      MetricFamily(
        "ritual_accounts", type: "gauge", help: "Accounts, by state.",
        samples: AccountState.known.map { state in
          .init("", ["state": state.rawValue], Double(status.accounts.count { $0.state == state }))
        }),
      MetricFamily(
        "ritual_tokens_served", type: "counter",
        help: "Access tokens issued or used, by delivery method.",
        samples: TokenDelivery.allCases.map { .init("_total", ["way": $0.rawValue], Double(served[$0] ?? 0)) }),
    ]
  }

  private static let vaultStates = ["open", "copied", "locked", "unavailable"]

  private static func stateSet(_ name: String, _ help: String, _ states: [String], _ state: String) -> MetricFamily {
    MetricFamily(
      name, type: "stateset", help: help, samples: states.map { .init("", [name: $0], $0 == state ? 1 : 0) })
  }
}

/// How a token was issued.
package enum TokenDelivery: String, Sendable, CaseIterable {
  case token, events, credential
}

/// Names of journal events (`RITUAL_EVENT=`, docs/systemd.md). Stable, whatever the messages
/// become.
package enum JournalEvent: String, CaseIterable {
  case auditDamaged = "audit_damaged"
  case ready = "agent_ready"
  case stalled = "agent_stalled"
  case reloaded = "configuration_reloaded"
  case configurationRefused = "configuration_refused"
  case connectionRefused = "connection_refused"
  case credentialRefused = "credential_refused"
  case refresh = "token_refresh"
  case refreshFailed = "token_refresh_failed"
  case sessionEnded = "session_ended"
  case signIn = "sign_in"
  case signInRefused = "sign_in_refused"
  case vaultDamaged = "vault_damaged"
  case vaultLocked = "vault_locked"
  case vaultRestored = "vault_restored"
  case vaultUnavailable = "vault_unavailable"
  case vaultUnlocked = "vault_unlocked"

  /// Adds the event name to the metadata of a log line.
  package func with(_ metadata: Logger.Metadata = [:]) -> Logger.Metadata {
    metadata.merging(["event": "\(rawValue)"]) { $1 }
  }
}

/// Why a refresh was started.
package enum RefreshReason: String, Sendable {
  /// The token is about to expire.
  case ahead
  /// A caller needs a token with a longer remaining lifetime.
  case demand
  /// A server refused the token.
  case rejected
  /// `session.refresh`.
  case forced
  /// The agent started and has to check whether the session is still valid.
  case start
  /// The previous attempt failed.
  case retry
  /// The machine is about to sleep, and the token could expire before it wakes.
  case sleep

  /// True if a caller waits for the refresh.
  var isAwaited: Bool {
    switch self {
    case .demand, .rejected, .forced: true
    case .ahead, .start, .retry, .sleep: false
    }
  }
}

/// A sign-in method in telemetry: a fixed set.
package enum AuthMethod: String, Sendable, CaseIterable {
  case apple, google
  /// Email and password.
  case email
  /// A code or a link by email.
  case code
  case phone, sso, anonymous
  case imported
  /// The sign-in page offers the choice.
  case page
  case other

  /// Every provider but Apple and Google is `other`, whatever its name.
  package init(_ provider: Provider) {
    let named: [Provider: AuthMethod] = [
      .apple: .apple, .google: .google, .email: .email, .phone: .phone, .sso: .sso, .anonymous: .anonymous,
    ]
    self = named[provider] ?? .other
  }
}

/// The telemetry events. Their values are numbers or from fixed sets, so they cannot carry
/// personal data.
package enum TelemetryEvent: Sendable {
  case authMethodSelected(AuthMethod)
  case authStarted(AuthMethod)
  case authCompleted(AuthMethod, Duration)
  case authFailed(AuthMethod, ErrorKind)
  case authCancelled(AuthMethod)
  case tokenRefreshAttempted(RefreshReason)
  case tokenRefreshFailed(ErrorKind)
  case accountLinked(AuthMethod)

  var name: String {
    switch self {
    case .authMethodSelected: "auth_method_selected"
    case .authStarted: "auth_started"
    case .authCompleted: "auth_completed"
    case .authFailed: "auth_failed"
    case .authCancelled: "auth_cancelled"
    case .tokenRefreshAttempted: "token_refresh_attempted"
    case .tokenRefreshFailed: "token_refresh_failed"
    case .accountLinked: "account_linked"
    }
  }

  /// The properties that are also labels of a counter.
  var labels: [String: String] {
    switch self {
    case .authMethodSelected(let method), .authStarted(let method), .authCompleted(let method, _),
      .authCancelled(let method), .accountLinked(let method):
      ["method": method.rawValue]
    case .authFailed(let method, let kind): ["method": method.rawValue, "error_type": Self.known(kind)]
    case .tokenRefreshAttempted(let reason): ["reason": reason.rawValue]
    case .tokenRefreshFailed(let kind): ["error_type": Self.known(kind)]
    }
  }

  var properties: [String: String] {
    guard case .authCompleted(_, let duration) = self else { return labels }
    return labels.merging(["duration_ms": "\(Int64((duration.seconds * 1000).rounded()))"]) { $1 }
  }

  /// Restricts a label to the kinds of the error table.
  private static func known(_ kind: ErrorKind) -> String {
    ErrorKind.known.contains(kind) ? kind.rawValue : ErrorKind.internalError.rawValue
  }

  /// The event for a sign-in that did not succeed.
  package static func ended(_ method: AuthMethod, _ error: AgentError) -> TelemetryEvent {
    error.kind == .cancelled ? .authCancelled(method) : .authFailed(method, error.kind)
  }
}
