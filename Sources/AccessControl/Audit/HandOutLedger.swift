import AgentProtocol
import SessionEngine

/// The events of one kind and one process, which are counted together.
struct Counted: Sendable {
  /// The entry of these alone, with their count.
  let facts: AuditFacts
  /// Identifies the series among all processes.
  let key: String
  /// The start time of the process, if it is known.
  let start: UInt64?

  /// - Parameter kind: distinguishes series of the same event and account.
  init(_ facts: AuditFacts, kind: String, _ connection: HandOutTable.Connection, _ caller: Caller?) {
    var facts = facts
    facts.take(connection, caller)
    self.facts = facts
    start = caller?.start
    // Without a start time, the pid may be another process's by now.
    let process = start.map { "\(connection.pid) \($0)" } ?? "connection \(connection.id)"
    key = [process, facts.event.rawValue, facts.account ?? "", kind].joined(separator: "\n")
  }

  init(_ noted: HandOutTable.Noted, _ caller: Caller?) {
    var facts = AuditFacts(noted.isToken ? .tokenIssued : .egressUsed, at: noted.last)
    (facts.count, facts.first, facts.last) = (noted.count, noted.first, noted.last)
    let kind: String
    switch noted.series {
    case .token(let token):
      (facts.account, facts.way) = (token.account, token.way.rawValue)
      facts.token = TokenFingerprint.text(token.fingerprint)
      kind = "\(token.way.rawValue) \(token.fingerprint)"
    case .requests(let requests):
      facts.account = requests.account
      facts.detail = requests.grant.map { "grant \(ForeignText.shown($0, limit: 40))" }
      let statuses = noted.statuses.map { ($0.key.rawValue, $0.value) }
      facts.statuses = statuses.isEmpty ? nil : Dictionary(uniqueKeysWithValues: statuses)
      kind = "\(requests.grant ?? "") \(requests.hour)"
    }
    self.init(facts, kind: kind, noted.connection, caller)
  }

  /// Something that happens once, as long as the process does not repeat it.
  init(
    once facts: AuditFacts, at now: Timestamp, kind: String, _ connection: HandOutTable.Connection, _ caller: Caller?
  ) {
    var facts = facts
    (facts.at, facts.count, facts.first, facts.last) = (now, 1, now, now)
    self.init(facts, kind: kind, connection, caller)
  }
}

/// The series that are still counted, one for each process, account and: token and way (PR-3); grant
/// and hour, for requests sent with a token (EG-8); reason, for grants and denials.
///
/// The first of a series is written as an entry at once, and the final count as a second one with the
/// same number when the process, the token or an hour has ended. Until then, the count is in the
/// anchor. A program that requests a token every second costs two entries an hour, and a crash loses
/// one second's count. For requests sent with a token, one entry is written when the hour is over,
/// and a second one when those have ended that were in flight then.
struct HandOutLedger: Codable, Sendable, Equatable {
  /// Maximum number of open series. The oldest is closed to make room. With executable paths, all
  /// fit into one vault record.
  static let maxOpen = 256
  /// The time in seconds after which a series is closed, and its count written.
  static let maxAge: Int64 = 3600

  struct Open: Codable, Sendable, Equatable {
    var facts: AuditFacts
    var start: UInt64?
    /// The `progress` that is already in the log.
    var written: UInt64 = 0
  }

  private var series: [String: Open] = [:]

  /// The series with their present counts, oldest first.
  var open: [AuditFacts] { series.values.map(\.entry).sorted { ($0.first ?? $0.at) < ($1.first ?? $1.at) } }

  /// Counts, and returns the entries to write. `number` is the number of a new series.
  mutating func count(_ counted: Counted, number: UInt64) -> [AuditFacts] {
    if series[counted.key] != nil {
      series[counted.key]?.facts.add(counted.facts)
      return []
    }
    var new = Open(facts: counted.facts, start: counted.start)
    new.facts.handOut = number
    if !new.isRequests { new.written = new.progress }
    series[counted.key] = new
    let entries = new.isRequests ? [] : [new.entry]
    guard series.count > Self.maxOpen,
      let oldest = series.min(by: { ($0.value.last, $0.value.number) < ($1.value.last, $1.value.number) })?.key
    else { return entries }
    return entries + close { $0 == oldest }
  }

  /// The processes of the open series, as far as they are known.
  var processes: Set<ProcessIdentity> { Set(series.values.compactMap(\.process)) }

