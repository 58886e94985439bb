import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization
import SystemSupport
import WebURLs

/// Sends requests, each once. Its thread and connections are created by the first request, so that
/// an idle agent costs nothing.
///
/// No thread is shared, neither with another project nor between the names of one: NIO resolves names
/// on one queue for each event loop, and a lookup that hangs must not stall another name.
final class HTTPTransport: Sendable {
  /// A key for requests that may share connections. A refresh never waits behind slow calls of the
  /// API client, and loopback is never proxied.
  struct Lane: Hashable {
    let isAPI: Bool
    /// The server that the requests connect to; nil for the proxy. It has a thread of its own.
    let origin: String?
  }

  /// A client, and the number of requests that use it.
  fileprivate struct Client {
    let client: HTTPClient
    var requests = 0
    /// True if no further request may use it.
    var isRetired = false
  }

  fileprivate struct Running {
    /// The threads, one for each server: the project's, that of its API, and the proxy.
    var loops: [String?: MultiThreadedEventLoopGroup] = [:]
    var current: [Lane: Int] = [:]
    var clients: [Int: Client] = [:]
    var lastID = 0
    /// Ends once every retired client is closed. `shutdown` waits for it, because a client cannot close
    /// after its thread has ended.
    var closing: Task<Void, Never>?
  }

  private enum State {
    case running(Running)
    case shutDown
  }

  /// One hour, in seconds: the maximum for a deadline, so that time arithmetic cannot overflow.
  private static let maxDeadlineSeconds: Int64 = 3600

  private let endpoint: ProjectEndpoint
  private let limits: RequestLimits
  private let state = Mutex(State.running(Running()))

  init(endpoint: ProjectEndpoint, limits: RequestLimits) {
    self.endpoint = endpoint
    self.limits = limits
  }

  deinit {
    let parts = takeDown()
    guard !parts.groups.isEmpty else { return }
    Task.detached { await parts.close() }
  }

  /// Sends `request` and reads the complete response.
  /// - Parameters:
  ///   - maximum: the maximum body size in bytes. A larger body throws `.tooLarge`. If
  ///     `keepsRefusals` is true, an error response with a larger body is returned without its
  ///     body, because its status counts.
  /// - Throws: `.insecure` or `.invalidEndpoint` for a URL to which nothing may be sent, before a
  ///   byte is sent.
  func exchange(
    _ request: HTTPClientRequest, isAPI: Bool = false, keepsRefusals: Bool = true, maximum: Int,
    within limit: Duration
  ) async throws(AuthError) -> APIResponse {
    let (id, client) = try await client(for: request.url, isAPI: isAPI)
    defer { release(id) }
    do {
      return try await withTimeout(limit) {
        // Later than `withTimeout`, so that the timeout error comes from there.
        let deadline = NIODeadline.now() + .seconds(min(limit.components.seconds, Self.maxDeadlineSeconds) + 2)
        let response = try await client.execute(request, deadline: deadline)
        return try await Self.read(response, maximum: maximum, keepsRefusals: keepsRefusals)
      }
    } catch {
      throw .transport(error, host: Self.host(of: request.url), within: limit, for: endpoint)
    }
  }

  /// Returns `host` or `host:port` of the URL.
  private static func host(of url: String) -> String {
    guard let origin = try? WebURL(url).origin, let scheme = origin.firstRange(of: "://") else {
      return "the server"
    }
    return String(origin[scheme.upperBound...])
  }

  private static func read(
    _ response: HTTPClientResponse, maximum: Int, keepsRefusals: Bool
  ) async throws -> APIResponse {
    let headers = response.headers.map { (name: $0.name, value: $0.value) }
    let status = Int(response.status.code)
    do {
      let body = try await response.body.collect(upTo: maximum)
      try Task.checkCancellation()
      return APIResponse(status: status, headers: headers, body: Array(body.readableBytesView))
    } catch is NIOTooManyBytesError where keepsRefusals && !(200...299).contains(status) {
      return APIResponse(status: status, headers: headers, body: [])
    }
  }

