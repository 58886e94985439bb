package import AccessControl
import AgentProtocol
import Glibc
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
package import SessionEngine
package import SystemSupport

/// Serves JSON-RPC 2.0 on a listening Unix socket, to processes of this user alone, until it is told to stop.
///
/// A stop takes no more connections and requests, waits for answers in flight for `grace`, and closes. A passed socket
/// stays open for systemd, which holds it too; the file of our own is removed.
package struct SocketServer: Service {
  private let socket: ListeningSocket
  private let eventLoop: any EventLoop
  private let methods: MethodTable
  private let tokens: TokenSnapshot
  private let clock: any AgentClock
  private let handOuts: HandOutTable
  private let policy: Policy?
  private let logger: Logger
  private let grace: TimeAmount
  private let firstRequest: TimeAmount
  private let limits: ReadDeadline.Limits
  private let whenServing: @Sendable () -> Void

  /// `whenServing` is called once, when the first connection would be answered.
  package init(
    _ socket: ListeningSocket, on eventLoop: any EventLoop, methods: MethodTable, tokens: TokenSnapshot,
    clock: any AgentClock, handOuts: HandOutTable = HandOutTable(), policy: Policy? = nil, logger: Logger,
    grace: TimeAmount = SocketBounds.grace, firstRequest: TimeAmount = SocketBounds.firstRequest,
    limits: ReadDeadline.Limits = ReadDeadline.Limits(),
    whenServing: @escaping @Sendable () -> Void = {}
  ) {
    self.socket = socket
    self.eventLoop = eventLoop
    self.methods = methods
    self.tokens = tokens
    self.clock = clock
    self.handOuts = handOuts
    self.policy = policy
    self.logger = logger
    self.grace = grace
    self.firstRequest = firstRequest
    self.limits = limits
    self.whenServing = whenServing
  }

  func run() async throws {
    let (started, starting) = AsyncStream.makeStream(of: ConnectionTasks.self)
    let state = try await makeState(starting)
    let listener = try await listen(state)
    whenServing()
    await withDiscardingTaskGroup { group in
      group.addTask {
        // Ends by a graceful stop or by cancellation: both end the server.
        try? await gracefulShutdown()
        await stop(listener, state)
        starting.finish()
      }
      for await connection in started { group.addTask { await connection.run() } }
    }
    await methods.threads.end()
  }

  private func makeState(_ starting: AsyncStream<ConnectionTasks>.Continuation) async throws
    -> NIOLoopBound<ServerState>
  {
    try await eventLoop.submit {
      let state = ServerState(
        dispatcher: Dispatcher(methods: methods, logger: logger),
        hot: HotPath(tokens: tokens, clock: clock, handOuts: handOuts, policy: policy), handOuts: handOuts,
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
        channel.eventLoop.makeCompletedFuture {
          let most = SocketBounds.callerLookups(descriptors: SocketBounds.descriptorLimit)
          try channel.pipeline.syncOperations.addHandler(
            AcceptPause(maxLookups: most) { [handOuts] in handOuts.waiting })
        }
      }
      .serverChannelOption(.maxMessagesPerRead, value: SocketBounds.acceptsPerPass)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.writeBufferWaterMark, value: SocketBounds.writeWatermarks)
      // One piece, then the next connection.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: SocketBounds.readPiece))
      .childChannelInitializer { channel in
        Peer.of(channel).and(PeerProcess.of(channel, now: clock.now)).flatMapThrowing { peer, evidence in
          try admit(peer, evidence, channel, state.value)
        }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  /// Decides by what the kernel says about the caller, before a byte of it is read.
  private func admit(
    _ peer: Peer, _ evidence: PeerProcess, _ channel: any Channel, _ state: ServerState
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    if let error = refusal(of: peer, state) {
      note(error, peer, state)
      try pipeline.addHandler(RefusedConnection(error))
    } else {
      try pipeline.addHandler(ConnectionHandler(state, peer: peer, evidence: evidence, id: state.nextID()))
    }
  }

  private func note(_ error: AgentError, _ peer: Peer, _ state: ServerState) {
    guard let unsaid = state.refusalNotice.say() else { return }
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
        .denied, "This agent serves uid \(own) alone, not \(caller).",
        hint: "run the command as the user whose agent this is, without sudo")
    }
    return state.refusal(of: peer)
  }

  private func stop(_ listener: any Channel, _ state: NIOLoopBound<ServerState>) async {
    let grace = Task.isCancelled ? TimeAmount.zero : grace
    try? await listener.close().get()
    socket.remove()
    _ = try? await eventLoop.flatSubmit { state.value.drain(grace, min(grace, firstRequest), eventLoop) }.get()
  }
}
