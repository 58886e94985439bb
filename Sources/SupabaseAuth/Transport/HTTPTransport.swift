import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import SystemSupport
import WebAddresses

/// Sends requests, each once. Its thread and its connections come with the first request, for an agent with nothing to
/// do should cost nothing.
///
/// The thread is its own, never shared: NIO resolves names on one queue for each event loop, and a name that hangs
/// must stall no one else.
final class HTTPTransport: Sendable {
  /// What must not share connections: a refresh never waits behind slow calls of the API client, and loopback is never
  /// proxied.
  struct Lane: Hashable {
    let isAPI: Bool
    let isProxied: Bool
  }

  private enum State {
    case idle
    case running(MultiThreadedEventLoopGroup, [Lane: HTTPClient])
    case shutDown
  }

  /// An hour, in seconds: beyond it a sum of times could overflow, and nobody waits.
  private static let longest: Int64 = 3600

  private let endpoint: ProjectEndpoint
  private let limits: RequestLimits
  private let state = Mutex(State.idle)

  init(endpoint: ProjectEndpoint, limits: RequestLimits) {
    self.endpoint = endpoint
    self.limits = limits
  }

  deinit {
    let parts = takeDown()
    guard parts.group != nil else { return }
    Task.detached { await parts.close() }
  }

  /// Sends `request` and reads the whole answer.
  /// - Parameters:
  ///   - maximum: the largest body in bytes. Of a larger one `.tooLarge` is thrown, but for a refusal where
  ///     `keepsRefusals` is set: there the status counts, and the body is dropped.
  /// - Throws: `.insecure` or `.invalidEndpoint` for an address that must not be spoken to, before a byte is sent.
  func exchange(
    _ request: HTTPClientRequest, isAPI: Bool = false, keepsRefusals: Bool = true, maximum: Int, room: BodyRoom? = nil,
    within limit: Duration
  ) async throws(AuthError) -> Answer {
    let client = try await client(for: request.url, isAPI: isAPI)
    do {
      return try await withTimeout(limit) {
        // Past our own limit, so that ours is the one that speaks.
        let deadline = NIODeadline.now() + .seconds(min(limit.components.seconds, Self.longest) + 2)
        let response = try await client.execute(request, deadline: deadline)
        return try await Self.read(response, maximum: maximum, room: room, keepsRefusals: keepsRefusals)
      }
    } catch {
      throw .transport(error, host: Self.host(of: request.url), within: limit)
    }
  }

  /// `host` or `host:port`, as the address has it.
  private static func host(of url: String) -> String {
    guard let origin = try? WebAddress(url).origin, let scheme = origin.firstRange(of: "://") else {
      return "the server"
    }
    return String(origin[scheme.upperBound...])
  }

  private static func read(
    _ response: HTTPClientResponse, maximum: Int, room: BodyRoom?, keepsRefusals: Bool
  ) async throws -> Answer {
    let headers = response.headers.map { (name: $0.name, value: $0.value) }
    let status = Int(response.status.code)
    do {
      let body = try await body(of: response, maximum: maximum, room: room)
      try Task.checkCancellation()
      return Answer(status: status, headers: headers, body: Array(body.readableBytesView))
    } catch is NIOTooManyBytesError where keepsRefusals && !(200...299).contains(status) {
      return Answer(status: status, headers: headers, body: [])
    }
  }

  /// A body whose length is not announced needs room for the largest as soon as it exceeds what there is.
  private static func body(of response: HTTPClientResponse, maximum: Int, room: BodyRoom?) async throws -> ByteBuffer {
    guard let room else { return try await response.body.collect(upTo: maximum) }
    let announced = response.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard announced <= maximum else { throw NIOTooManyBytesError(maxBytes: maximum) }
    var free = room.free
    if announced > free {
      try await room.reserve(announced)
      free = announced
    }
    var body = ByteBuffer()
    for try await part in response.body {
      let count = body.readableBytes + part.readableBytes
      guard count <= maximum else { throw NIOTooManyBytesError(maxBytes: maximum) }
      if count > free {
        try await room.reserve(maximum)
        free = maximum
      }
      body.writeImmutableBuffer(part)
    }
    return body
  }

  /// Closes what is open and refuses what comes. Returns after `limits.shutdown` at the latest.
  func shutdown() async {
    let parts = takeDown()
    let isClosed = SettledValue<Void>()
    Task.detached {
      await parts.close()
      isClosed.settle(())
    }
    // Real time, not the injected clock: it bounds what a real connection does while the process ends.
    try? await isClosed.wait(until: SystemClock().deadline(after: limits.shutdown))
  }
}

