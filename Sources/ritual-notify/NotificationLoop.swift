import AgentProtocol
import Glibc
import SystemBus

/// The main loop of the program: shows events of the agent on the desktop, and sends a person's
/// answers to the agent.
final class NotificationLoop {
  /// The subject of a notification.
  private enum Subject: Hashable {
    case signIn(account: String)
    case ending(account: String)
    case code(account: String)
    case question(id: String)
  }

  /// Maximum approval requests on the screen. The others are listed by `ritualctl approvals`.
  private static let maxApprovals = 8
  /// The seconds of the button "Allow for 15 minutes".
  private static let allowedSeconds = 900
  /// Maximum time of one wait, and thus the maximum delay of a reminder after midnight.
  private static let maxWait = Duration.seconds(1800)

  private let desktop: NotificationService
  private let agent: AgentFeed
  private let starter: CommandStarter
  private var reminders: Reminders
  private var shown: [NotificationService.Shown: Subject] = [:]
  /// Accounts that currently need a sign-in, and why.
  private var needing: [String: SessionEndReason] = [:]
  /// The sessions whose end is foreseen, by account.
  private var endings: [String: SessionEnding] = [:]
  private var codes = FactorNeeds()
  /// Pending approvals in the order of their arrival, and the ids of those that a person has
  /// dismissed or answered.
  private var questions: [Approval] = []
  private var dismissed: Set<String> = []
  private var nextTry = RetrySchedule()
  /// True while a notification waits for `nextTry`.
  private var isHeldBack = false
  /// Number of times that the service has refused each notification. Those with fewer refusals are
  /// shown first, so that a refused notification does not block the others.
  private var refusals: [Subject: Int] = [:]
  private var children: [pid_t] = []

  /// - Parameters:
  ///   - socket: the agent's socket, if the command line names one.
  ///   - usualSocket: the default socket of the agent.
  init(_ bus: consuming BusConnection, socket: String?, usualSocket: String, reminders: String) throws(NotifyError) {
    desktop = try NotificationService(bus)
    agent = AgentFeed(socket: socket ?? usualSocket)
    self.reminders = Reminders(path: reminders)
    starter = CommandStarter(socket: socket)
  }

  /// Runs until the bus ends.
  ///
  /// - Throws: `busLost`.
  func run() throws(NotifyError) {
    while true {
      if let waiting = agent.connect() { replaceQuestions(waiting) }
      repeat { try drainBus() } while drainAgent()
      showAll()
      reap()
      wait()
    }
  }

  // MARK: - The agent

  /// Handles the pending events of the agent. Returns true if there were any: calls made meanwhile
  /// may have received signals of the bus.
  private func drainAgent() -> Bool {
    var found = false
    while let event = agent.next() {
      found = true
      take(event)
    }
    return found
  }

  private func take(_ event: AgentEvent) {
    if let approval = event.approval {
      questions.removeAll { $0.id == approval.id }
      if event.type == .approvalNeeded { questions.append(approval) } else { forget(approval.id) }
    }
    guard let account = event.account, AccountName.isValid(account) else { return }
    if event.type == .mfaNeeded { codes.add(account, FactorNeeds.Need(program: event.program, reason: event.reason)) }
    if let status = event.status { take(status, of: account) }
  }

  private func take(_ status: AccountStatus, of account: String) {
    let reason = status.session?.endReason
    if status.state == .signInNeeded || reason == .newerSignIn {
      needing[account] = reason ?? .unknown
    } else {
      needing[account] = nil
      close(.signIn(account: account))
    }
    let ending = SessionEnding(status)
    if endings[account]?.start != ending?.start { close(.ending(account: account)) }
    endings[account] = ending
    if status.assurance?.current != AccountAssurance.aal1 {
      codes.settled(account)
      close(.code(account: account))
    }
  }

  private func replaceQuestions(_ waiting: [Approval]) {
    let gone = Set(questions.map(\.id)).subtracting(waiting.map(\.id))
    questions = waiting
    for id in gone { forget(id) }
  }

  private func forget(_ id: String) {
    dismissed.remove(id)
    close(.question(id: id))
  }

  // MARK: - The desktop

  private func drainBus() throws(NotifyError) {
    try desktop.drain { signal in
      switch signal {
      case .action(let notification, let key):
        // A signal of another sender has another owner, and matches no notification.
        if let matter = shown[notification] { act(matter, key, notification) }
      case .closed(let notification, let byPerson): noteClosed(notification, byPerson: byPerson)
      case .owner(let isThere): ownerChanged(isThere)
      }
    }
  }

  private func act(_ matter: Subject, _ key: String, _ notification: NotificationService.Shown) {
    typealias Keys = NotificationService.Notification.Keys
    switch (matter, key) {
    case (.signIn(let account), Keys.signIn), (.ending(let account), Keys.signIn): start(.signIn, account)
    case (.code(let account), Keys.enterCode): start(.enterCode, account)
    case (.question(let id), Keys.allow): answer(.init(id: id, allow: true))
    case (.question(let id), Keys.once): answer(.init(id: id, allow: true, scope: .once))
    case (.question(let id), Keys.minutes): answer(.init(id: id, allow: true, for: Self.allowedSeconds))
    case (.question(let id), Keys.deny): answer(.init(id: id, allow: false))
    default: return
    }
    shown[notification] = nil
    desktop.close(notification)
  }

