import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Hummingbird's HTTP/1.1 server on a loopback port, in front of an `Exchanger`. The server is used without its
/// application layer, because faults need the connection itself, and the `Date` header is the sandbox's own.
struct HTTPFrontDoor: Sendable {
  /// GoTrue's own limit.
  private static let bodyLimit = 1 << 20

  let exchanger: Exchanger

  /// Listens on 127.0.0.1 until the task is cancelled; tells the port as soon as it is bound.
  func serve(port: Int, onListening: @escaping @Sendable (Int) -> Void) async throws {
    let server = Server(
      childChannelSetup: HTTP1Channel(responder: respond),
      configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
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
    // In a path, unlike in a query, a plus is a plus.
    let path = halves.first.map { $0.replacing("+", with: "%2B") } ?? "/"
    return Incoming(
      method: request.method.rawValue, path: FormCoding.unescape(path),
      target: target, query: halves.count > 1 ? FormCoding.decode(halves[1]) : [],
      headers: request.headers.map { ($0.name.canonicalName, $0.value) }, body: Array(body.readableBytesView))
  }

  private func head(_ answer: Answer, length: Int) -> HTTPResponse {
    let (now, shift) = exchanger.backend.state.withLock { ($0.now, $0.settings.dateHeaderShift) }
    var fields = HTTPFields()
    for header in answer.headers + [("date", now.adding(seconds: Double(shift)).httpDate), ("vary", "Origin")] {
      if let name = HTTPFields.Element.Name(header.name) {
        fields.append(HTTPFields.Element(name: name, value: header.value))
      }
    }
    // RFC 9110 section 8.6: no Content-Length in a 204.
    if answer.status != 204, let name = HTTPFields.Element.Name("content-length") {
      fields.append(HTTPFields.Element(name: name, value: String(length)))
    }
    return HTTPResponse(status: .init(code: answer.status), headerFields: fields)
  }
}

/// Thrown to make Hummingbird close the connection.
private struct ConnectionEnded: Error {}
