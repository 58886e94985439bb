package import AccessControl
package import AgentProtocol
package import NIOCore
import Synchronization

/// What a handler knows about its caller.
package struct Call: Sendable {
  package let peer: Peer
  package let connection: ConnectionHandle
  /// The room of the answer.
  package var answer: AnswerReservation?

  /// Waits until there is room for an answer of `bytes` more than the method's usual.
  package func makeRoom(for bytes: Int) async throws { try await answer?.add(bytes) }
}

/// A connection, as handlers see it. Safe from any thread.
package final class ConnectionHandle: Sendable {
  package typealias Closer = @Sendable () async -> Void

  /// Another one for each connection of this process.
  package let id: UInt64

  private let send: @Sendable (ByteBuffer) async -> Void
  private let cut: @Sendable (String) -> Void
  /// nil once the connection has closed.
  private let closers: Mutex<[Closer]?> = Mutex([])
  private let subscriptions = Mutex(0)
  private let isOver = Atomic(false)

  init(id: UInt64, send: @escaping @Sendable (ByteBuffer) async -> Void, cut: @escaping @Sendable (String) -> Void) {
    self.id = id
    self.send = send
    self.cut = cut
  }

  /// Runs `body` once when the connection has closed; at once if it has.
  package func onClose(_ body: @escaping Closer) async {
    let isClosed = closers.withLock { closers in
      closers?.append(body)
      return closers == nil
    }
    if isClosed { await body() }
  }

  /// Counts a subscription, which lasts as long as the connection.
  ///
  /// - Throws: `tooMany`.
  package func addSubscription() throws(AgentError) {
    let isAllowed = subscriptions.withLock { count in
      count += 1
      return count <= RPCBounds.subscriptions
    }
    guard isAllowed else {
      throw AgentError(.tooMany, "A connection has at most \(RPCBounds.subscriptions) subscriptions.")
    }
  }

  /// Sends a notification, a JSON text without its newline. Returns when the kernel has taken it, so that a client that does
  /// not read makes its sender wait; or when the connection has closed.
  package func notify(_ message: ByteBuffer) async { await send(message) }

  /// True once the connection has closed: nothing more is begun for it.
  var isClosed: Bool { isOver.load(ordering: .relaxed) }

  func markClosed() { isOver.store(true, ordering: .relaxed) }

  /// Closes the connection without ceremony; `reason` goes into the log.
  package func cutOff(_ reason: String) { cut(reason) }

  /// The connection has closed: runs what waits for that.
  func closed() async {
    let waiting = closers.withLock { closers in
      defer { closers = nil }
      return closers ?? []
    }
    for closer in waiting { await closer() }
  }
}
