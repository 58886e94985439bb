import Glibc
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSOCKS
import NIOSSL
import NIOTLS
import SessionEngine
import SupabaseAuth
import SystemSupport
import WebURLs

/// The connections to servers that are kept for further requests (RFC 9112, section 9.3). They are
/// not shared with the requests to the auth server, so that a refresh never waits behind a stream.
/// Bound to its event loop.
final class EgressServers {
  /// The destination of a connection, and the settings that led there.
  struct Route: Equatable {
    private let project: Project
    /// `scheme://host[:port]`
    let origin: String

    init(_ project: Project, origin: String) { (self.project, self.origin) = (project, origin) }

    var endpoint: ProjectEndpoint { project.endpoint }
    var isSecure: Bool { origin.hasPrefix("https:") }

    static func == (left: Route, right: Route) -> Bool {
      left.origin == right.origin && (left.project === right.project || left.endpoint == right.endpoint)
    }
  }

  private let eventLoop: any EventLoop
  let clock: any AgentClock
  private let names: NameResolver
  /// For the connections of clients as well.
  let turns: Turns
  private var trust: [ProjectEndpoint: NIOSSLContext] = [:]
  /// Callbacks of the exchanges that wait for the trust settings of a project.
  private var loading: [ProjectEndpoint: [(AuthError?) -> Void]] = [:]
  /// Free connections, the one that was used last at the end.
  private var kept: [EgressUpstream] = []
  private var isSweeping = false
  /// Incremented when all connections are given up; older ones are not kept any more.
  private(set) var generation = 0

  init(_ eventLoop: any EventLoop, _ clock: any AgentClock) {
    (self.eventLoop, self.clock) = (eventLoop, clock)
    names = NameResolver(eventLoop)
    turns = Turns(eventLoop)
  }

  // MARK: - Trust settings

  /// False if the trust settings of a project have to be loaded first.
  func canConnect(_ route: Route) -> Bool { !route.isSecure || trust[route.endpoint] != nil }

  /// Loads the trust settings of a project, once for all that ask meanwhile: the root certificates take
  /// some MiB and some 10 ms of processor time.
  ///
  /// - Parameter done: called with the error if that fails.
  func load(_ endpoint: ProjectEndpoint, _ done: @escaping (AuthError?) -> Void) {
    loading[endpoint, default: []].append(done)
    guard loading[endpoint]?.count == 1 else { return }
    let (bound, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
    Task {
      let result: Result<NIOSSLContext, AuthError>
      do throws(AuthError) { result = .success(try await TrustSettings.context(for: endpoint)) } catch {
        result = .failure(error)
      }
      eventLoop.execute { bound.value.loaded(endpoint, result) }
    }
  }

  private func loaded(_ endpoint: ProjectEndpoint, _ result: Result<NIOSSLContext, AuthError>) {
    let waiting = loading.removeValue(forKey: endpoint) ?? []
    switch result {
    case .success(let context):
      trust[endpoint] = context
      for done in waiting { done(nil) }
    case .failure(let error): for done in waiting { done(error) }
    }
  }

  // MARK: - Kept connections

  /// Takes a kept connection, the one that was used last: it is the least likely to be dead.
  func take(_ route: Route) -> EgressUpstream? {
    let now = clock.now
    while let index = kept.lastIndex(where: { $0.route == route }) {
      let upstream = kept.remove(at: index)
      if upstream.usableUntil > now { return upstream }
      upstream.close()
    }
    return nil
  }

  /// Keeps a connection for another request, for a time.
  func keep(_ upstream: EgressUpstream) {
    kept.append(upstream)
    sweep()
  }

  /// Called when a connection was closed.
  func remove(_ upstream: EgressUpstream) { kept.removeAll { $0 === upstream } }

  private func sweep() {
    guard !isSweeping, !kept.isEmpty else { return }
    isSweeping = true
    eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.keptConnection) {
      self.isSweeping = false
      let now = self.clock.now
      for upstream in self.kept where upstream.usableUntil <= now { upstream.close() }
      self.sweep()
    }
  }

  /// Gives up all connections: they may be dead, or hold secrets. Those in use are closed with their
  /// exchange.
  func retireAll() {
    generation += 1
    for upstream in kept { upstream.close() }
    (kept, trust) = ([], [:])
    names.forgetPending()
  }

  // MARK: - Connecting

