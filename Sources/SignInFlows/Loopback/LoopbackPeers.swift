import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Tells which connections of a loopback listener are this user's. One look at the kernel's table serves all that wait for
/// one, so that another user's connections do not delay this user's by more than a look. Safe from any thread.
final class LoopbackPeers: Sendable {
  private typealias Waiting = (connection: SocketTable.Connection, answer: EventLoopPromise<Bool>)

  private struct State {
    var waiting: [Waiting] = []
    /// A look has been begun and has not taken the list yet.
    var isAwaited = false
  }

  /// Connections that wait for a look, each with a descriptor; more are refused at once.
  private static let limit = 256

  /// Reading /proc blocks: neither the event loop nor the cooperative pool does it.
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  init() { thread.start() }

  /// Whether the process that made the accepted connection `channel` is this user's.
  func isOwn(_ channel: any Channel) -> EventLoopFuture<Bool> {
    guard let client = SocketTable.End(channel.remoteAddress), let server = SocketTable.End(channel.localAddress) else {
      return channel.eventLoop.makeSucceededFuture(false)
    }
    let answer = channel.eventLoop.makePromise(of: Bool.self)
    let (isTaken, isFirst) = state.withLock { state in
      guard state.waiting.count < Self.limit else { return (false, false) }
      state.waiting.append((SocketTable.Connection(client: client, server: server), answer))
      defer { state.isAwaited = true }
      return (true, !state.isAwaited)
    }
    if !isTaken { answer.succeed(false) }
    if isFirst { thread.submit { [self] state in look(isActive: state == .active) } }
    return answer.futureResult
  }

  private func look(isActive: Bool) {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    let uids = isActive ? SocketTable.uids(of: Set(waiting.map(\.connection))) : [:]
    for (connection, answer) in waiting { answer.succeed(uids[connection] == geteuid()) }
  }

  func close() async { try? await thread.shutdownGracefully() }
}
