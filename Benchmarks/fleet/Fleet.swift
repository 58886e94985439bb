import SessionEngine
import SupabaseAuth
import Synchronization
import SystemSupport

/// Simulates agents in virtual time, each with one account, the agent's own `RefreshPolicy` and its
/// own `RequestBudgets`. Agents do not affect each other, so each is simulated from the start to the
/// end before the next one.
struct Fleet {
  /// The token lifetime of a Supabase project by default.
  static let life: Duration = .seconds(3600)

  /// The part of responses that are lost after the server has rotated the token, and the part of
  /// refreshes before which the agent restarts, which is about one restart a day.
  static let lostResponses = 0.001
  static let restarts = 0.04

  let scenario: Scenario
  /// Whether agents store a new refresh token. If not, each restart sends the first one again: a
  /// fault that must be counted as lost sessions.
  let areForgetful: Bool

  private let policy: RefreshPolicy
  private let random: @Sendable () -> Double
  /// Requests that the server answers, and requests during an outage, for each second.
  private(set) var load: [Int]
  private(set) var failed: [Int]
  /// Machines that wake up, for each second.
  private(set) var wakes: [Int]
  /// For each second, by how much the number of agents without a usable token changes.
  private var staleChanges: [Int]
  private(set) var lost = 0
  private(set) var count = 0

  init(_ scenario: Scenario, seed: UInt64, areForgetful: Bool = false) {
    let generator = Mutex(SplitMix(state: seed))
    random = { generator.withLock { $0.fraction() } }
    policy = RefreshPolicy(random: random)
    self.scenario = scenario
    self.areForgetful = areForgetful
    load = Array(repeating: 0, count: Int(scenario.end) + 1)
    (failed, wakes, staleChanges) = (load, load, load)
  }

  mutating func run(agents: Int) {
    for _ in 0..<agents { runAgent() }
  }

  // MARK: - One agent

  private struct Agent {
    /// When the next attempt is due, and when the previous one ended.
    var next: Double
    var previous = -Double.infinity
    /// Until when a caller gets the token without a refresh.
    var usableUntil: Double
    /// Failed attempts, as the agent counts its backoff.
    var step = 0
    var token = RefreshTokens()
    var sleep: Range<Double>?
    /// A token that ends before this time is not missed.
    var awakeSince = 0.0
    /// The clock is set at this time, unless that has happened.
    var clockSet: Double?
  }

  private mutating func runAgent() {
    let delay = policy.refreshDelay(life: Self.life).seconds
    let age = random() * delay
    var agent = Agent(next: delay - age, usableUntil: Self.usable - age, clockSet: scenario.clockSet)
    agent.sleep = scenario.night.map { night in
      let end = (random() + random() + random()) / 3
      return value(random(), in: night.begins)..<value(end, in: night.ends)
    }
    let budgets = RequestBudgets(random: random)
    count += 1
    while true {
      applyEvents(to: &agent)
      guard agent.next < scenario.end else { break }
      if let later = budgets.take("", .background, now: BootTime(agent.next)) {
        agent.next = max(later.seconds, agent.next + 0.001)
      } else if !attempt(&agent) {
        lost += 1
        break
      }
    }
    noteStale(from: agent.usableUntil, to: scenario.end, agent)
  }

  /// Applies a sleep or a clock change before the next attempt, as `Accounts.worldChanged` does. (A
  /// refresh before a sleep does not help after a night.)
  private mutating func applyEvents(to agent: inout Agent) {
    if let at = agent.clockSet, at <= agent.next {
      agent.clockSet = nil
      worldChanged(&agent, at)
    }
    guard let sleep = agent.sleep, agent.next >= sleep.lowerBound else { return }
    agent.sleep = nil
    agent.awakeSince = sleep.upperBound
    agent.next = max(agent.next, sleep.upperBound)
    wakes[Int(sleep.upperBound)] += 1
    worldChanged(&agent, sleep.upperBound)
  }

