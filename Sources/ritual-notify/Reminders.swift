import AgentProtocol
import Glibc
import SystemSupport

/// The accounts with a reminder today, and the last reminder of each session's end, in a small file,
/// so that a restart does not repeat a reminder. The file holds names and times, no secret.
struct Reminders {
  private let path: String
  private var day: String
  private var accounts: Set<String>
  /// The last reminder of the end, by account.
  private var ends: [String: (start: Int64, stage: SessionEnding.Stage)] = [:]

  /// Maximum bytes read: some thousand names.
  private static let limit = 64 * 1024

  /// Reads the file at `path`. An unreadable file counts as empty.
  init(path: String) {
    self.path = path
    // The first line, of the day, is empty if no sign-in was needed yet.
    let lines = Self.read(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    day = lines.first ?? ""
    accounts = Set(lines.dropFirst().filter(AccountName.isValid))
    for words in lines.dropFirst().map({ $0.split(separator: " ").map(String.init) }) where words.count == 3 {
      guard AccountName.isValid(words[0]), let start = Int64(words[1]),
        let stage = SessionEnding.Stage(rawValue: words[2])
      else { continue }
      ends[words[0]] = (start, stage)
    }
  }

  /// Whether a person was reminded of the end of this session, at `stage` or later.
  func has(_ account: String, _ ending: SessionEnding, _ stage: SessionEnding.Stage) -> Bool {
    ends[account].map { $0.start == ending.start && $0.stage >= stage } ?? false
  }

  /// Records a reminder of the end of a session.
  mutating func add(_ account: String, _ ending: SessionEnding, _ stage: SessionEnding.Stage) {
    ends[account] = (ending.start, stage)
    write()
  }

  func has(_ account: String) -> Bool { day == Self.today && accounts.contains(account) }

  /// Records a reminder of the account. If the file cannot be written, the reminder is repeated
  /// after a restart.
  mutating func add(_ account: String) {
    if day != Self.today { (day, accounts) = (Self.today, []) }
    accounts.insert(account)
    write()
  }

  private func write() {
    let ended = ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.start) \($0.value.stage.rawValue)" }
    let text = ([day] + accounts.sorted() + ended).joined(separator: "\n") + "\n"
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    mkdir(folder, 0o700)
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    if Glibc.write(file, text, text.utf8.count) == text.utf8.count { rename(new, path) }
  }

  /// The current local date, as 2026-11-21 (month and day without leading zeros).
  private static var today: String { LocalTime().date }

  private static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return "" }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      filled = max(0, Glibc.read(file, buffer.baseAddress, limit))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The time of the next attempt after the notification service refused or did not reply. A service
/// that is overloaded for a moment (`ExcessNotificationGeneration` of several desktops) or is just
/// starting is tried again soon, and one that always refuses now and then.
struct RetrySchedule {
  private enum State {
    case any
    case notBefore(ContinuousClock.Instant)
    /// There is no service. The bus reports when one appears.
    case whenOneComes
  }

  /// Pause between attempts, doubled from the first to the last.
  private static let pauses: (first: Duration, last: Duration) = (.seconds(2), .seconds(600))

  private var state = State.any
  private var pause = pauses.first

  /// True if an attempt may be made now.
  var isNow: Bool {
    switch state {
    case .any: true
    case .notBefore(let moment): ContinuousClock.now >= moment
    case .whenOneComes: false
    }
  }

  /// Time until the next attempt; nil if none is scheduled.
  var wait: Duration? {
    guard case .notBefore(let moment) = state else { return nil }
    return max(.zero, ContinuousClock.now.duration(to: moment))
  }

  /// Records a failure.
  ///
  /// - Returns: true for the first failure since the last success.
  mutating func failed(_ error: NotifyError) -> Bool {
    let isFirst = if case .any = state { true } else { false }
    guard !error.isServiceMissing else {
      state = .whenOneComes
      return isFirst
    }
    state = .notBefore(.now + pause)
    pause = min(pause * 2, Self.pauses.last)
    return isFirst
  }

  mutating func succeeded() { self = RetrySchedule() }

  /// Records that the service appeared or disappeared.
  mutating func serviceChanged(isThere: Bool) {
    self = RetrySchedule()
    if !isThere { state = .whenOneComes }
  }
}
