import AgentProtocol
import ServiceLifecycle
package import SessionEngine
import SystemSupport

/// One process of one boot.
struct ProcessIdentity: Sendable, Hashable {
  let pid: Int32
  /// Clock ticks since boot, proc_pid_stat(5).
  let start: UInt64
}

/// Who asks, for as long as an answer is remembered: the program in its unit, where both can be told; where neither can, the
/// process alone. The caller has no say in any of it.
struct Asker: Sendable, Hashable {
  let unit: String?
  let file: ProgramFile?
  let process: ProcessIdentity?

  /// Nil for a process that cannot be told: it is not asked about.
  init?(_ caller: Caller, pid: Int32) {
    guard let start = caller.start else { return nil }
    (unit, file) = (caller.unitName, caller.file)
    process = unit == nil && file == nil ? ProcessIdentity(pid: pid, start: start) : nil
  }
}

/// Pending questions and answers that are in force. Pure, but for the list of waiters.
struct ApprovalBook: Sendable {
  /// Questions at a time: more than a person would answer.
  static let mostPending = 64
  /// Of one asker: a tool has a few accounts, and leaves room for all others.
  static let mostOfAsker = 8
  /// How long a question waits.
  static let patience = Duration.seconds(600)
  /// Answers that are remembered; the oldest makes room.
  static let mostAnswers = 256
  /// Processes of one question that are kept, so that none of them answers it.
  static let mostProcesses = 64

  struct Entry: Sendable {
    var shown: Approval
    let asker: Asker
    /// Who asked so far.
    var processes: Set<ProcessIdentity>
    /// When it ends; nil for an approval that holds until the lock, and for a denial that holds until the agent stops.
    var until: BootTime?
    var number: UInt64
  }

  /// What a request that must be asked about gets.
  enum Ruling: Sendable {
    case allowed(until: BootTime?)
    case denied(until: BootTime?)
    case asked(id: String, isNew: Bool)
    case full
  }

  private var entries: [String: Entry] = [:]
  /// The callers that wait for an answer, by the question's id.
  let waiters = WaiterList<Void>()
  private var last: UInt64 = 0

  func list(now: BootTime) -> [Approval] {
    entries.values.filter { !$0.isOver(now) }.sorted { $0.number < $1.number }.map(\.shown)
  }

  func entry(_ id: String, now: BootTime) -> Entry? { entries[id].flatMap { $0.isOver(now) ? nil : $0 } }

  /// The ruling for who asks; a new question where nothing is known yet and one is wanted, else `full`.
  mutating func ask(
    _ asker: Asker, _ account: String, _ process: ProcessIdentity, now: BootTime, isNewWanted: Bool = true,
    _ shown: (_ id: String) -> Approval
  ) -> Ruling {
    forgetOver(now)
    if let known = entries.values.first(where: { $0.asker == asker && $0.shown.account == account }) {
      switch known.shown.state {
      case .allowed: return .allowed(until: known.until)
      case .denied: return .denied(until: known.until)
      default:
        if known.processes.count < Self.mostProcesses { entries[known.shown.id]?.processes.insert(process) }
        return .asked(id: known.shown.id, isNew: false)
      }
    }
    let pending = entries.values.filter { $0.shown.state == .pending }
    guard isNewWanted, pending.count < Self.mostPending,
      pending.count(where: { $0.asker == asker }) < Self.mostOfAsker
    else { return .full }
    let id = RandomText.hexadecimal(bytes: 6)
    last += 1
    entries[id] = Entry(
      shown: shown(id), asker: asker, processes: [process], until: now.advanced(by: Self.patience), number: last)
    return .asked(id: id, isNew: true)
  }

  /// The question is answered: who waits hears of it.
  mutating func answer(_ id: String, allow: Bool, until: BootTime?, shownUntil: Timestamp?) -> Approval? {
    guard var entry = entries[id], entry.shown.state == .pending else { return nil }
    entry.shown.state = allow ? .allowed : .denied
    (entry.until, entry.shown.until) = (until, shownUntil)
    entries[id] = entry
    waiters.resume(id)
    makeRoom()
    return entry.shown
  }

  /// The entry is gone; what it was.
  mutating func remove(_ id: String) -> Approval? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    waiters.resume(id)
    return entry.shown
  }

  /// Removes everything but denials, which outlive a lock: a program that was refused does not get to ask again.
  ///
  /// - Returns: what was removed.
  mutating func removeAllButDenials(now: BootTime) -> [Approval] {
    forgetOver(now)
    return entries.values.filter { $0.shown.state != .denied }.sorted { $0.number < $1.number }
      .compactMap { remove($0.shown.id) }
  }

  private mutating func forgetOver(_ now: BootTime) {
    for entry in entries.values where entry.isOver(now) { _ = remove(entry.shown.id) }
  }

  private mutating func makeRoom() {
    let answered = entries.values.filter { $0.shown.state != .pending }.sorted { $0.number < $1.number }
    for entry in answered.dropLast(Self.mostAnswers) { _ = remove(entry.shown.id) }
  }
}

extension ApprovalBook.Entry {
  fileprivate func isOver(_ now: BootTime) -> Bool { until.map { $0 <= now } ?? false }

  /// Whether an answer from this process would be the asker's own: of the same unit, or where it has none one that asked.
  /// A process that cannot be told could be either.
  func isOwn(_ caller: Caller, pid: Int32) -> Bool {
    guard let start = caller.start else { return true }
    if let unit = asker.unit { return caller.unitName == unit }
    return processes.contains(ProcessIdentity(pid: pid, start: start))
  }
}

/// Questions to a person and their ends, on their way from the policy to the stream of events, in order. Posting never
/// waits; safe from any thread.
package struct ApprovalChanges: Sendable {
  typealias Change = (type: EventType, approval: Approval)

  let stream: AsyncStream<Change>
  private let continuation: AsyncStream<Change>.Continuation

  init() {
    // As many as one answer each for all that may wait or hold, twice over; who reads is never far behind.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
  }

  func post(_ type: EventType, _ approval: Approval) { continuation.yield((type, approval)) }
}

/// Publishes them as events.
package struct ApprovalTeller: Service {
  private let changes: ApprovalChanges
  private let accounts: Accounts

  package init(_ changes: ApprovalChanges, accounts: Accounts) { (self.changes, self.accounts) = (changes, accounts) }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await change in changes.stream { await accounts.tell(change.type, change.approval) }
    }
  }
}
