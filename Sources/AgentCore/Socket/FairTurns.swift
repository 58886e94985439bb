import Glibc
import NIOCore
import SystemSupport

/// Shares the event loop: a connection that has more to say than fits one turn waits for its next one in a queue, and
/// between two turns the loop looks at all the others. So a client that asks for little waits for one turn at most,
/// whatever a hundred others send. Processes take turns, then the connections of each; and all turns together keep to an
/// allowance. Bound to the event loop.
final class FairTurns {
  /// What a connection does when its turn comes; false where it has closed meanwhile.
  typealias Turn = (_ end: NIODeadline) -> Bool

  private let eventLoop: any EventLoop
  private var waiting = ProcessTurns<Turn>()
  private var allowance = WorkAllowance(saved: SocketBounds.savedWork, part: SocketBounds.workPart)
  private var isScheduled = false

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// The end of a turn that begins now.
  var end: NIODeadline { .now() + SocketBounds.turn }

  /// Whether work has to wait for its turn, however little it is.
  var isSpent: Bool { allowance.wait() > .zero }

  /// Counts work that is done outside of a turn, or elsewhere.
  func spend(_ time: TimeAmount) { allowance.spend(time) }

  /// Does `work`, and counts it.
  func counting(_ work: () -> Void) {
    let begun = TimeAmount.ofThisThread
    work()
    spend(.ofThisThread - begun)
  }

  /// Puts a connection of `process` behind those that wait.
  func wait(_ process: Int32, _ turn: @escaping Turn) {
    waiting.append(turn, of: process)
    schedule()
  }

  /// By a timer: tasks that are due run before the loop looks at its sockets again, and would shut out all others.
  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    let pause = max(SocketBounds.betweenTurns, allowance.wait())
    eventLoop.assumeIsolated().scheduleTask(in: pause) { self.next() }
  }

  /// One turn; the connection may read a piece afterwards.
  private func next() {
    isScheduled = false
    var isTaken = false
    while !isTaken, let (_, turn) = waiting.popFirst() { counting { isTaken = turn(end) } }
    if isTaken { spend(SocketBounds.turnCost) }
    schedule()
  }
}

extension TimeAmount {
  /// What this thread has had of the processor: on a busy machine a turn lasts longer than that, which is not its own fault.
  fileprivate static var ofThisThread: TimeAmount {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
