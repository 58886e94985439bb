import AgentProtocol
import SessionEngine

/// One count of a process: its entry with the present count, and how much of it is in the log.
struct IssuedTokenCount: Codable, Sendable, Equatable {
  var facts: AuditFacts
  /// The `progress` that is already in the log.
  var written: UInt64 = 0

  var isRequests: Bool { facts.event == .egressUsed }
  var first: Timestamp { facts.first ?? facts.at }
  var last: Timestamp { facts.last ?? facts.at }

  private var ended: UInt64 { facts.statuses?.values.reduce(0, &+) ?? 0 }

  /// The number of requests that have not ended.
  var inFlight: UInt64 {
    let count = facts.count ?? 0
    return isRequests && count > ended ? count - ended : 0
  }

  /// Increases with everything that is counted.
  var progress: UInt64 { (facts.count ?? 0) &+ ended }
  var isWritten: Bool { progress == written }
  var number: UInt64 { facts.handOut ?? 0 }

  var entry: AuditFacts {
    var facts = facts
    facts.at = last
    // An event that happened once has no count.
    if ![.tokenIssued, .egressUsed].contains(facts.event), facts.count == 1 {
      (facts.count, facts.first, facts.last) = (nil, nil, nil)
    }
    return facts
  }

  /// Takes note that the requests in flight get no response any more: the vault is locked, or the agent
  /// stops or has crashed.
  mutating func endRequests() {
    guard inFlight > 0 else { return }
    facts.statuses = (facts.statuses ?? [:]).merging([StatusClass.none.rawValue: inFlight], uniquingKeysWith: &+)
  }
}

extension [IssuedTokenCount] {
  /// Takes over what an entry of the log says, so that a crash after the entry was written, and before
  /// the counts are saved, neither repeats the entry nor makes its count smaller.
  mutating func wrote(_ facts: AuditFacts) {
    guard let number = facts.handOut else { return }
    removeAll { $0.number == number }
    var count = IssuedTokenCount(facts: facts)
    count.written = count.progress
    // Only a request can still end.
    if count.inFlight > 0 { append(count) }
  }

  /// The entries that the log needs if no more is counted.
  var finalEntries: [AuditFacts] {
    map {
      var count = $0
      count.endRequests()
      return count
    }.filter { !$0.isWritten }.map(\.entry).sorted { $0.at < $1.at }
  }
}

/// The counts that still grow: for each process, account and token; account, grant and hour, for requests
/// sent with a token; account and reason, for grants and denials.
///
/// The first is written as an entry at once, and the final count as a second one with the same number
/// when the process, the token or an hour has ended. Until then, the count is in the anchor. A program
/// that requests a token every second costs two entries an hour, and a crash loses one second's count.
/// For requests, one entry is written when the hour is over, and a second one when those have ended that
/// were in flight then.
struct IssuedTokenLedger: Sendable {
  /// Maximum number of open counts. With executable paths, all fit into one vault record.
  static let maxOpen = 256
  /// The time in seconds after which a count is closed.
  private static let maxAge: Int64 = 3600

  private struct Key: Hashable {
    let process: ProcessIdentity?
    /// Without a start time, the pid may be another process's by now.
    let connection: UInt64?
    let series: IssuedTokens.Series
  }

  private var counts: [Key: IssuedTokenCount] = [:]
  /// Begins anywhere, so that the numbers of two runs of the agent differ. JSON readers take whole
  /// numbers of 53 bits.
  private var number = UInt64.random(in: 1...1 << 52)

  /// The present counts, oldest first.
  var open: [IssuedTokenCount] { counts.values.sorted { $0.number < $1.number } }

  /// The processes of the open counts, as far as they are known.
  var processes: Set<ProcessIdentity> { Set(counts.keys.compactMap(\.process)) }

  /// Counts, and returns the entries to write. A call of `trim` must follow.
  mutating func count(_ noted: IssuedTokens.Noted, _ caller: Caller?) -> [AuditFacts] {
    let (pid, connection) = (noted.connection.pid, noted.connection.id)
    let process = caller?.start.map { ProcessIdentity(pid: pid, start: $0) }
    let key = Key(process: process, connection: process == nil ? connection : nil, series: noted.series)
    guard counts[key] == nil else {
      counts[key]?.facts.add(noted.facts)
      return []
    }
    var new = IssuedTokenCount(facts: noted.facts)
    new.facts.take(noted.connection, caller)
    number += 1
    new.facts.handOut = number
    if !new.isRequests { new.written = new.progress }
    counts[key] = new
    return new.isRequests ? [] : [new.entry]
  }

  /// Closes the oldest counts beyond `maxOpen`, and returns the entries to write.
  mutating func trim() -> [AuditFacts] {
    guard counts.count > Self.maxOpen else { return [] }
    let oldest = counts.sorted { ($0.value.last, $0.value.number) < ($1.value.last, $1.value.number) }
      .prefix(counts.count - Self.maxOpen)
    for (key, _) in oldest { counts[key] = nil }
    return oldest.map(\.value).filter { !$0.isWritten }.map(\.entry)
  }

  /// Closes the counts that have ended, and returns the entries to write. A count with requests in
  /// flight stays open after its first entry, whose number the last one repeats.
  ///
  /// - Parameter ended: Processes that no longer run.
  mutating func close(now: Timestamp, ended: Set<ProcessIdentity>) -> [AuditFacts] {
    let tokens = counts.values.filter { $0.facts.token != nil }
    var entries: [AuditFacts] = []
    for (key, count) in counts where isOver(key, count, tokens, now, ended) {
      if !count.isWritten, count.inFlight == 0 || count.written == 0 {
        entries.append(count.entry)
        counts[key]?.written = count.progress
      }
      if count.inFlight == 0 { counts[key] = nil }
    }
    return entries.sorted { $0.at < $1.at }
  }

  private func isOver(
    _ key: Key, _ count: IssuedTokenCount, _ tokens: [IssuedTokenCount], _ now: Timestamp, _ ended: Set<ProcessIdentity>
  ) -> Bool {
    if case .requests(_, _, let hour) = key.series { return hour != IssuedTokens.hour(of: now) }
    return now.unixSeconds - count.first.unixSeconds >= Self.maxAge
      || key.process.map(ended.contains) ?? false
      // The agent issues one token of an account at a time, so an earlier one has ended.
      || tokens.contains {
        count.facts.token != nil && $0.facts.token != count.facts.token && $0.facts.account == count.facts.account
          && $0.first > count.last
      }
  }

  /// Closes all counts and returns the entries to write.
  mutating func closeAll() -> [AuditFacts] {
    defer { counts = [:] }
    return open.finalEntries
  }
}

extension AuditFacts {
  fileprivate mutating func add(_ later: AuditFacts) {
    statuses = statuses.map { $0.merging(later.statuses ?? [:], uniquingKeysWith: &+) } ?? later.statuses
    (count, last) = ((count ?? 0) &+ (later.count ?? 0), later.last ?? last)
  }

  /// Names the process at the other end of `connection`. Its own word for itself only counts where
  /// the kernel's is not readable.
  mutating func take(_ connection: IssuedTokens.Connection, _ caller: Caller?) {
    pid = connection.pid > 0 ? connection.pid : nil
    (executable, unit) = (caller?.executable, caller?.unit)
    comm = executable == nil ? caller?.comm : nil
  }
}
