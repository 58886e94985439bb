import AccessControl
import AgentProtocol
import Glibc
package import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import SystemSupport

/// The HTTP/1.1 proxy that adds the authorization, on a listening Unix socket,
/// for processes of this user only. Runs until graceful shutdown. Thread-safe.
package final class EgressServer: Service {
  private let access: EgressAccess
  private let descriptor: Int32?
  private let eventLoop: any EventLoop
  private let state: NIOLoopBoundBox<EgressState>

  /// How long a stop waits for requests in flight.
  private static let grace = TimeAmount.seconds(3)

  /// - Parameters:
  ///   - descriptor: a listening Unix stream socket, which the server closes; nil for none.
  ///   - eventLoop: the loop of all connections, in both directions. Not that of the agent's socket,
  ///     so that a download delays no token.
  ///   - maxConnections: fewer than usual under a low limit of descriptors.
  package init(
    _ access: EgressAccess, on descriptor: Int32?, eventLoop: any EventLoop,
    maxConnections: Int = EgressLimits.maxConnections, logger: Logger
  ) {
    (self.access, self.descriptor, self.eventLoop) = (access, descriptor, eventLoop)
    state = NIOLoopBoundBox.makeBoxSendingValue(
      EgressState(access, on: eventLoop, maxConnections: maxConnections, logger: logger), eventLoop: eventLoop)
    access.onPolicyChange { [weak state] in
      guard let state else { return }
      eventLoop.execute { state.value.policyChanged() }
    }
  }

  func run() async throws {
    let listener = try await listen()
    try? await gracefulShutdown()
    try? await listener?.close().get()
    _ = try? await eventLoop.flatSubmit { [state] in state.value.drain(Self.grace) }.get()
  }

  /// Ends every stream, because the vault is being locked, and every connection to a server. The requests
  /// are noted as ended on return.
  package func lock() async {
    try? await eventLoop.submit { [state] in state.value.lock() }.get()
  }

  /// Serves the connections of `listener`, whose requests carry the placeholder tokens of `grants`. The end of a
  /// grant ends its streams, and the end of a session those of its account.
  package func serve(_ listener: GrantListener, _ grants: Grants) {
    grants.onEnd { [self] grant in perform { $0.grantEnded(grant.id) } }
    grants.onSessionEnd { [self] account in perform { $0.sessionEnded(account) } }
    listener.serve(on: eventLoop) { [state] channel, endpoint in
      channel.eventLoop.makeCompletedFuture {
        try channel.setEgressOptions()
        try Self.admit(channel, endpoint, grants, state.value)
      }
    }
  }

  private static func admit(
    _ channel: any Channel, _ endpoint: GrantEndpoint, _ grants: Grants, _ state: EgressState
  ) throws {
    if let refusal = state.refusal(of: nil) {
      return try channel.pipeline.syncOperations.addHandler(RefusedEgress(refusal))
    }
    let port = endpoint == .loopback ? channel.localAddress?.port ?? 0 : nil
    try EgressConnection.add(
      to: channel, state,
      .grant { head throws(EgressProblem) in try grants.identify(head, at: endpoint, port: port) })
  }

  /// Call after a suspend or a change of the network.
  package func networkChanged() { perform { $0.networkChanged() } }

  private func perform(_ body: @escaping @Sendable (EgressState) -> Void) {
    eventLoop.execute { [state] in body(state.value) }
  }

  private func listen() async throws -> (any Channel)? {
    guard let descriptor else { return nil }
    return try await ServerBootstrap(group: eventLoop)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
      }
      .childChannelInitializer { [state] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.setEgressOptions()
          try Self.admit(channel, state.value)
        }
      }
      .withBoundSocket(descriptor).get()
  }

  /// Identifies the peer by the kernel's credentials, before any byte is read.
  ///
  /// - Throws: if SO_PEERCRED fails; the connection is closed then.
  private static func admit(_ channel: any Channel, _ state: EgressState) throws {
    let (pipeline, access) = (channel.pipeline.syncOperations, state.access)
    let peer = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { Peer(of: $0) }
    guard let peer = peer.flatMap({ $0 }), let process = PeerProcess(of: channel, now: access.clock.now) else {
      throw ChannelError.operationUnsupported
    }
    guard peer.uid == geteuid() else {
      return try pipeline.addHandler(RefusedEgress(.otherUser))
    }
    if let refusal = state.refusal(of: peer.pid) { return try pipeline.addHandler(RefusedEgress(refusal)) }
    let connection = IssuedTokens.Connection(
      id: access.records.issuedTokens.callers.nextConnectionID(), pid: peer.pid, process: process.id)
    let caller = EgressAccess.Caller(
      connection: connection, opener: access.opened(connection.id, process, pid: peer.pid))
    if access.hasRules, caller.opener == nil { access.lookUp(caller, process) }
    try EgressConnection.add(to: channel, state, .process(caller))
  }
}

extension PeerProcess {
  /// The kernel's evidence for the peer of a channel with a Unix socket. It is not kept, because it
  /// may be a descriptor; the kernel gives the same process each time. Call on the event loop.
  convenience init?(of channel: any Channel, now: BootTime) {
    let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      $0
    }
    guard let descriptor = found.flatMap({ $0 }) else { return nil }
    self.init(of: descriptor, now: now)
  }
}

extension Channel {
  /// Sets the options of a client's connection. Call on its event loop.
  fileprivate func setEgressOptions() throws {
    guard let options = syncOptions else { throw ChannelError.operationUnsupported }
    try options.setOption(.autoRead, value: false)
    try options.setOption(.writeBufferWaterMark, value: EgressLimits.writeWatermarks)
    try options.setOption(.recvAllocator, value: EgressLimits.receiveBuffers)
    try options.setOption(.maxMessagesPerRead, value: 1)
    try options.setOption(.allowRemoteHalfClosure, value: true)
  }
}

extension EgressProblem {
  fileprivate static let otherUser = EgressProblem(
    .forbidden, ErrorKind.denied.rawValue, "This agent serves only uid \(geteuid()).",
    hint: "run the command as the agent's user, without sudo", proxyError: "http_request_denied", closes: true)

  static func tooManyConnections(_ which: String, _ limit: Int) -> EgressProblem {
    EgressProblem(
      .serviceUnavailable, ErrorKind.tooMany.rawValue, "Too many connections \(which) (limit: \(limit)).",
      proxyError: "connection_limit_reached", closes: true)
  }
}

/// A refused connection: receives the answer, then is closed. Only the method of its request is read.
private final class RefusedEgress: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let problem: EgressProblem
  private var isAnswered = false

  init(_ problem: EgressProblem) { self.problem = problem }

  func channelActive(context: ChannelHandlerContext) {
    context.read()
    context.eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.refusedRequest) {
      self.answer(context, isHead: false)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    answer(context, isHead: HTTPHead.beginsWithHead(unwrapInboundIn(data)))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { answer(context, isHead: false) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isAnswered = true
    context.fireChannelInactive()
  }

  private func answer(_ context: ChannelHandlerContext, isHead: Bool) {
    guard !isAnswered else { return }
    isAnswered = true
    var message = ByteBuffer()
    problem.write(to: &message, isHead: isHead)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(message)).whenComplete { _ in channel.close(promise: nil) }
  }
}
