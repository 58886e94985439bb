import AgentConfiguration
import AgentProtocol
import ServiceLifecycle
package import SessionEngine
import SystemSupport

/// Identifies one process within one boot.
struct ProcessIdentity: Sendable, Hashable {
  let pid: Int32
  /// Start time in clock ticks since boot (proc_pid_stat(5)).
  let start: UInt64
}

/// The identity to which an answer applies: the program and its unit, as far as each is known, or
/// the process alone if neither is. None of it is supplied by the caller.
struct ApprovalSubject: Sendable, Hashable {
  let unit: String?
  let file: ProgramFile?
  let process: ProcessIdentity?

  /// Nil for a process that cannot be identified; no approval is requested for it.
  init?(_ caller: Caller, pid: Int32) {
    guard let start = caller.start else { return nil }
    (unit, file) = (caller.unitName, caller.file)
    process = unit == nil && file == nil ? ProcessIdentity(pid: pid, start: start) : nil
  }
}

/// Pending approval requests and answers in force. Pure, except for the waiter list.
struct ApprovalBook: Sendable {
  /// Maximum number of pending requests: more than a person would answer.
  static let maxPending = 64
  /// Maximum number of pending requests of one asker. A program uses few accounts, and must leave
  /// room for others.
  static let maxPendingPerAsker = 8
  /// How long a request stays pending.
  static let requestTimeout = Duration.seconds(600)
  /// Maximum number of stored answers. The oldest is removed to make room.
  static let maxAnswers = 256
  /// Maximum number of processes stored for one request, so that none of them can answer it.
  static let maxProcesses = 64

  struct Entry: Sendable {
    var shown: Approval
    let asker: ApprovalSubject
    /// The methods and paths of the rule that asks; nil for a rule about the account.
    let scope: RequestScope?
    /// The requests that are held for the answer. When the last one ends, so does the question, unless it is kept.
    var holds = 0
    /// True if a request was refused with the question, so that it may come again.
    var isKept: Bool
    /// The processes that have asked so far.
    var processes: Set<ProcessIdentity>
    /// Expiry. Nil for an approval that holds until the lock or the end of the account's name, and for
    /// a denial that holds until the agent stops.
    var until: BootTime?
    var number: UInt64
  }

  /// The result for a request that needs approval.
  enum Ruling: Sendable {
    /// `once` is the id of an answer that is valid for one request, which `use` must follow.
    case allowed(until: BootTime?, once: String?)
    case denied(until: BootTime?)
    case asked(id: String, isNew: Bool)
    case full
  }

  private var entries: [String: Entry] = [:]
  /// Callers waiting for an answer, by request ID.
  let waiters = WaiterList<Void>()
  private var last: UInt64 = 0

  func list(now: BootTime) -> [Approval] {
    entries.values.filter { !$0.isOver(now) }.sorted { $0.number < $1.number }.map(\.shown)
  }

  func entry(_ id: String, now: BootTime) -> Entry? { entries[id].flatMap { $0.isOver(now) ? nil : $0 } }

  /// Returns the ruling for an asker and the methods and paths of a rule. If there is none, adds a request if
  /// `isNewWanted` is true and the limits allow it, else returns `full`.
  ///
  /// - Parameter isHeld: true if the caller waits for the answer: a call of `hold` follows.
  mutating func ask(
    _ asker: ApprovalSubject, _ account: String, _ scope: RequestScope?, _ process: ProcessIdentity, now: BootTime,
    isNewWanted: Bool = true, isHeld: Bool = false, _ shown: (_ id: String) -> Approval
  ) -> Ruling {
    forgetOver(now)
    let known = entries.values.first { $0.asker == asker && $0.shown.account == account && $0.scope == scope }
    if let known {
      switch known.shown.state {
      case .allowed: return .allowed(until: known.until, once: known.shown.scope == .once ? known.shown.id : nil)
      case .denied: return .denied(until: known.until)
      default:
        if !isHeld { entries[known.shown.id]?.isKept = true }
        if known.processes.count < Self.maxProcesses { entries[known.shown.id]?.processes.insert(process) }
        return .asked(id: known.shown.id, isNew: false)
      }
    }
    let pending = entries.values.filter { $0.shown.state == .pending }
    guard isNewWanted, pending.count < Self.maxPending,
      pending.count(where: { $0.asker == asker }) < Self.maxPendingPerAsker
    else { return .full }
    let id = RandomText.hexadecimal(bytes: 6)
    last += 1
    entries[id] = Entry(
      shown: shown(id), asker: asker, scope: scope, isKept: !isHeld, processes: [process],
      until: now.advanced(by: Self.requestTimeout), number: last)
    return .asked(id: id, isNew: true)
  }

