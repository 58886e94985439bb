import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Hummingbird's HTTP/1.1 server on a loopback port, in front of an `Exchanger`. The server is used
/// without its application layer, because faults need the connection itself, and the sandbox sets
/// its own `Date` header.
struct HTTPFrontend: Sendable {
  /// Maximum body size in bytes, as in GoTrue.
  private static let bodyLimit = 1 << 20

  let exchanger: Exchanger
  let connections: Connections

  /// Listens on 127.0.0.1 until the task is cancelled. Calls `onListening` with the listening channel
  /// as soon as it is bound.
  func serve(port: Int, onListening: @escaping @Sendable (any Channel) -> Void) async throws {
    let server = Server(
      childChannelSetup: TrackedHTTP(
        http: HTTP1Channel(responder: respond), connections: connections),
      configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in onListening(channel) },
      eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
      logger: Logger(label: "ritual-sandbox", factory: { _ in SwiftLogNoOpLogHandler() }))
    try await server.run()
  }

  @Sendable
  private func respond(
    _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
  ) async throws {
    guard let body = try? await request.body.collect(upTo: Self.bodyLimit) else {
      try await writer.write(response: head(Answer(status: 413), length: 0), body: ResponseBody())
      throw ConnectionEnded()
    }
    switch try await exchanger.exchange(incoming(request, body)) {
    case .answer(let answer) where request.method == .head:
      // The length of the body that a GET would get, without that body.
      try await writer.write(response: head(answer, length: answer.body.count), body: ResponseBody())
    case .answer(let answer):
      try await writer.write(
        response: head(answer, length: answer.body.count),
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    case .cut(let answer):
      var rest = try await writer.writeHead(head(answer, length: answer.body.count))
      try await rest.write(ByteBuffer(bytes: answer.body.prefix(answer.body.count / 2)))
      throw ConnectionEnded()
    case .drop:
      throw ConnectionEnded()
    }
  }

  private func incoming(_ request: Request, _ body: ByteBuffer) -> Incoming {
    let target = request.head.path ?? "/"
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    // In a path, unlike in a query, a plus sign is literal.
    let path = halves.first.map { $0.replacing("+", with: "%2B") } ?? "/"
    return Incoming(
      method: request.method.rawValue, path: FormCoding.unescape(path),
      target: target, query: halves.count > 1 ? FormCoding.decode(halves[1]) : [],
      headers: (request.head.authority.map { [("host", $0)] } ?? [])
        + request.headers.map { ($0.name.canonicalName, $0.value) }, body: Array(body.readableBytesView))
  }

  private func head(_ answer: Answer, length: Int) -> HTTPResponse {
    let (now, shift) = exchanger.backend.state.withLock { ($0.now, $0.settings.dateHeaderShift) }
    var fields = HTTPFields()
    for header in answer.headers + [("date", now.adding(seconds: Double(shift)).httpDate), ("vary", "Origin")] {
      if let name = HTTPFields.Element.Name(header.name) {
        fields.append(HTTPFields.Element(name: name, value: header.value))
      }
    }
    // RFC 9110 section 8.6: a 204 has no Content-Length.
    if answer.status != 204, let name = HTTPFields.Element.Name("content-length") {
      fields.append(HTTPFields.Element(name: name, value: String(length)))
    }
    return HTTPResponse(status: .init(code: answer.status), headerFields: fields)
  }
}

/// Thrown to make Hummingbird close the connection.
private struct ConnectionEnded: Error {}

/// The outcome of a request: a response, possibly a damaged one, or none.
enum Outcome: Sendable {
  case answer(Answer)
  /// The head announces the complete body, half of it follows, then the connection closes.
  case cut(Answer)
  case drop
}

/// Passes a request through journal, faults, gateway and endpoint.
struct Exchanger: Sendable {
  let backend: Backend
  let table: RouteTable
  /// The handler of `/sandbox`, which bypasses journal, faults and gateway.
  let control: @Sendable (Incoming) async -> Answer

  func exchange(_ request: Incoming) async throws -> Outcome {
    if request.path == "/sandbox" || request.path.hasPrefix("/sandbox/") {
      return .answer(await control(request))
    }
    let routing = table.find(request)
    let endpoint = table.endpoint(of: request, routing)
    var request = request
    let (waiters, arrival) = backend.journal.withLock { ($0.note(request, endpoint), $0.count(.any)) }
    for waiter in waiters { waiter.resume() }
    request.arrival = arrival
    let fault = backend.faults.withLock { $0.take(for: endpoint) }
    if let fault, !fault.afterCommit, let outcome = try await apply(fault, request) { return outcome }
    let answer = await perform(request, routing)
    if let fault, fault.afterCommit { return try await damage(answer, by: fault, request) }
    return .answer(answer)
  }

  /// Applies a fault before the commit; nil lets the request proceed.
  private func apply(_ fault: Fault, _ request: Incoming) async throws -> Outcome? {
    switch fault.effect {
    case .drop: return .drop
    case .answer(let answer): return .answer(answer)
    case .error(let error): return .answer(error.answer(newShape: request.wantsNewErrorShape))
    // Delays are in real time: the sandbox's clock, which tests move, is for tokens.
    case .delay(let seconds): try await Task.sleep(for: .seconds(seconds))
    case .hang: try await backend.hangs.wait()
    case .truncate, .cut: break
    }
    return nil
  }

  /// Applies a fault to the response of a request that took effect.
  private func damage(_ answer: Answer, by fault: Fault, _ request: Incoming) async throws -> Outcome {
    switch fault.effect {
    case .truncate:
      var half = answer
      half.body = Array(answer.body.prefix(answer.body.count / 2))
      return .answer(half)
    case .cut: return .cut(answer)
    default: return try await apply(fault, request) ?? .answer(answer)
    }
  }

  private func perform(_ request: Incoming, _ routing: Routing) async -> Answer {
    if let refusal = backend.gatewayRefusal(request) { return refusal }
    guard case .found(let route) = routing else {
      if case .wrongMethod = routing { return Answer(status: 405) }
      let plain = [(name: "content-type", value: "text/plain; charset=utf-8")]
      return Answer(status: 404, headers: plain, body: Array("404 page not found\n".utf8))
    }
    do {
      try backend.checkRate(request)
      try backend.checkCaptcha(request)
      return try await route.handler(backend, request)
    } catch let error as APIError {
      return error.answer(newShape: request.wantsNewErrorShape)
    } catch let refusal as Refusal {
      return refusal.answer
    } catch {
      let failure = APIError(500, "unexpected_failure", "Unexpected failure, please check server logs")
      return failure.answer(newShape: request.wantsNewErrorShape)
    }
  }
}
