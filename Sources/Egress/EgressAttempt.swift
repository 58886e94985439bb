import AgentConfiguration
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import SessionEngine
import SystemSupport

/// A TLS configuration on its way to the event loop.
struct TLSSettings: Sendable {
  let configuration: TLSConfiguration

  init(_ configuration: TLSConfiguration) { self.configuration = configuration }
}

/// One attempt to get an answer from a server. Bound to the event loop.
enum EgressAttempt {
  case http(EgressHTTPAttempt)
  case tunnel(EgressTunnel)

  var object: AnyObject {
    switch self {
    case .http(let attempt): attempt
    case .tunnel(let tunnel): tunnel
    }
  }

  func cancel() {
    switch self {
    case .http(let attempt): attempt.cancel()
    case .tunnel(let tunnel): tunnel.cancel()
    }
  }

  /// Where the body goes, once the server takes it.
  var pump: UploadPump? {
    if case .http(let attempt) = self { attempt.pump } else { nil }
  }
}

/// An attempt by the HTTP client. Bound to the event loop.
final class EgressHTTPAttempt {
  private let client: EgressClients.Client
  private weak var exchange: EgressExchange?
  private let eventLoop: any EventLoop
  private var task: HTTPClient.Task<Void>?
  private(set) var pump: UploadPump?
  private var isOver = false

  init(_ client: EgressClients.Client, _ exchange: EgressExchange, on eventLoop: any EventLoop) {
    (self.client, self.exchange, self.eventLoop) = (client, exchange, eventLoop)
  }

  /// - Throws: `HTTPClientError` if the request cannot be sent at all.
  func begin(_ request: EgressRequest, _ permit: EgressAccess.Permit) throws {
    let prepared = try HTTPClient.Request(
      url: permit.url.url, method: request.method, headers: Self.headers(request, permit), body: body(request.body))
    client.begin()
    task = client.http.execute(
      request: prepared, delegate: EgressDelegate(self, eventLoop), eventLoop: .delegate(on: eventLoop))
  }

  static func headers(_ request: EgressRequest, _ permit: EgressAccess.Permit) -> HTTPHeaders {
    var headers = request.headers
    if permit.url.isProject { headers.add(name: "apikey", value: permit.project.settings.anonKey) }
    headers.add(name: "authorization", value: "Bearer \(permit.token.exposed)")
    return headers
  }

  private func body(_ body: EgressRequest.Body) -> HTTPClient.Body? {
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    switch body {
    case .none: return nil
    case .length(let length): return .stream(contentLength: Int64(length)) { bound.value.start($0) }
    case .chunked: return .stream { bound.value.start($0) }
    }
  }

  private func start(_ writer: HTTPClient.Body.StreamWriter) -> EventLoopFuture<Void> {
    let pump = UploadPump(writer, on: eventLoop)
    self.pump = pump
    if let exchange { exchange.sendMore() } else { pump.cancel() }
    return pump.finished
  }

  // MARK: - Called by the delegate

  func received(_ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    exchange?.received(head, from: self) ?? eventLoop.makeFailedFuture(CancellationError())
  }

  func received(_ piece: ByteBuffer) -> EventLoopFuture<Void> {
    exchange?.received(piece, from: self) ?? eventLoop.makeFailedFuture(CancellationError())
  }

  func receivedEnd() {
    end()
    exchange?.receivedEnd(from: self)
  }

  func failed(_ error: any Error) {
    end()
    exchange?.failed(error, from: self)
  }

  // MARK: - Ends

  func cancel() {
    guard !isOver else { return }
    let task = task
    end()
    task?.fail(reason: CancellationError())
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    pump?.cancel()
    (pump, task) = (nil, nil)
    client.end()
  }
}

/// Passes the events of the HTTP client to an attempt. All of its methods are called on the event
/// loop that `execute` was given.
final class EgressDelegate: HTTPClientResponseDelegate {
  typealias Response = Void

  private let attempt: NIOLoopBound<EgressHTTPAttempt>

  init(_ attempt: EgressHTTPAttempt, _ eventLoop: any EventLoop) {
    self.attempt = NIOLoopBound(attempt, eventLoop: eventLoop)
  }

  func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    attempt.value.received(head)
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    attempt.value.received(buffer)
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { attempt.value.failed(error) }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws { attempt.value.receivedEnd() }
}