  /// Closes the series that have ended, and returns the entries to write. A series with requests in
  /// flight stays open after its first entry, whose number the last one repeats.
  ///
  /// - Parameter ended: Processes that no longer run.
  mutating func closeEnded(now: Timestamp, ended: Set<ProcessIdentity>) -> [AuditFacts] {
    let hour = EgressUses.hour(of: now)
    let tokens = series.values.filter { $0.facts.token != nil }
    var entries = close { [series] key in
      guard let open = series[key] else { return false }
      if open.isRequests { return open.hour != hour && open.inFlight == 0 }
      return now.unixSeconds - open.first.unixSeconds >= Self.maxAge
        || open.process.map(ended.contains) ?? false
        // The agent issues one token of an account at a time, so an earlier one has ended.
        || tokens.contains {
          $0.facts.token != open.facts.token && $0.facts.account == open.facts.account && open.facts.token != nil
            && $0.first > open.last
        }
    }
    for (key, open) in series where open.isRequests && open.hour != hour && open.written == 0 {
      series[key]?.written = open.progress
      entries.append(open.entry)
    }
    return entries
  }

  /// Closes all series and returns the entries to write. A request that has not ended gets no response
  /// any more: the vault is locked, or the agent stops or has crashed.
  mutating func closeAll() -> [AuditFacts] {
    for (key, open) in series where open.inFlight > 0 {
      series[key]?.facts.statuses = (open.facts.statuses ?? [:]).merging(
        [StatusClass.none.rawValue: open.inFlight], uniquingKeysWith: &+)
    }
    return close { _ in true }
  }

  /// A series that is already in the log as it is needs no second entry.
  private mutating func close(_ isEnded: (String) -> Bool) -> [AuditFacts] {
    let closed = series.filter { isEnded($0.key) }
    for key in closed.keys { series[key] = nil }
    return closed.values.filter { $0.progress != $0.written }.map(\.entry).sorted { $0.at < $1.at }
  }

  /// Takes over what an entry of the log says of its series, so that a crash after the entry was
  /// written, and before the ledger is saved, neither repeats the entry nor makes its count smaller.
  mutating func wrote(_ facts: AuditFacts) {
    guard let number = facts.handOut else { return }
    var open = Open(facts: facts)
    open.written = open.progress
    let key = series.first { $0.value.number == number }?.key ?? "entry \(number)"
    // Only a request can still end.
    series[key] = open.inFlight > 0 ? open : nil
  }
}

extension HandOutLedger.Open {
  fileprivate var number: UInt64 { facts.handOut ?? 0 }
  fileprivate var first: Timestamp { facts.first ?? facts.at }
  fileprivate var last: Timestamp { facts.last ?? facts.at }
  /// The hour of a series of requests.
  fileprivate var hour: Int64 { EgressUses.hour(of: first) }
  fileprivate var isRequests: Bool { facts.event == .egressUsed }

  fileprivate var process: ProcessIdentity? {
    guard let pid = facts.pid, let start else { return nil }
    return ProcessIdentity(pid: pid, start: start)
  }

  /// The number of requests that have ended.
  private var ended: UInt64 { facts.statuses?.values.reduce(0, &+) ?? 0 }

  /// The number of requests that have not ended.
  fileprivate var inFlight: UInt64 {
    let count = facts.count ?? 0
    return isRequests && count > ended ? count - ended : 0
  }

  /// Increases with everything that is counted.
  fileprivate var progress: UInt64 { (facts.count ?? 0) &+ ended }

  fileprivate var entry: AuditFacts {
    var facts = facts
    facts.at = last
    // An event that happened once has no count.
    if ![.tokenIssued, .egressUsed].contains(facts.event), facts.count == 1 {
      (facts.count, facts.first, facts.last) = (nil, nil, nil)
    }
    return facts
  }
}

extension AuditFacts {
  /// Adds the counts of a later entry of the same series.
  fileprivate mutating func add(_ later: AuditFacts) {
    let statuses = (statuses ?? [:]).merging(later.statuses ?? [:], uniquingKeysWith: &+)
    self.statuses = statuses.isEmpty ? nil : statuses
    (count, last) = ((count ?? 0) &+ (later.count ?? 0), later.last)
  }

  /// Names the process at the other end of `connection`. Its own word for itself only counts where
  /// the kernel's is not readable.
  mutating func take(_ connection: HandOutTable.Connection, _ caller: Caller?) {
    pid = connection.pid > 0 ? connection.pid : nil
    (executable, unit) = (caller?.executable, caller?.unit)
    comm = executable == nil ? caller?.comm : nil
  }
}