extension HTTPTransport {
  private struct Parts: Sendable {
    let group: MultiThreadedEventLoopGroup?
    let clients: [HTTPClient]

    /// Errors are of no use here: what does not close is dropped.
    func close() async {
      for client in clients { try? await client.shutdown() }
      try? await group?.shutdownGracefully()
    }
  }

  private func takeDown() -> Parts {
    state.withLock { state in
      defer { state = .shutDown }
      guard case .running(let group, let clients) = state else { return Parts(group: nil, clients: []) }
      return Parts(group: group, clients: Array(clients.values))
    }
  }

  private func client(for url: String, isAPI: Bool) async throws(AuthError) -> HTTPClient {
    let isLoopback: Bool
    do throws(WebAddressError) { isLoopback = try WebAddress(url).isLoopback } catch { throw AuthError(error) }
    let lane = Lane(isAPI: isAPI, isProxied: endpoint.proxyAddress != nil && !isLoopback)
    if let client = try existing(lane) { return client }
    let configuration = try await configuration(for: lane)
    return try state.withLock { state throws(AuthError) -> HTTPClient in
      switch state {
      case .shutDown: throw .shutDown
      case .idle:
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(eventLoopGroup: group, configuration: configuration)
        state = .running(group, [lane: client])
        return client
      case .running(let group, var clients):
        let client = clients[lane] ?? HTTPClient(eventLoopGroup: group, configuration: configuration)
        clients[lane] = client
        state = .running(group, clients)
        return client
      }
    }
  }

  /// Reads the CA file, if there is one, on a thread of its own: once for each lane.
  private func trust() async throws(AuthError) -> TLSConfiguration {
    guard endpoint.caFile != nil else { return try TrustSettings.configuration(for: endpoint) }
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    let result = try? await thread.runIfActive { [endpoint] in
      Result { () throws(AuthError) in try TrustSettings.configuration(for: endpoint) }
    }
    try? await thread.shutdownGracefully()
    guard let result else { throw AuthError(.cancelled, "the request was cancelled") }
    return try result.get()
  }

  private func existing(_ lane: Lane) throws(AuthError) -> HTTPClient? {
    try state.withLock { state throws(AuthError) -> HTTPClient? in
      switch state {
      case .idle: return nil
      case .running(_, let clients): return clients[lane]
      case .shutDown: throw .shutDown
      }
    }
  }

  private func configuration(for lane: Lane) async throws(AuthError) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: try await trust(), redirectConfiguration: .disallow,
      timeout: .init(connect: .init(limits.connect)))
    configuration.httpVersion = .http1Only
    // Trying again is the caller's decision, connections included.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = .init(limits.idle)
    if lane.isProxied { configuration.proxy = endpoint.proxyAddress.map(HTTPClient.Configuration.Proxy.init) }
    return configuration
  }
}

extension HTTPClient.Configuration.Proxy {
  fileprivate init(_ address: ProxyAddress) {
    switch address.kind {
    case .http: self = .server(host: address.host, port: address.port)
    case .socks5: self = .socksServer(host: address.host, port: address.port)
    }
  }
}

/// How long and how much: the bounds of each exchange with the auth server.
public struct RequestLimits: Sendable, Hashable {
  /// For DNS, TCP and TLS together. 5 s: three lost SYNs take 7 s, and by then a fresh try is better.
  public var connect: Duration
  /// For the whole exchange, body included. 12 s: the server's own limit is 10 s, then it answers 504; waiting a little
  /// longer turns "unknown whether committed" into an answer. Under the 15 s that a caller of the agent waits.
  public var request: Duration
  /// The largest body that is read, in bytes. 1 MiB is GoTrue's own limit for requests; its answers are about 2 KiB.
  public var body: Int
  /// How long a connection is kept for the next call. 2 s: long enough for the calls of one sign-in, and over before the 3 s
  /// in which a lock has to leave no token in memory (VA-4), for an open connection keeps the buffers into which it read
  /// its last answers. One that slept through a suspend would cost a time limit besides.
  public var idle: Duration
  /// For `shutdown`: connections that do not close by then are left behind.
  public var shutdown: Duration

  /// Limits by their parts; the defaults have their reasons beside them.
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

/// TLS 1.2 or newer with full verification (OP-4).
enum TrustSettings {
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
      // Throws for a file without any certificate, which would trust nobody, or silently change nothing.
      return try NIOSSLCertificate.fromPEMFile(file)
    } catch {
      throw AuthError(
        .tls, "ca_file cannot be read as PEM certificates; check the path in the configuration",
        cause: TransportFailure("\(error)"))
    }
  }
}