  /// Brings the next attempt forward after a failure. A healthy account keeps its time.
  private func worldChanged(_ agent: inout Agent, _ now: Double) {
    guard agent.step > 0 else { return }
    agent.next = min(agent.next, max(now, agent.previous + RefreshPolicy.changeSpacing.seconds))
    agent.step = min(agent.step, RefreshPolicy.maxQuickAttempts - 1)
  }

  /// Returns false if the server has ended the session.
  private mutating func attempt(_ agent: inout Agent) -> Bool {
    let now = agent.next
    agent.previous = now
    if random() < Self.restarts { agent.token.restart() }
    let outage = scenario.outage.flatMap { $0.during.contains(now) ? $0.fault : nil }
    if outage == nil { load[Int(now)] += 1 } else { failed[Int(now)] += 1 }
    switch outage {
    case .unreachable: fail(&agent, .transient)
    case .notFound: fail(&agent, .misconfigured)
    case .responseLost, nil:
      guard let response = agent.token.send() else { return false }
      if outage != nil || random() < Self.lostResponses {
        fail(&agent, .transient)
      } else {
        agent.token.receive(response, isStored: !areForgetful)
        succeed(&agent)
      }
    }
    return true
  }

  private mutating func succeed(_ agent: inout Agent) {
    noteStale(from: agent.usableUntil, to: agent.next, agent)
    agent.step = 0
    agent.usableUntil = agent.next + Self.usable
    agent.next += policy.refreshDelay(life: Self.life).seconds
  }

  private func fail(_ agent: inout Agent, _ kind: RefreshFailure.Kind) {
    agent.step += 1
    let failure = RefreshFailure(kind: kind, error: AuthError(.network, "unreachable"))
    agent.next += policy.pause(after: failure, step: agent.step).length.seconds
  }

  /// How long a token serves callers who name no minimum.
  private static let usable = (life - RefreshPolicy.defaultMinLifetime(of: life)).seconds

  // MARK: - Figures

  /// Notes that an agent that is awake had no usable token.
  private mutating func noteStale(from begin: Double, to end: Double, _ agent: Agent) {
    let begin = max(begin, agent.awakeSince)
    guard Int(begin) < Int(end), end <= scenario.end else { return }
    staleChanges[Int(begin)] += 1
    staleChanges[Int(end)] -= 1
  }

  /// How many seconds after the start of the measurement 99 % of all tokens are usable for good.
  var secondsUntilFresh: Int {
    var stale = 0
    var last = Int(scenario.start)
    for (second, change) in staleChanges.enumerated() {
      stale += change
      if stale * 100 > count, second < Int(scenario.end), second >= last { last = second + 1 }
    }
    return last - Int(scenario.start)
  }

  /// The load in bins of `bin` seconds, `length` seconds from `begin` on, in requests per second.
  func rates(_ load: [Int], from begin: Double, length: Double, bin: Int) -> [Double] {
    stride(from: Int(begin), to: Int(begin + length), by: bin).map { second in
      Double(load[second..<min(second + bin, load.count)].reduce(0, +)) / Double(bin)
    }
  }

  private func value(_ fraction: Double, in range: ClosedRange<Double>) -> Double {
    range.lowerBound + fraction * (range.upperBound - range.lowerBound)
  }
}

/// The refresh tokens of one session, numbered, at the server and at the agent. The server's rule
/// is that of Supabase Auth: the newest token is rotated; the one before it gets the newest again,
/// in case that response was lost; any other one ends the session.
struct RefreshTokens {
  private var newest = 0
  private var inMemory = 0
  private var stored = 0

  /// Sends the agent's token. Returns the token of the response, or nil if the session has ended.
  mutating func send() -> Int? {
    if inMemory == newest { newest += 1 }
    return inMemory >= newest - 1 ? newest : nil
  }

  mutating func receive(_ token: Int, isStored: Bool) {
    inMemory = token
    if isStored { stored = token }
  }

  /// The agent starts again with the token that it has stored.
  mutating func restart() { inMemory = stored }
}

/// SplitMix64 (Steele, Lea and Flood 2014): fast, and the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0..<1: 53 bits, the precision of a Double.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

extension BootTime {
  fileprivate init(_ seconds: Double) { self.init(nanoseconds: Int64(seconds * 1e9)) }
  fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
