package import AccessControl
package import AgentProtocol
import CSystemd
import Glibc
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
package import SessionEngine
package import SystemSupport

/// Gives access tokens to the user's systemd units at their start:
/// `LoadCredential=token:%t/ritual-agent/credentials.sock`.
///
/// systemd connects from the unit's own control group and reads until the end. The answer is the
/// token and nothing else. A refusal is an empty answer, which becomes an empty credential, and an
/// entry in the journal. Nothing is read from the peer.
package struct CredentialServer: Service {
  /// What the server needs of the agent.
  package struct Agent: Sendable {
    let unit: @Sendable (UInt64) async -> String?
    let accountName: @Sendable (String?) async throws(AgentError) -> String
    let token: @Sendable (String) async throws(AgentError) -> SessionToken.Result

    /// - Parameters:
    ///   - unit: the unit of the process that made a connection, as the kernel tells.
    ///   - accountName: the account of a name, or the default account for nil.
    ///   - token: an account's token, refreshed if needed.
    package init(
      unit: @escaping @Sendable (UInt64) async -> String?,
      accountName: @escaping @Sendable (String?) async throws(AgentError) -> String,
      token: @escaping @Sendable (String) async throws(AgentError) -> SessionToken.Result
    ) {
      (self.unit, self.accountName, self.token) = (unit, accountName, token)
    }
  }

  private let socket: ListeningSocket
  private let eventLoop: any EventLoop
  private let agent: Agent
  private let tokens: TokenSnapshot
  private let clock: any AgentClock
  private let issuedTokens: IssuedTokens
  private let policy: Policy
  private let logger: Logger
  private let grace: TimeAmount
  private let answerTime: Duration

  /// - Parameter answerTime: time within which a unit has its answer. systemd gives a unit 90 s for
  ///   its whole start (TimeoutStartSec=).
  package init(
    _ socket: ListeningSocket, on eventLoop: any EventLoop, agent: Agent, tokens: TokenSnapshot,
    clock: any AgentClock, issuedTokens: IssuedTokens, policy: Policy, logger: Logger,
    grace: TimeAmount = SocketLimits.grace, answerTime: Duration = .seconds(15)
  ) {
    (self.socket, self.eventLoop, self.agent, self.tokens) = (socket, eventLoop, agent, tokens)
    (self.clock, self.issuedTokens, self.policy, self.logger) = (clock, issuedTokens, policy, logger)
    (self.grace, self.answerTime) = (grace, answerTime)
  }

  package func run() async throws {
    let (accepted, accepting) = AsyncStream.makeStream(of: CredentialConnection.self)
    let state = try await eventLoop.submit { [eventLoop, tokens, logger] in
      let state = CredentialServerState(logger, accepting)
      let bound = NIOLoopBound(state, eventLoop: eventLoop)
      tokens.onLock { eventLoop.execute { bound.value.dropUnread() } }
      return bound
    }.get()
    let listener = try await listen(state)
    await withDiscardingTaskGroup { group in
      group.addTask {
        try? await gracefulShutdown()
        await stop(listener, state)
        accepting.finish()
      }
      for await connection in accepted { group.addTask { await serve(connection, state) } }
    }
  }

  private func listen(_ state: NIOLoopBound<CredentialServerState>) async throws -> any Channel {
    try await ServerBootstrap(group: eventLoop)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // Further connections wait in the kernel's queue: an answer that comes later is better
          // than an empty credential.
          try channel.pipeline.syncOperations.addHandler(
            AcceptPause(maxWaiting: SocketLimits.maxCredentialConnections, pause: .milliseconds(10)) {
              state.value.connections.count
            })
        }
      }
      .serverChannelOption(.maxMessagesPerRead, value: SocketLimits.acceptsPerPass)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try admit(channel, state.value) }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  // MARK: - Admission, on the event loop

  /// Closes the connection of another user, or of a socket without a unit's name. Passes the others
  /// on.
  private func admit(_ channel: any Channel, _ state: CredentialServerState) throws {
    let now = clock.now
    let facts = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      (Peer(of: $0), PeerName(of: $0), PeerProcess(of: $0, now: now))
    }
    guard let (peer, name, process) = facts, let peer, peer.uid == geteuid() else {
      if let (peer, _, _) = facts, let peer { state.refuseStranger("uid \(peer.uid)", pid: peer.pid, .denied, at: now) }
      throw ChannelError.operationUnsupported
    }
    guard let request = CredentialRequest(peerName: name.bytes) else {
      state.refuseStranger(ForeignText.shown(name.text, limit: 200), pid: peer.pid, .invalidParams, at: now)
      throw ChannelError.operationUnsupported
    }
    let id = issuedTokens.callers.nextConnectionID()
    let connection = IssuedTokens.Connection(id: id, pid: peer.pid, process: process.id)
    policy.opened(id)
    issuedTokens.callers.lookUpCaller(of: connection, process) { [policy] caller in policy.found(caller, id) }
    state.add(CredentialConnection(channel: channel, request: request, connection: connection))
    // For a peer that does not read, and for work that ignores its cancellation.
    let overdue = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(answerTime) + .seconds(1)) {
      channel.close(promise: nil)
    }
    channel.closeFuture.assumeIsolated().whenComplete { _ in overdue.cancel() }
  }

  // MARK: - Answers, in tasks

  /// Answers one connection. Its work ends with the connection.
  private func serve(_ connection: CredentialConnection, _ state: NIOLoopBound<CredentialServerState>) async {
    await withTaskGroup { group in
      group.addTask { await answer(connection) }
      group.addTask { try? await connection.channel.closeFuture.get() }
      await group.next()
      group.cancelAll()
      // The work was cancelled, or it has finished and the peer has the answer.
      connection.channel.close(promise: nil)
    }
    let id = connection.connection.id
    issuedTokens.callers.closed(id)
    policy.closed(id)
    eventLoop.execute { state.value.remove(id) }
  }

  private func answer(_ connection: CredentialConnection) async {
    do {
      let result = try await withTimeout(answerTime, clock) { try await token(for: connection) }
      try await send(result, connection)
    } catch let error as AgentError {
      refuse(connection, error)
    } catch is TimeLimitExceeded {
      refuse(
        connection, AgentError(.serviceUnavailable, "The token did not come within \(answerTime.components.seconds) s.")
      )
    } catch {
      // The unit's start was given up, or the agent stops.
      refuse(connection, AgentError(.cancelled))
    }
  }

  private func token(for connection: CredentialConnection) async throws -> SessionToken.Result {
    let request = connection.request
    let unit = await agent.unit(connection.connection.id)
    guard unit == request.unit else {
      let shown = unit.map { ForeignText.shown($0, limit: 255) } ?? "no unit"
      throw AgentError(.denied, "The socket's name is of \(request.unit), but the process is of \(shown).")
    }
    let account = try await agent.accountName(request.account)
    try await policy.check(
      account,
      Policy.Question(method: "credential", connection: connection.connection.id, pid: connection.connection.pid))
    return try await agent.token(account)
  }

  /// Writes the account's token of now: a lock or a sign-out may have withdrawn `result` in the meantime.
  private func send(_ result: SessionToken.Result, _ connection: CredentialConnection) async throws {
    let channel = connection.channel
    try await channel.eventLoop.flatSubmit { [tokens, issuedTokens, clock] () -> EventLoopFuture<Void> in
      guard let result = tokens.answer(account: result.account, minTTL: 0, rejected: nil, now: clock.now)?.result else {
        return channel.eventLoop.makeFailedFuture(AgentError(.vaultLocked))
      }
      let token = IssuedTokens.Token(
        account: result.account, way: .credential, fingerprint: TokenFingerprint.short(result.accessToken))
      issuedTokens.note(token, to: connection.connection, at: result.handedOutAt)
      return channel.writeAndFlush(ByteBuffer(string: result.accessToken))
    }.get()
  }

  private func refuse(_ connection: CredentialConnection, _ error: AgentError) {
    let request = connection.request
    logger.warning(
      "credential refused",
      metadata: JournalEvent.credentialRefused.with([
        "unit": "\(ForeignText.shown(request.unit, limit: 255))",
        "credential": "\(ForeignText.shown(request.credential, limit: 80))", "pid": "\(connection.connection.pid)",
        "kind": "\(error.kind.rawValue)", "detail": "\(error.message)",
      ]))
  }

  // MARK: - Stop

  private func stop(_ listener: any Channel, _ state: NIOLoopBound<CredentialServerState>) async {
    let grace = Task.isCancelled ? TimeAmount.zero : grace
    try? await listener.close().get()
    socket.remove()
    _ = try? await eventLoop.flatSubmit { state.value.drain(grace, eventLoop) }.get()
  }
}