  /// Notes that a request is held for the answer. Must be followed by one `letGo`.
  mutating func hold(_ id: String) { entries[id]?.holds += 1 }

  /// Ends a hold.
  ///
  /// - Parameter keeps: true if the program is told of the question, and may come again.
  /// - Returns: the question, if it has ended with the last request that was held for it.
  mutating func letGo(_ id: String, keeps: Bool) -> Approval? {
    guard var entry = entries[id] else { return nil }
    entry.holds -= 1
    if keeps { entry.isKept = true }
    entries[id] = entry
    return entry.shown.state == .pending && entry.holds == 0 && !entry.isKept ? remove(id) : nil
  }

  /// Uses up an answer for one request.
  ///
  /// - Returns: the answer; nil if another request has used it, or if it has ended.
  mutating func use(_ id: String, now: BootTime) -> Approval? {
    guard let entry = entry(id, now: now), entry.shown.state == .allowed, entry.shown.scope == .once else { return nil }
    return remove(id)
  }

  /// Answers a pending request and resumes its waiters. Returns nil if `id` is not pending.
  mutating func answer(
    _ id: String, allow: Bool, scope: ApprovalScope? = nil, until: BootTime?, shownUntil: Timestamp?
  ) -> Approval? {
    guard var entry = entries[id], entry.shown.state == .pending else { return nil }
    entry.shown.state = allow ? .allowed : .denied
    (entry.until, entry.shown.until, entry.shown.scope) = (until, shownUntil, scope)
    entries[id] = entry
    waiters.resume(id)
    makeRoom()
    return entry.shown
  }

  /// Removes an entry, resumes its waiters, and returns its last state.
  mutating func remove(_ id: String) -> Approval? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    waiters.resume(id)
    return entry.shown
  }

  /// Removes everything except denials, of one account or of all. A denial outlives a lock and an
  /// account, so that a denied program cannot ask again.
  ///
  /// - Returns: The removed approvals.
  mutating func removeAllButDenials(of account: String? = nil, now: BootTime) -> [Approval] {
    forgetOver(now)
    return entries.values.filter { $0.shown.state != .denied && (account ?? $0.shown.account) == $0.shown.account }
      .sorted { $0.number < $1.number }.compactMap { remove($0.shown.id) }
  }

  private mutating func forgetOver(_ now: BootTime) {
    for entry in entries.values where entry.isOver(now) { _ = remove(entry.shown.id) }
  }

  private mutating func makeRoom() {
    let answered = entries.values.filter { $0.shown.state != .pending }.sorted { $0.number < $1.number }
    for entry in answered.dropLast(Self.maxAnswers) { _ = remove(entry.shown.id) }
  }
}

extension ApprovalBook.Entry {
  fileprivate func isOver(_ now: BootTime) -> Bool { until.map { $0 <= now } ?? false }

  /// Whether an answer from this process would come from the asker itself: from the same unit or,
  /// if the asker has no unit, from a process that asked. A process that cannot be identified
  /// counts as the asker.
  func isOwn(_ caller: Caller, pid: Int32) -> Bool {
    guard let start = caller.start else { return true }
    if let unit = asker.unit { return caller.unitName == unit }
    return processes.contains(ProcessIdentity(pid: pid, start: start))
  }
}

/// Changes of approvals, in order, from the policy to the event stream. Posting never waits. Safe
/// from any thread.
package struct ApprovalChanges: Sendable {
  typealias Change = (type: EventType, approval: Approval)

  let stream: AsyncStream<Change>
  private let continuation: AsyncStream<Change>.Continuation

  init() {
    // More than two changes for each of the 320 entries that the book can hold. The reader never
    // falls far behind.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
  }

  func post(_ type: EventType, _ approval: Approval) { continuation.yield((type, approval)) }
}

package struct ApprovalPublisher: Service {
  private let changes: ApprovalChanges
  private let accounts: Accounts

  package init(_ changes: ApprovalChanges, accounts: Accounts) { (self.changes, self.accounts) = (changes, accounts) }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await change in changes.stream { await accounts.tell(change.type, change.approval) }
    }
  }
}
