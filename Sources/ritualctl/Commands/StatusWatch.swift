import AgentClient
import AgentProtocol
import Glibc

/// `status --watch`: follows the agent's events on one connection, and connects again when the agent
/// restarts.
///
/// On a terminal, the screen is drawn again when its text changes: after an event, and as times
/// pass. Elsewhere, a new table is printed after each change. Ctrl-C ends the program
/// (`Interrupts`); no mode of the terminal is changed.
struct StatusWatch {
  private let command: StatusCommand
  private let output: Output
  /// Whether the table is updated in place.
  private let redraws = isatty(STDOUT_FILENO) == 1 && !TerminalKind.isDumb
  private var connection: AgentConnection?
  private var content: Content?
  private var screen = ""

  /// The text on the screen.
  private enum Content {
    case status(AgentStatusMethod.Result, at: ContinuousClock.Instant)
    case failure(Failure)
  }

  /// The interval at which the terminal's size and the relative times are compared with the screen,
  /// and the pause between two attempts to connect.
  private static let tick = Duration.seconds(1)
  /// The time after which the agent is asked without an event: there is none for a failed attempt or
  /// for a problem of the agent itself.
  private static let maxAge = Duration.seconds(10)

  init(command: StatusCommand, output: Output) { (self.command, self.output) = (command, output) }

  /// - Throws: an error of the first request, or of standard output.
  mutating func run() throws -> Never {
    Interrupts.handle()
    while true {
      let next: Content
      do { next = try ask() } catch {
        guard content != nil else { throw error }
        connection = nil
        next = .failure(UnreachableAgent.failure(error, socket: command.common.socket))
      }
      try show(next)
      try awaitChange()
    }
  }

  private mutating func ask() throws -> Content {
    let limit = command.timeout.limit
    let live: AgentConnection
    if let connection {
      live = connection
    } else {
      live = try command.common.connect(within: limit)
      _ = try live.call(EventsSubscribe.self, EventsSubscribe.Params(), timeout: limit)
    }
    let status = try live.call(AgentStatusMethod.self, .init(), timeout: limit)
    connection = live
    return .status(try status.limited(to: command.account.account), at: .now)
  }

  /// Returns after an event, when the status is too old, or when it is time to connect again.
  private mutating func awaitChange() throws {
    guard let connection else {
      usleep(useconds_t(Self.tick.components.seconds * 1_000_000))
      return
    }
    while true {
      do {
        if try connection.nextEvent(timeout: Self.tick) != nil {
          // One answer shows the result of all events that have arrived.
          while try connection.nextEvent(timeout: .zero) != nil {}
          return
        }
      } catch {
        self.connection = nil
        return
      }
      if redraws { try draw() }
      if case .status(_, let time) = content, ContinuousClock.now - time > Self.maxAge { return }
    }
  }

  private mutating func show(_ next: Content) throws {
    let previous = content
    content = next
    if redraws { return try draw() }
    switch (next, previous) {
    case (.status(let new, _), .status(let old, _)) where Self.isSame(new, old): break
    case (.failure(let new), .failure(let old)) where new.message == old.message: break
    case (.status(let new, _), _):
      if previous != nil { try Streams.write("\n", to: STDOUT_FILENO) }
      try output.stream(new)
    case (.failure(let new), _): output.warning(new.text())
    }
  }

  /// Whether two statuses differ only in numbers that change by themselves.
  private static func isSame(_ new: AgentStatusMethod.Result, _ old: AgentStatusMethod.Result) -> Bool {
    var new = new
    new.uptime = old.uptime
    if new.health.map(withoutSeconds) == old.health.map(withoutSeconds) { new.health = old.health }
    for (index, known) in zip(new.accounts.indices, old.accounts) {
      var account = new.accounts[index]
      account.expiresAt = steady(account.expiresAt, known.expiresAt)
      account.refresh?.nextAt = steady(new.accounts[index].refresh?.nextAt, known.refresh?.nextAt)
      account.refresh?.clockSkew = known.refresh?.clockSkew
      new.accounts[index] = account
    }
    return new == old
  }

  /// The old time if the new one is nearly the same: the agent calculates times from two clocks, and
  /// rounds both to seconds.
  private static func steady(_ new: Timestamp?, _ old: Timestamp?) -> Timestamp? {
    guard let new, let old, abs(new.unixSeconds - old.unixSeconds) <= 1 else { return new }
    return old
  }

  /// The words of a finding without its seconds, such as how far a clock is behind.
  private static func withoutSeconds(_ finding: String) -> [Substring] {
    let words = finding.split(separator: " ")
    return zip(words, words.dropFirst() + [""]).filter { Int($0) == nil || $1 != "s" }.map(\.0)
  }

  /// Draws the screen if its text has changed: from the top, erasing the rest of each line and the
  /// lines below (ECMA-48: CUP, EL, ED).
  private mutating func draw() throws {
    let style = Style(command.common.color, isJSON: false, of: STDOUT_FILENO)
    // The last row is left to the cursor: a line feed there would scroll.
    let rows = TerminalKind.size(of: STDOUT_FILENO).map { $0.rows - 1 } ?? .max
    let lines = style.folded(text(style)).text.split(separator: "\n", omittingEmptySubsequences: false).prefix(
      max(1, rows))
    let new = lines.map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J"
    guard new != screen else { return }
    try Streams.write("\u{1B}[H\(screen.isEmpty ? "\u{1B}[2J" : "")\(new)", to: STDOUT_FILENO)
    screen = new
  }

  private func text(_ style: Style) -> Words {
    switch content {
    case nil: return ""
    case .status(var status, let time):
      let passed = Int((ContinuousClock.now - time).components.seconds)
      status.uptime = status.uptime.addingReportingOverflow(passed).partialValue
      return status.text(style)
    case .failure(let failure):
      let lines =
        style.lines("! \(failure.message)").map { style.marked($0, .red) } + failure.hints.map { "    \($0)" as Words }
      return (lines + ["    trying again every second"]).joined(separator: "\n")
    }
  }
}
