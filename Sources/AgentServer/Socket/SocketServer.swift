package import AccessControl
import AgentProtocol
import Glibc
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
package import SessionEngine
package import SystemSupport

/// Serves JSON-RPC 2.0 on a listening Unix socket, to processes of this user only, until graceful
/// shutdown.
///
/// A stop accepts no more connections and requests, waits for answers in flight for `grace`, and
/// closes. A passed socket stays open in systemd, which holds it as well. The file of a socket that
/// was bound here is removed.
package struct SocketServer: Service {
  private let socket: ListeningSocket
  private let eventLoop: any EventLoop
  private let methods: MethodTable
  private let tokens: TokenSnapshot
  private let clock: any AgentClock
  private let issuedTokens: IssuedTokens
  private let policy: Policy?
  private let logger: Logger
  private let grace: TimeAmount
  private let cancellation: TimeAmount
  private let firstRequest: TimeAmount
  private let limits: ReadDeadline.Limits
  private let whenServing: @Sendable () -> Void

  /// A server on `socket`. `whenServing` is called once, when connections are being accepted.
  package init(
    _ socket: ListeningSocket, on eventLoop: any EventLoop, methods: MethodTable, tokens: TokenSnapshot,
    clock: any AgentClock, issuedTokens: IssuedTokens = IssuedTokens(), policy: Policy? = nil, logger: Logger,
    grace: TimeAmount = SocketLimits.grace, cancellation: TimeAmount = SocketLimits.cancellation,
    firstRequest: TimeAmount = SocketLimits.firstRequest, limits: ReadDeadline.Limits = ReadDeadline.Limits(),
    whenServing: @escaping @Sendable () -> Void = {}
  ) {
    self.socket = socket
    self.eventLoop = eventLoop
    self.methods = methods
    self.tokens = tokens
    self.clock = clock
    self.issuedTokens = issuedTokens
    self.policy = policy
    self.logger = logger
    self.grace = grace
    self.cancellation = cancellation
    self.firstRequest = firstRequest
    self.limits = limits
    self.whenServing = whenServing
  }

  func run() async throws {
    let (started, starting) = AsyncStream.makeStream(of: ConnectionTasks.self)
    let dispatcher = Dispatcher(methods: methods, tokens: tokens, logger: logger)
    let state = try await makeState(dispatcher, starting)
    let listener = try await listen(state)
    whenServing()
    await withDiscardingTaskGroup { group in
      group.addTask {
        // Both graceful shutdown and cancellation end the server.
        try? await gracefulShutdown()
        await stop(listener, state)
        starting.finish()
      }
      for await connection in started { group.addTask { await connection.run() } }
    }
    await dispatcher.workers.end()
  }

  private func makeState(
    _ dispatcher: Dispatcher, _ starting: AsyncStream<ConnectionTasks>.Continuation
  ) async throws -> NIOLoopBound<ServerState> {
    try await eventLoop.submit {
      let state = ServerState(
        dispatcher: dispatcher,
        hot: HotPath(tokens: tokens, clock: clock, issuedTokens: issuedTokens, policy: policy),
        issuedTokens: issuedTokens,
        policy: policy, logger: logger,
        starting: starting, limits: limits, on: eventLoop)
      let bound = NIOLoopBound(state, eventLoop: eventLoop)
      tokens.onLock { [eventLoop] in eventLoop.execute { bound.value.dropUnreadAnswers() } }
      return bound
    }.get()
  }

  private func listen(_ state: NIOLoopBound<ServerState>) async throws -> any Channel {
    try await ServerBootstrap(group: eventLoop)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
      }
      .serverChannelOption(.maxMessagesPerRead, value: SocketLimits.acceptsPerPass)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.writeBufferWaterMark, value: SocketLimits.writeWatermarks)
      // One read, then the next connection.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: SocketLimits.readPiece))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try admit(channel, state.value) }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  /// Accepts or refuses a connection by the kernel's credentials of the caller, before any byte is
  /// read.
  /// - Throws: if SO_PEERCRED fails; the connection is closed then.
  private func admit(_ channel: any Channel, _ state: ServerState) throws {
    let pipeline = channel.pipeline.syncOperations
    let peer = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { Peer(of: $0) }
    guard let peer = peer.flatMap({ $0 }) else { throw ChannelError.operationUnsupported }
    if let error = refusal(of: peer, state) {
      note(error, peer, state)
      try pipeline.addHandler(RefusedConnection(error))
    } else {
      try pipeline.addHandler(ConnectionHandler(state, peer: peer, accepted: clock.now, id: state.nextID()))
    }
  }

  private func note(_ error: AgentError, _ peer: Peer, _ state: ServerState) {
    guard let unsaid = state.refusalNotice.allow(at: clock.now) else { return }
    logger.warning(
      "connection refused",
      metadata: JournalEvent.connectionRefused.with([
        "uid": "\(peer.uid)", "pid": "\(peer.pid)", "kind": "\(error.kind.rawValue)", "more": "\(unsaid)",
      ]))
  }

  private func refusal(of peer: Peer, _ state: ServerState) -> AgentError? {
    let own = geteuid()
    guard peer.uid == own else {
      let caller = peer.uid == 0 ? "root" : "uid \(peer.uid)"
      return AgentError(
        .denied, "This agent serves only uid \(own), not \(caller).",
        hint: "run the command as the agent's user, without sudo")
    }
    return state.refusal(of: peer)
  }

  private func stop(_ listener: any Channel, _ state: NIOLoopBound<ServerState>) async {
    let grace = Task.isCancelled ? TimeAmount.zero : grace
    try? await listener.close().get()
    socket.remove()
    _ = try? await eventLoop.flatSubmit {
      state.value.drain(grace, cancellation: cancellation, firstRequest: min(grace, firstRequest), eventLoop)
    }.get()
  }
}

/// A refused connection: receives the error in one line, then is closed. Nothing is read from it.
final class RefusedConnection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let error: AgentError

  init(_ error: AgentError) { self.error = error }

  func channelActive(context: ChannelHandlerContext) {
    var message = Outgoing.error(error, id: Incoming.nullID)
    message.writeInteger(UInt8(ascii: "\n"))
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(message)).whenComplete { _ in channel.close(promise: nil) }
  }

  func read(context: ChannelHandlerContext) {}
}

/// Limits a notice to once a second, so that a hostile client that causes it thousands of times
/// does not fill the journal, and causes no more cost than its own actions. Bound to the event
/// loop.
struct NoticeRateLimiter {
  /// Minimum time between two notices, short enough for a person who follows the journal.
  private static let pause = Duration.seconds(1)

  private var next: BootTime?
  private var unsaid = 0

  /// Returns the number of notices suppressed since the last one, or nil if this notice is
  /// suppressed as well.
  mutating func allow(at now: BootTime) -> Int? {
    if let next, now < next {
      unsaid += 1
      return nil
    }
    defer { unsaid = 0 }
    next = now.advanced(by: Self.pause)
    return unsaid
  }
}
