import AsyncHTTPClient
import NIOCore
import NIOSSL
import SupabaseAuth

/// The HTTP clients of the proxy, one for each project. They share no connection with the requests to
/// the auth server, so that a refresh never waits behind a stream. Bound to its event loop.
final class EgressClients {
  /// A client, which is shut down when it is retired and its last exchange has ended.
  final class Client {
    let http: HTTPClient
    private var active = 0
    private var isRetired = false

    init(_ http: HTTPClient) { self.http = http }

    func begin() { active += 1 }

    func end() {
      active -= 1
      if isRetired, active == 0 { shutDown() }
    }

    /// Gives up the client: idle connections are closed now, others with their exchange.
    func retire() {
      guard !isRetired else { return }
      isRetired = true
      if active == 0 { shutDown() }
    }

    private func shutDown() { Task { [http] in try? await http.shutdown() } }
  }

  private struct Key: Hashable {
    let endpoint: ProjectEndpoint
    let isProxied: Bool
  }

  private let eventLoop: any EventLoop
  private var trust: [ProjectEndpoint: TLSConfiguration] = [:]
  private var clients: [Key: Client] = [:]

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// The trust settings of a project, if they are loaded.
  func trust(for endpoint: ProjectEndpoint) -> TLSConfiguration? { trust[endpoint] }

  func set(_ configuration: TLSConfiguration, for endpoint: ProjectEndpoint) { trust[endpoint] = configuration }

  /// Returns the client for requests to `origin` with the settings of `endpoint`; nil until the trust
  /// settings are loaded.
  func client(for endpoint: ProjectEndpoint, origin: String) -> Client? {
    // Origins of the configuration are valid.
    let key = Key(endpoint: endpoint, isProxied: (try? endpoint.isProxied(for: origin)) ?? false)
    if let client = clients[key] { return client }
    guard let trust = trust[endpoint] else { return nil }
    let client = Client(
      HTTPClient(eventLoopGroupProvider: .shared(eventLoop), configuration: configuration(key, trust)))
    clients[key] = client
    return client
  }

  private func configuration(_ key: Key, _ trust: TLSConfiguration) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: trust, redirectConfiguration: .disallow, timeout: .init(connect: EgressLimits.connect))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = EgressLimits.keptConnection
    // The default of 8 would let 8 event streams block the ninth request.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = EgressLimits.maxConnections
    configuration.http1_1ConnectionDebugInitializer = { channel in
      channel.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(
          minimum: 1024, initial: 4096, maximum: EgressLimits.readPiece))
    }
    if key.isProxied { configuration.proxy = key.endpoint.proxyAddress.map(HTTPClient.Configuration.Proxy.init) }
    return configuration
  }

  /// Gives up all clients: their connections may be dead, or hold secrets.
  func retireAll() {
    for client in clients.values { client.retire() }
    clients = [:]
    trust = [:]
  }
}
