import NIOCore

/// Shares the event loop: a connection that has more to say than fits one turn waits for its next one in a queue, and
/// between two turns the loop looks at all the others. So a client that asks for little waits for one turn at most,
/// whatever a hundred others send. Bound to the event loop.
final class FairTurns {
  /// What a connection does when its turn comes.
  typealias Turn = (_ end: NIODeadline) -> Void

  private let eventLoop: any EventLoop
  private var waiting = CircularBuffer<Turn>()
  private var isScheduled = false

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// The end of a turn that begins now.
  var end: NIODeadline { .now() + SocketBounds.turn }

  /// Puts a connection behind those that wait.
  func wait(_ turn: @escaping Turn) {
    waiting.append(turn)
    schedule()
  }

  /// By a timer: tasks that are due run before the loop looks at its sockets again, and would shut out all others.
  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    eventLoop.assumeIsolated().scheduleTask(in: SocketBounds.betweenTurns) { self.next() }
  }

  /// One turn, for a few where they get done in it: each of them may then read a long piece.
  private func next() {
    isScheduled = false
    let end = self.end
    var left = min(waiting.count, SocketBounds.connectionsOfOneTurn)
    while left > 0, let turn = waiting.popFirst() {
      left -= 1
      turn(end)
      if NIODeadline.now() >= end { break }
    }
    schedule()
  }
}
