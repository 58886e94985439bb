import AgentProtocol
import Glibc
import SystemBus

/// The program's one loop: events of the agent go to the desktop, what a person presses there goes to the agent.
final class Watch {
  /// What a notification is about.
  private enum Matter: Hashable {
    case signIn(account: String)
    case question(id: String)
  }

  /// Questions on the screen at a time; the others wait in `ritualctl approvals`.
  private static let mostQuestions = 8
  /// Seconds: how late a reminder may come after midnight.
  private static let longestWait = Duration.seconds(1800)

  private let desktop: NotificationService
  private let agent: AgentFeed
  private let starter: SignInStarter
  private var reminders: Reminders
  private var shown: [NotificationService.Shown: Matter] = [:]
  /// Accounts that need a sign-in now.
  private var needing: Set<String> = []
  /// Questions that wait, in the order in which they came, and those of them that a person has put away.
  private var questions: [Approval] = []
  private var putAway: Set<String> = []
  private var nextTry = NextTry()
  /// Whether something waits for that.
  private var isHeldBack = false
  /// How often the service has refused to show it: what it takes is not kept back by what it does not.
  private var refusals: [Matter: Int] = [:]
  private var children: [pid_t] = []

  /// - Parameters:
  ///   - socket: the agent's socket, where the command line names one.
  ///   - usualSocket: where the agent listens otherwise.
  init(_ bus: consuming BusConnection, socket: String?, usualSocket: String, reminders: String) throws(NotifyError) {
    desktop = try NotificationService(bus)
    agent = AgentFeed(socket: socket ?? usualSocket)
    self.reminders = Reminders(path: reminders)
    starter = SignInStarter(socket: socket)
  }

  /// Runs until the bus ends.
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

  /// Whether there was anything: a call of ours may have taken in signals of the bus meanwhile.
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
    guard let account = event.account, let state = event.status?.state else { return }
    if state == .signInNeeded {
      needing.insert(account)
    } else {
      needing.remove(account)
      close(.signIn(account: account))
    }
  }

  private func replaceQuestions(_ waiting: [Approval]) {
    let gone = Set(questions.map(\.id)).subtracting(waiting.map(\.id))
    questions = waiting
    for id in gone { forget(id) }
  }

  private func forget(_ id: String) {
    putAway.remove(id)
    close(.question(id: id))
  }

  // MARK: - The desktop

  private func drainBus() throws(NotifyError) {
    try desktop.drain { signal in
      switch signal {
      case .action(let notification, let key):
        // Of a stranger's signal the owner is another, and nothing is known by it.
        if let matter = shown[notification] { act(matter, key, notification) }
      case .closed(let notification): noteClosed(notification)
      case .owner(let isThere): ownerChanged(isThere)
      }
    }
  }

  private func act(_ matter: Matter, _ key: String, _ notification: NotificationService.Shown) {
    typealias Keys = NotificationService.Notification.Keys
    switch (matter, key) {
    case (.signIn(let account), Keys.signIn):
      if let pid = starter.start(account) {
        children.append(pid)
      } else {
        Journal.note("systemd-run cannot be started: ritualctl sign-in --account \(account)")
      }
    case (.question(let id), Keys.allow), (.question(let id), Keys.deny):
      putAway.insert(id)
      agent.answer(id, allow: key == Keys.allow)
    default: return
    }
    shown[notification] = nil
    desktop.close(notification)
  }

  private func noteClosed(_ notification: NotificationService.Shown) {
    if case .question(let id)? = shown.removeValue(forKey: notification) { putAway.insert(id) }
  }

  private func ownerChanged(_ isThere: Bool) {
    // What another service showed is gone, and its numbers mean nothing to this one.
    shown = [:]
    refusals = [:]
    nextTry.serviceChanged(isThere: isThere)
  }

  private func close(_ matter: Matter) {
    refusals[matter] = nil
    for (notification, known) in shown where known == matter {
      shown[notification] = nil
      desktop.close(notification)
    }
  }

  private func showAll() {
    // A question whose time is over is answered by nobody any more.
    let now = Int64(time(nil))
    for over in questions.filter({ $0.until.map { $0.unixSeconds <= now } ?? false }) {
      questions.removeAll { $0.id == over.id }
      forget(over.id)
    }
    isHeldBack = false
    var room = Self.mostQuestions - shown.values.count { if case .question = $0 { true } else { false } }
    for (matter, notification) in toShow {
      if case .question = matter {
        guard room > 0 else { continue }
        room -= 1
      }
      guard show(notification, matter) else {
        isHeldBack = true
        return
      }
      if case .signIn(let account) = matter { reminders.add(account) }
    }
  }

  /// What is not on the screen and should be: what was refused least often first, sign-ins before questions.
  private var toShow: [(Matter, NotificationService.Notification)] {
    let accounts = needing.sorted().filter { AccountName.isValid($0) && !reminders.has($0) }
    let signIns = accounts.map { (Matter.signIn(account: $0), NotificationService.Notification.signInNeeded($0)) }
    let asked = questions.filter { !putAway.contains($0.id) && !isShown(.question(id: $0.id)) }
    let all = signIns + asked.map { (Matter.question(id: $0.id), NotificationService.Notification.question($0)) }
    let keys = all.enumerated().map { (refusals[$0.element.0] ?? 0, $0.offset) }
    return zip(keys, all).sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func isShown(_ matter: Matter) -> Bool { shown.values.contains(matter) }

  /// - Returns: whether it is on the screen; otherwise the service is left alone for a while.
  private func show(_ notification: NotificationService.Notification, _ matter: Matter) -> Bool {
    guard nextTry.isNow else { return false }
    do throws(NotifyError) {
      shown[try desktop.show(notification)] = matter
      refusals[matter] = nil
      nextTry.succeeded()
      return true
    } catch {
      refusals[matter, default: 0] += 1
      // Of an outage once. One that did not answer in time may show it all the same: twice is better than never.
      if nextTry.failed(error) {
        Journal.note("no notification can be shown, and it is tried again: \(error.cause ?? error.message)")
      }
      return false
    }
  }

  // MARK: - Waiting

  private func wait() {
    var entries = [desktop.polled]
    if let descriptor = agent.descriptor { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    var longest = min(Self.longestWait, agent.wait ?? Self.longestWait)
    // Not for what has gone away meanwhile, or the time of the next try would be over for good.
    if isHeldBack, let again = nextTry.wait { longest = min(longest, again) }
    // systemd-run(1) has ended soon, and questions end by the clock.
    if !children.isEmpty { longest = min(longest, .seconds(1)) }
    if !questions.isEmpty { longest = min(longest, .seconds(60)) }
    let milliseconds = longest.components.seconds * 1000 + longest.components.attoseconds / 1_000_000_000_000_000
    poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds + 1))
  }

  private func reap() {
    children.removeAll { pid in
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) != 0 else { return false }
      if status != 0 { Journal.note("systemd-run could not start the sign-in") }
      return true
    }
  }
}
