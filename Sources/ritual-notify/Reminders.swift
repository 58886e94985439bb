import AgentProtocol
import Glibc
import SystemSupport

/// Which accounts were reminded of today: a small file, so that a restart does not repeat it. Names alone, no secret.
struct Reminders {
  private let path: String
  private var day: String
  private var accounts: Set<String>

  /// The most that is read: some thousand names.
  private static let limit = 64 * 1024

  /// What the file at `path` says; an empty one where it says nothing that can be read.
  init(path: String) {
    self.path = path
    let lines = Self.read(path).split(separator: "\n").map(String.init)
    day = lines.first ?? ""
    accounts = Set(lines.dropFirst().filter(AccountName.isValid))
  }

  func has(_ account: String) -> Bool { day == Self.today && accounts.contains(account) }

  /// Remembers the account. A file that cannot be written costs a repeated reminder after a restart.
  mutating func add(_ account: String) {
    if day != Self.today { (day, accounts) = (Self.today, []) }
    accounts.insert(account)
    let text = ([day] + accounts.sorted()).joined(separator: "\n") + "\n"
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    mkdir(folder, 0o700)
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    if write(file, text, text.utf8.count) == text.utf8.count { rename(new, path) }
  }

  /// The day by the clock on the wall, as 2026-11-21.
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

/// When a notification service is asked again that has refused, or has not answered: one that has had too much for a moment
/// (`ExcessNotificationGeneration` of several desktops), or that is just starting, soon; one that always refuses now and then.
struct NextTry {
  private enum State {
    case any
    case notBefore(ContinuousClock.Instant)
    /// There is none; the bus tells when one comes.
    case whenOneComes
  }

  /// Doubled from the first to the last.
  private static let pauses: (first: Duration, last: Duration) = (.seconds(2), .seconds(600))

  private var state = State.any
  private var pause = pauses.first

  /// Whether it may be asked now.
  var isNow: Bool {
    switch state {
    case .any: true
    case .notBefore(let moment): ContinuousClock.now >= moment
    case .whenOneComes: false
    }
  }

  /// How long until it may be asked; nil where there is nothing to wait for.
  var wait: Duration? {
    guard case .notBefore(let moment) = state else { return nil }
    return max(.zero, ContinuousClock.now.duration(to: moment))
  }

  /// - Returns: whether this is the first failure since the last success.
  mutating func failed(_ error: NotifyError) -> Bool {
    let isFirst = if case .any = state { true } else { false }
    guard !error.isFromNobody else {
      state = .whenOneComes
      return isFirst
    }
    state = .notBefore(.now + pause)
    pause = min(pause * 2, Self.pauses.last)
    return isFirst
  }

  mutating func succeeded() { self = NextTry() }

  /// A service has come, or gone.
  mutating func serviceChanged(isThere: Bool) {
    self = NextTry()
    if !isThere { state = .whenOneComes }
  }
}
