import AgentConfiguration
import NIOCore
import NIOHTTP1
import SessionEngine
import SupabaseAuth
import SystemSupport
import WebURLs

/// One attempt to get an answer from a server. Bound to the event loop.
final class EgressAttempt {
  private let request: EgressRequest
  private let permit: EgressAccess.Permit
  private let servers: EgressServers
  private let route: EgressServers.Route
  private weak var exchange: EgressExchange?
  private var upstream: EgressUpstream?
  private var isOver = false
  /// True if the connection had served another request, so that the server may have closed it before
  /// it saw this one.
  private(set) var isOnKeptConnection = false
  /// True if the server may have seen the request.
  private(set) var isSent = false

  init(
    _ request: EgressRequest, _ permit: EgressAccess.Permit, _ route: EgressServers.Route, _ servers: EgressServers,
    _ exchange: EgressExchange
  ) {
    (self.request, self.permit, self.route) = (request, permit, route)
    (self.servers, self.exchange) = (servers, exchange)
  }

  /// Sends the head on a kept or a new connection.
  ///
  /// - Parameter onNewConnection: True if a kept connection turned out to be dead: others may be, too.
  func begin(onNewConnection: Bool) {
    // An upgrade uses a new connection, as browsers do.
    if !onNewConnection, !request.isUpgrade, let kept = servers.take(route) {
      isOnKeptConnection = true
      return connected(kept)
    }
    do {
      try servers.connect(route).assumeIsolated().whenComplete { result in
        switch result {
        case .success(let upstream): self.connected(upstream)
        case .failure(let error): self.failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }

  private func connected(_ upstream: EgressUpstream) {
    guard !isOver else { return upstream.close() }
    (self.upstream, isSent) = (upstream, true)
    exchange?.noteSent()
    upstream.begin(self, head(upstream.authority), hasBody: request.body != .none)
    sendMore()
  }

  // MARK: - The head

  private func head(_ authority: String) -> HTTPRequestHead {
    var headers = request.headers
    for header in route.endpoint.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
    headers.add(name: "host", value: authority)
    if permit.url.isProject { headers.add(name: "apikey", value: permit.project.settings.anonKey) }
    // Realtime takes the token from `x-api-key`: twice, a large one would exceed the limits of servers.
    if !isRealtime { headers.add(name: "authorization", value: "Bearer \(permit.token.exposed)") }
    if request.isUpgrade { addUpgrade(to: &headers) } else { addFraming(to: &headers) }
    return HTTPRequestHead(version: .http1_1, method: request.method, uri: target, headers: headers)
  }

  private func addUpgrade(to headers: inout HTTPHeaders) {
    headers.add(name: "connection", value: "Upgrade")
    headers.add(name: "upgrade", value: "websocket")
    // Realtime takes the token of the connection from here.
    if isRealtime { headers.add(name: "x-api-key", value: permit.token.exposed) }
  }

  private func addFraming(to headers: inout HTTPHeaders) {
    switch request.body {
    case .chunked: headers.add(name: "transfer-encoding", value: "chunked")
    case .length(let length): headers.add(name: "content-length", value: String(length))
    // Without a length, servers may wait for a body (RFC 9110, section 8.6).
    case .none where [.POST, .PUT, .PATCH].contains(request.method): headers.add(name: "content-length", value: "0")
    case .none: break
    }
  }

  private var isRealtime: Bool {
    request.isUpgrade && permit.url.isProject
      && permit.url.target.dropFirst(permit.project.basePath.count).hasPrefix("/realtime/")
  }

  /// Path and query. The gateway takes Realtime's key from the query, because browsers can set no
  /// header; it has to be the project's.
  private var target: String {
    isRealtime
      ? RealtimeKey.replaced(in: permit.url.target, with: permit.project.settings.anonKey) : permit.url.target
  }

  // MARK: - The body

  /// True if another piece of the body can be written.
  var takesBody: Bool { upstream?.takesBody ?? false }

  func write(_ piece: ByteBuffer) { upstream?.write(piece) }

  func endBody() { upstream?.endBody() }

  func sendMore() { exchange?.sendMore() }

  // MARK: - The answer

  func received(_ head: HTTPResponseHead) -> EventLoopFuture<Void> { passOn { $0.received(head, from: self) } }

  func received(_ piece: ByteBuffer) -> EventLoopFuture<Void> { passOn { $0.received(piece, from: self) } }

  private func passOn(_ pass: (EgressExchange) -> EventLoopFuture<Void>) -> EventLoopFuture<Void> {
    exchange.map(pass) ?? servers.cancelled
  }

  func receivedEnd() {
    isOver = true
    upstream = nil
    exchange?.receivedEnd(from: self)
  }

  func failed(_ error: any Error) {
    guard !isOver else { return }
    isOver = true
    upstream = nil
    exchange?.failed(error, from: self)
  }

  // MARK: - Ends

  /// Ends the attempt and its connection, unless the answer is complete.
  func cancel() {
    guard !isOver else { return }
    isOver = true
    upstream?.close()
    upstream = nil
  }

  /// Called with the head of a 101, which the exchange passes on.
  func upgraded(_ head: HTTPResponseHead) { exchange?.upgraded(head, self) }

  /// Makes the connection the other end of a tunnel (`EgressUpstream.join`).
  func join(_ end: TunnelEnd) throws -> EventLoopFuture<Void> {
    guard let upstream else { throw ChannelError.ioOnClosedChannel }
    let joined = try upstream.join(end)
    (self.upstream, isOver) = (nil, true)
    return joined
  }
}