  /// Closes all connections and refuses new requests. Returns after `limits.shutdown` at the
  /// latest.
  func shutdown() async {
    let parts = takeDown()
    let isClosed = SettledValue<Void>()
    Task.detached {
      await parts.close()
      isClosed.settle(())
    }
    // Real time, not the injected clock: the limit applies to real connections while the process
    // ends.
    try? await isClosed.wait(until: SystemClock().deadline(after: limits.shutdown))
  }
}

extension HTTPTransport {
  private struct Parts: Sendable {
    var groups: [MultiThreadedEventLoopGroup] = []
    var clients: [HTTPClient] = []
    var closing: Task<Void, Never>?

    /// Errors are ignored: nothing can be done about a connection that does not close.
    func close() async {
      for client in clients { try? await client.shutdown() }
      await closing?.value
      for group in groups { try? await group.shutdownGracefully() }
    }
  }

  private func takeDown() -> Parts {
    state.withLock { state in
      defer { state = .shutDown }
      guard case .running(let running) = state else { return Parts() }
      return Parts(
        groups: Array(running.loops.values), clients: running.clients.values.map(\.client), closing: running.closing)
    }
  }

  /// Ends the connections that no request uses. Requests in flight keep theirs, and further ones get new
  /// connections.
  func dropIdle() {
    withRunning { running in
      running.current = [:]
      for id in running.clients.keys { running.clients[id]?.isRetired = true }
      running.closeUnused()
    }
  }

  private func release(_ id: Int) {
    withRunning { running in
      running.clients[id]?.requests -= 1
      running.closeUnused()
    }
  }

  @discardableResult
  private func withRunning<Value: Sendable>(_ body: (inout Running) -> Value) -> Value? {
    state.withLock { state in
      guard case .running(var running) = state else { return nil }
      defer { state = .running(running) }
      return body(&running)
    }
  }

  /// Returns a client, which must be released.
  private func client(for url: String, isAPI: Bool) async throws(AuthError) -> (id: Int, client: HTTPClient) {
    let lane: Lane
    do throws(WebURLError) {
      lane = Lane(isAPI: isAPI, origin: try endpoint.isProxied(for: url) ? nil : try WebURL(url).origin)
    } catch { throw AuthError(error) }
    if let client = try claim(lane, nil) { return client }
    guard let client = try claim(lane, try await configuration(for: lane)) else { throw .shutDown }
    return client
  }

  /// Counts a request for the lane's client, which is created if there is a configuration for it; else
  /// returns nil if there is none.
  private func claim(
    _ lane: Lane, _ configuration: HTTPClient.Configuration?
  ) throws(AuthError) -> (id: Int, client: HTTPClient)? {
    let found = withRunning { $0.claim(lane, configuration) }
    guard let found else { throw .shutDown }
    return found
  }

  private func configuration(for lane: Lane) async throws(AuthError) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: try await TrustSettings.load(for: endpoint), redirectConfiguration: .disallow,
      timeout: .init(connect: .init(limits.connect)))
    configuration.httpVersion = .http1Only
    // Retries are the caller's decision, including those of a connection attempt.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = .init(limits.idle)
    if lane.origin == nil {
      configuration.proxy = endpoint.proxyAddress.map { .init($0, endpoint.proxyPassword) }
    }
    return configuration
  }
}

extension HTTPTransport.Running {
  mutating func claim(
    _ lane: HTTPTransport.Lane, _ configuration: HTTPClient.Configuration?
  ) -> (id: Int, client: HTTPClient)? {
    if let id = current[lane], let client = clients[id]?.client {
      clients[id]?.requests += 1
      return (id, client)
    }
    guard let configuration else { return nil }
    let group = loops[lane.origin] ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loops[lane.origin] = group
    lastID += 1
    let client = HTTPClient(eventLoopGroup: group, configuration: configuration)
    (clients[lastID], current[lane]) = (.init(client: client, requests: 1), lastID)
    return (lastID, client)
  }

  mutating func closeUnused() {
    let unused = clients.filter { $0.value.isRetired && $0.value.requests == 0 }
    guard !unused.isEmpty else { return }
    for id in unused.keys { clients[id] = nil }
    closing = Task { [earlier = closing, clients = unused.values.map(\.client)] in
      for client in clients { try? await client.shutdown() }
      await earlier?.value
    }
  }
}