  /// Opens a connection, through the project's proxy if it has one, within `EgressLimits.connect`.
  /// Requires `canConnect`.
  func connect(_ route: Route) throws -> EventLoopFuture<EgressUpstream> {
    let address = try WebURL(route.origin)
    let port = try Self.port(of: route.origin, isSecure: route.isSecure)
    let context = route.isSecure ? trust[route.endpoint] : nil
    let connected = eventLoop.makePromise(of: EgressUpstream.self)
    let progress = Progress()
    let limit = eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.connect) {
      connected.fail(AuthError.notConnected(progress.host, waitingFor: progress.step))
    }
    try openChannel(route, address.host, port, connected.futureResult, progress).assumeIsolated().flatMap { channel in
      progress.begin("TLS", with: address.host)
      return Self.secure(channel, address.host, context)
    }.flatMapThrowing { channel in
      try EgressUpstream.add(to: channel, route, self)
    }.whenComplete { result in
      limit.cancel()
      connected.assumeIsolated().completeWith(result)
    }
    return connected.futureResult
  }

  /// What a connection that is being made waits for. Bound to its event loop.
  private final class Progress {
    private(set) var step = ""
    private(set) var host = ""

    func begin(_ step: String, with host: String) { (self.step, self.host) = (step, host) }
  }

  private static func port(of origin: String, isSecure: Bool) throws -> Int {
    guard let colon = origin.lastIndex(of: ":"), let port = Int(origin[origin.index(after: colon)...]) else {
      return isSecure ? 443 : 80
    }
    return port
  }

  /// - Parameter connected: its failure, such as the time limit, closes the channel.
  private func openChannel(
    _ route: Route, _ host: String, _ port: Int, _ connected: EventLoopFuture<EgressUpstream>, _ progress: Progress
  ) throws -> EventLoopFuture<any Channel> {
    guard let proxy = route.endpoint.proxyAddress, try route.endpoint.isProxied(for: route.origin) else {
      return openChannel(host, port, connected, progress)
    }
    return openChannel(proxy.host, proxy.port, connected, progress).assumeIsolated().flatMap { channel in
      progress.begin("the proxy", with: proxy.host)
      return ProxyHandshake.begin(on: channel, proxy.kind, route.endpoint.proxyPassword, host: host, port: port).map {
        channel
      }
    }.nonisolated()
  }

  private func openChannel(
    _ host: String, _ port: Int, _ connected: EventLoopFuture<EgressUpstream>, _ progress: Progress
  ) -> EventLoopFuture<any Channel> {
    let bootstrap = ClientBootstrap(group: eventLoop)
      .connectTimeout(EgressLimits.connect)
      .channelOption(.writeBufferWaterMark, value: EgressLimits.writeWatermarks)
      .channelOption(.recvAllocator, value: EgressLimits.receiveBuffers)
      // One read in a pass of the event loop, so that each connection waits for one read of each other one.
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: EgressLimits.keepAlive.after)
      .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: EgressLimits.keepAlive.interval)
      .channelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: EgressLimits.maxUnanswered)
      .channelInitializer { channel in
        connected.whenFailure { _ in channel.close(promise: nil) }
        return channel.eventLoop.makeSucceededVoidFuture()
      }
    progress.begin("the name server (DNS)", with: host)
    return names.addresses(of: host).assumeIsolated().flatMap { [eventLoop] addresses in
      progress.begin("TCP", with: "\(host):\(port)")
      return bootstrap.resolver(KnownAddresses(addresses: addresses, eventLoop: eventLoop)).connect(
        host: host, port: port)
    }.nonisolated()
  }

  /// Makes the TLS handshake; the channel is unchanged without `context`.
  private static func secure(
    _ channel: any Channel, _ host: String, _ context: NIOSSLContext?
  ) -> EventLoopFuture<any Channel> {
    guard let context else { return channel.eventLoop.makeSucceededFuture(channel) }
    let secured = channel.eventLoop.makePromise(of: Void.self)
    do {
      let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
      try channel.pipeline.syncOperations.addHandlers(
        NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host),
        HandshakeWatch(secured) { event in
          guard case .handshakeCompleted? = event as? TLSUserEvent else { return false }
          return true
        })
    } catch {
      secured.fail(error)
    }
    // A proxy may have closed the channel before.
    channel.closeFuture.whenComplete { _ in secured.fail(ChannelError.eof) }
    return secured.futureResult.map { channel }
  }
}

/// The handshake with a proxy, before that with a server.
private enum ProxyHandshake {
  /// - Returns: a future that completes when bytes reach the server.
  static func begin(
    on channel: any Channel, _ kind: ProxyURL.Kind, _ password: ProxyPassword?, host: String, port: Int
  ) -> EventLoopFuture<Void> {
    let established = channel.eventLoop.makePromise(of: Void.self)
    let added = channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      switch kind {
      case .http: try pipeline.addHandlers(http(host, port, password, established))
      case .socks5:
        try pipeline.addHandlers(
          SOCKSClientHandler(targetAddress: .domain(host, port: port)),
          HandshakeWatch(established) { $0 is SOCKSProxyEstablishedEvent })
      }
    }
    added.cascadeFailure(to: established)
    channel.closeFuture.whenComplete { _ in established.fail(ChannelError.eof) }
    return established.futureResult.flatMap { removeAll(from: channel) }
  }

  private static func http(
    _ host: String, _ port: Int, _ password: ProxyPassword?, _ established: EventLoopPromise<Void>
  ) -> [any ChannelHandler] {
    var headers: HTTPHeaders = ["host": "\(host):\(port)"]
    if let password { headers.add(name: "proxy-authorization", value: password.authorization) }
    return [
      HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
      NIOHTTP1ProxyConnectHandler(
        // The whole connection has a time limit.
        targetHost: host, targetPort: port, headers: headers, deadline: .distantFuture, promise: established),
    ]
  }

  /// - Returns: a future that completes when bytes may be written: until then the decoder, which
  ///   observes writes, takes them for parts of a request. The handler of CONNECT removes itself.
  private static func removeAll(from channel: any Channel) -> EventLoopFuture<Void> {
    let removed = channel.eventLoop.makePromise(of: Void.self)
    let pipeline = channel.pipeline.syncOperations
    do {
      if let socks = try? pipeline.context(handlerType: SOCKSClientHandler.self) {
        pipeline.removeHandler(context: socks, promise: removed)
      } else {
        let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
        pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPRequestEncoder.self), promise: nil)
        pipeline.removeHandler(context: decoder, promise: removed)
      }
    } catch {
      removed.fail(error)
    }
    return removed.futureResult
  }
}

/// Waits for the end of a handshake, and removes itself. Bound to its event loop.
private final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let done: EventLoopPromise<Void>
  private let isEnd: (Any) -> Bool

  init(_ done: EventLoopPromise<Void>, _ isEnd: @escaping (Any) -> Bool) { (self.done, self.isEnd) = (done, isEnd) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard isEnd(event) else { return }
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    done.succeed()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { done.fail(error) }
}