  private func answer(_ answer: ApprovalAnswer.Params) {
    dismissed.insert(answer.id)
    agent.answer(answer)
  }

  private func start(_ command: CommandStarter.Command, _ account: String) {
    guard let pid = starter.start(command, account) else {
      let words = command.words.joined(separator: " ")
      return Journal.note("systemd-run cannot be started; run: ritualctl \(words) --account \(account)")
    }
    children.append(pid)
  }

  private func noteClosed(_ notification: NotificationService.Shown, byPerson: Bool) {
    switch shown.removeValue(forKey: notification) {
    case .question(let id)?: dismissed.insert(id)
    case .code(let account)? where byPerson: codes.dismissed(account)
    default: break
    }
  }

  private func ownerChanged(_ isThere: Bool) {
    // Notifications of another service are gone, and their numbers have no meaning for this
    // service.
    shown = [:]
    refusals = [:]
    nextTry.serviceChanged(isThere: isThere)
  }

  private func close(_ matter: Subject) {
    refusals[matter] = nil
    for (notification, known) in shown where known == matter {
      shown[notification] = nil
      desktop.close(notification)
    }
  }

  private func showAll() {
    // An expired approval can no longer be answered.
    let now = now
    for over in questions.filter({ $0.until.map { $0.unixSeconds <= now } ?? false }) {
      questions.removeAll { $0.id == over.id }
      forget(over.id)
    }
    isHeldBack = false
    var room = Self.maxApprovals - shown.values.count { if case .question = $0 { true } else { false } }
    for (matter, notification) in toShow {
      if case .question = matter {
        guard room > 0 else { continue }
        room -= 1
      }
      // The reminder of an hour replaces that of a day.
      if case .ending = matter, isShown(matter) { close(matter) }
      guard show(notification, matter) else {
        isHeldBack = true
        return
      }
      noteShown(matter)
    }
  }

  private func noteShown(_ matter: Subject) {
    switch matter {
    case .signIn(let account): reminders.add(account)
    case .ending(let account):
      if let ending = endings[account], let stage = ending.stage(at: now) { reminders.add(account, ending, stage) }
    case .code(let account): codes.shown(account)
    case .question: break
    }
  }

  /// The wall clock's time in seconds since 1970.
  private var now: Int64 { Int64(time(nil)) }

  /// The notifications to show: those with the fewest refusals first, sign-ins before second factors
  /// and approvals.
  private var toShow: [(Subject, NotificationService.Notification)] {
    typealias Notification = NotificationService.Notification
    let accounts = needing.sorted { $0.key < $1.key }.filter { !reminders.has($0.key) }
    let signIns = accounts.map { (Subject.signIn(account: $0), Notification.signInNeeded($0, $1)) }
    let ends = endings.sorted { $0.key < $1.key }.filter { account, ending in
      ending.stage(at: now).map { !reminders.has(account, ending, $0) } ?? false
    }.map { (Subject.ending(account: $0), Notification.ending($0, $1)) }
    let needed = codes.waiting.sorted { $0.key < $1.key }.filter { !isShown(.code(account: $0.key)) }
      .map { (Subject.code(account: $0), Notification.codeNeeded($0, $1)) }
    let asked = questions.filter { !dismissed.contains($0.id) && !isShown(.question(id: $0.id)) }
    let all = signIns + ends + needed + asked.map { (Subject.question(id: $0.id), Notification.question($0)) }
    let keys = all.enumerated().map { (refusals[$0.element.0] ?? 0, $0.offset) }
    return zip(keys, all).sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func isShown(_ matter: Subject) -> Bool { shown.values.contains(matter) }

  /// Shows a notification.
  ///
  /// - Returns: true if the notification is on the screen. Otherwise the service is not called for
  ///   a while.
  private func show(_ notification: NotificationService.Notification, _ matter: Subject) -> Bool {
    guard nextTry.isNow else { return false }
    do throws(NotifyError) {
      shown[try desktop.show(notification)] = matter
      refusals[matter] = nil
      nextTry.succeeded()
      return true
    } catch {
      refusals[matter, default: 0] += 1
      // An outage is logged once. A service that did not reply in time may show the notification
      // all the same: twice is better than never.
      if nextTry.failed(error) {
        Journal.note("cannot show a notification; retrying: \(error.cause ?? error.message)")
      }
      return false
    }
  }

  // MARK: - Waiting

  private func wait() {
    var entries = [desktop.polled]
    if let descriptor = agent.descriptor { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    var longest = min(Self.maxWait, agent.wait ?? Self.maxWait)
    // Only while a notification is held back: otherwise an attempt time in the past would shorten
    // every wait to zero.
    if isHeldBack, let again = nextTry.wait { longest = min(longest, again) }
    // systemd-run(1) ends soon, and approvals expire by the clock.
    if !children.isEmpty { longest = min(longest, .seconds(1)) }
    if !questions.isEmpty { longest = min(longest, .seconds(60)) }
    let reminder = endings.values.compactMap { $0.next(after: now) }.min()
    if let reminder { longest = min(longest, .seconds(reminder - now)) }
    let milliseconds = longest.components.seconds * 1000 + longest.components.attoseconds / 1_000_000_000_000_000
    poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds + 1))
  }

  private func reap() {
    children.removeAll { pid in
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) != 0 else { return false }
      if status != 0 { Journal.note("systemd-run could not start ritualctl") }
      return true
    }
  }
}