extension HTTPClient.Configuration.Proxy {
  init(_ address: ProxyURL, _ password: ProxyPassword?) {
    switch address.kind {
    case .http:
      self = .server(
        host: address.host, port: address.port,
        authorization: password.map { .basic(username: $0.user, password: $0.password) })
    case .socks5: self = .socksServer(host: address.host, port: address.port)
    }
  }
}

/// The time and size limits of each exchange with the auth server.
public struct RequestLimits: Sendable, Hashable {
  /// The limit for DNS, TCP and TLS together. 5 s: three lost SYNs take 7 s, and by then a new
  /// attempt is better.
  public var connect: Duration
  /// The limit for the whole exchange, body included. 12 s: the server answers 504 after its own
  /// limit of 10 s, and waiting slightly longer turns "unknown whether committed" into a response.
  /// Below the 15 s that a caller of the agent waits.
  public var request: Duration
  /// The maximum size of a response body, in bytes. 1 MiB is GoTrue's own limit for requests; its
  /// responses are about 2 KiB.
  public var body: Int
  /// The time for which an idle connection is kept. 2 s: enough for the calls of one sign-in, and
  /// below the 3 s within which a lock must remove all tokens from memory, because an open
  /// connection keeps the buffers of its last responses. A connection that stays open across a
  /// suspend would also cost a timeout.
  public var idle: Duration
  /// The limit for `shutdown`; a connection that does not close by then is abandoned.
  public var shutdown: Duration

  public init(
    connect: Duration = .seconds(5), request: Duration = .seconds(12), body: Int = 1 << 20,
    idle: Duration = .seconds(2), shutdown: Duration = .seconds(2)
  ) {
    self.connect = connect
    self.request = request
    self.body = body
    self.idle = idle
    self.shutdown = shutdown
  }
}

/// TLS 1.2 or newer with full verification.
package enum TrustSettings {
  /// Returns the TLS configuration. A CA file is read on a separate thread.
  ///
  /// - Throws: `.tls` if the CA file cannot be read or holds no certificate.
  package static func load(for endpoint: ProjectEndpoint) async throws(AuthError) -> TLSConfiguration {
    guard endpoint.caFile != nil else { return try configuration(for: endpoint) }
    return try await onThread { () throws(AuthError) in try configuration(for: endpoint) }
  }

  /// Returns a context for TLS connections that offer HTTP/1.1 (ALPN, RFC 7301). All certificates are
  /// read on a separate thread.
  ///
  /// - Throws: `.tls` if the CA file cannot be read or holds no certificate.
  package static func context(for endpoint: ProjectEndpoint) async throws(AuthError) -> NIOSSLContext {
    try await onThread { () throws(AuthError) in
      var configuration = try configuration(for: endpoint)
      configuration.applicationProtocols = ["http/1.1"]
      // A server that is still sending answers the end of TLS late. It must notice soon that the client has gone.
      configuration.shutdownTimeout = .milliseconds(500)
      do { return try NIOSSLContext(configuration: configuration) } catch {
        throw AuthError.transport(error, host: endpoint.url, within: .zero, for: endpoint)
      }
    }
  }

  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(AuthError) -> Value
  ) async throws(AuthError) -> Value {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    let result = try? await thread.runIfActive {
      Result { () throws(AuthError) in try body() }
    }
    try? await thread.shutdownGracefully()
    guard let result else { throw AuthError(.cancelled, "the request was cancelled") }
    return try result.get()
  }

  /// - Throws: `.tls` if the CA file cannot be read or holds no certificate.
  static func configuration(for endpoint: ProjectEndpoint) throws(AuthError) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    tls.certificateVerification = .fullVerification
    guard let file = endpoint.caFile else { return tls }
    let certificates = try certificates(in: file)
    if endpoint.onlyThisCA {
      tls.trustRoots = .certificates(certificates)
    } else {
      tls.trustRoots = .default
      tls.additionalTrustRoots = [.certificates(certificates)]
    }
    return tls
  }

  private static func certificates(in file: String) throws(AuthError) -> [NIOSSLCertificate] {
    do {
      // Throws for a file without any certificate, which would trust no server or silently change
      // nothing.
      return try NIOSSLCertificate.fromPEMFile(file)
    } catch {
      throw AuthError(
        .tls, "ca_file cannot be read as PEM certificates; check the path in the configuration",
        cause: TransportFailure("\(error)"))
    }
  }
}