/// A connection that is answered.
struct CredentialConnection: Sendable {
  let channel: any Channel
  let request: CredentialRequest
  let connection: IssuedTokens.Connection
}

/// The open connections of a `CredentialServer`. Bound to the event loop.
final class CredentialServerState {
  private let logger: Logger
  private let accepting: AsyncStream<CredentialConnection>.Continuation
  private var notice = NoticeRateLimiter()
  private(set) var connections: [UInt64: CredentialConnection] = [:]
  private var emptied: EventLoopPromise<Void>?

  init(_ logger: Logger, _ accepting: AsyncStream<CredentialConnection>.Continuation) {
    (self.logger, self.accepting) = (logger, accepting)
  }

  func add(_ connection: CredentialConnection) {
    connections[connection.connection.id] = connection
    accepting.yield(connection)
  }

  func remove(_ id: UInt64) {
    connections[id] = nil
    if connections.isEmpty { emptied?.succeed() }
  }

  /// Logs a connection that no unit made, not more often than once a second: any process can make
  /// one.
  func refuseStranger(_ name: String, pid: Int32, _ kind: ErrorKind, at now: BootTime) {
    guard let unsaid = notice.allow(at: now) else { return }
    logger.warning(
      "credential refused",
      metadata: JournalEvent.credentialRefused.with([
        "peer": "\(name)", "pid": "\(pid)", "kind": "\(kind.rawValue)", "more": "\(unsaid)",
      ]))
  }

  /// Closes the connections whose peer has not read a token that was sent.
  func dropUnread() {
    for connection in connections.values {
      let unread = try? connection.channel.syncOptions?.getOption(.bufferedWritableBytes)
      if let unread, unread > 0 { connection.channel.close(promise: nil) }
    }
  }

  /// Completes when all connections have ended, and closes them after `grace`.
  func drain(_ grace: TimeAmount, _ eventLoop: any EventLoop) -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    emptied = promise
    if connections.isEmpty { promise.succeed() }
    let overdue = eventLoop.assumeIsolated().scheduleTask(in: grace) {
      for connection in self.connections.values { connection.channel.close(promise: nil) }
    }
    promise.futureResult.assumeIsolated().whenComplete { _ in overdue.cancel() }
    return promise.futureResult
  }
}

/// The address to which the peer of a Unix socket is bound, after its family (unix(7)); empty if it
/// is not bound.
struct PeerName {
  let bytes: [UInt8]

  /// The bytes for display.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  init(of descriptor: Int32) {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
    }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let length = min(room, Int(size) - MemoryLayout.offset(of: \sockaddr_un.sun_path)!)
    guard status == 0, address.sun_family == sa_family_t(AF_UNIX), length > 0 else {
      bytes = []
      return
    }
    bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(length)) }
  }
}
